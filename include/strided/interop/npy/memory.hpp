// The bytes of a file in memory: mapped where the system can, read into owned memory elsewhere.
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <limits>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <system_error>
#include <utility>

#include "strided/core/config.hpp"
#include "strided/core/error.hpp"
#include "strided/interop/npy/dtype.hpp"

#if __has_include(<sys/mman.h>) && __has_include(<unistd.h>)
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#endif
#if defined(_WIN32)
#include <fcntl.h>
#include <io.h>
#include <sys/stat.h>
#endif

namespace strided::inline STRIDED_ABI {

// Where the bytes of a .npy file are while the program looks at them.
enum class NpyMemory : std::uint8_t {
  mapped,  // the file itself, by mmap; owned where a system or a file system has none
  owned,   // memory of the process, read or written as a whole; costs the size of the array, and
           // does not mind what others do to the file meanwhile
};

namespace detail {

[[nodiscard]] inline std::string npy_system_message(int error) {
  return std::generic_category().message(error);
}

// Makes an empty file, unless the name is taken: then errno is EEXIST.
[[nodiscard]] inline bool npy_create(const std::filesystem::path& path) {
  errno = 0;
#if defined(_WIN32)  // where fopen may take "x" for nothing, and names are not bytes
  const int file =
      ::_wopen(path.c_str(), _O_CREAT | _O_EXCL | _O_WRONLY | _O_BINARY, _S_IREAD | _S_IWRITE);
  if (file >= 0) ::_close(file);
  return file >= 0;
#else
  std::FILE* const file = std::fopen(path.c_str(), "wbx");
  if (file != nullptr) std::fclose(file);
  return file != nullptr;
#endif
}

// Zero or more bytes of the process's own memory, aligned for every element type.
class NpyOwnedBytes {
 public:
  NpyOwnedBytes() = default;

  [[nodiscard]] static NpyOwnedBytes allocate(std::size_t size, const std::string& where) {
    NpyOwnedBytes bytes;
    bytes.blocks_.reset(new (std::nothrow) Block[size / sizeof(Block) + 1]);
    if (bytes.blocks_ == nullptr) {
      npy_fail(
          ErrorCode::out_of_memory, where,
          std::string("a buffer of ") + std::to_string(size) + " bytes could not be allocated");
    }
    bytes.size_ = size;
    return bytes;
  }

  // The whole of a file.
  [[nodiscard]] static NpyOwnedBytes read(const std::filesystem::path& path,
                                          const std::string& where) {
    std::error_code failure;
    const std::uintmax_t file_size = std::filesystem::file_size(path, failure);
    if (failure) {
      npy_fail(ErrorCode::file_access, where, "cannot be read: " + failure.message());
    }
    if (file_size > std::numeric_limits<std::size_t>::max() / 2) {
      npy_fail(ErrorCode::out_of_memory, where,
               std::to_string(file_size) + " bytes are more than the " +
                   std::to_string(std::numeric_limits<std::size_t>::max() / 2) +
                   " that this machine can address");
    }
    const auto size = static_cast<std::size_t>(file_size);
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    if (!file) {
      npy_fail(ErrorCode::file_access, where, "cannot be opened: " + npy_system_message(errno));
    }
    NpyOwnedBytes bytes = allocate(size, where);
    file.read(static_cast<char*>(static_cast<void*>(bytes.blocks_.get())),
              static_cast<std::streamsize>(size));
    if (!file) {
      npy_fail(ErrorCode::file_access, where,
               std::string("cannot be read: ") +
                   (errno == 0 ? std::string("it ends after ") + std::to_string(file.gcount()) +
                                     " of " + std::to_string(size) + " bytes"
                               : npy_system_message(errno)));
    }
    return bytes;
  }

  [[nodiscard]] std::span<std::byte> span() const noexcept {
    return {static_cast<std::byte*>(static_cast<void*>(blocks_.get())), size_};
  }

 private:
  struct alignas(64) Block {
    std::byte bytes[64];
  };
  std::unique_ptr<Block[]> blocks_;
  std::size_t size_ = 0;
};

#if __has_include(<sys/mman.h>) && __has_include(<unistd.h>)

// A whole file as memory. Empty when the system refuses, for whatever reason.
class NpyMappedBytes {
 public:
  NpyMappedBytes() = default;
  NpyMappedBytes(NpyMappedBytes&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}
  NpyMappedBytes& operator=(NpyMappedBytes&& other) noexcept {
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~NpyMappedBytes() {
    if (!bytes_.empty()) ::munmap(bytes_.data(), bytes_.size());
  }

  // The pages are the file's own: they cannot be written, and a file that others shorten meanwhile
  // takes its pages away.
  [[nodiscard]] static NpyMappedBytes read_only(const std::filesystem::path& path) {
    return map(path, O_RDONLY, PROT_READ);
  }

  // Makes the file `size` bytes long, with room on the disk behind every byte, and maps it. A
  // message says why there is no room.
  [[nodiscard]] static NpyMappedBytes writable(const std::filesystem::path& path, std::size_t size,
                                               std::string& message) {
    const int file = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
    if (file < 0) return {};
      // Without room reserved, a full disk shows in a write to the pages, as a signal that ends the
      // process.
#if defined(_POSIX_ADVISORY_INFO) && _POSIX_ADVISORY_INFO > 0
    const int failure = ::posix_fallocate(file, 0, static_cast<off_t>(size));
    if (failure == ENOSPC || failure == EFBIG || failure == EDQUOT) {
      message = npy_system_message(failure);
    }
#endif
    ::close(file);
    std::error_code resized;
    if (message.empty()) std::filesystem::resize_file(path, size, resized);
    if (resized) message = resized.message();
    return message.empty() ? map(path, O_RDWR, PROT_READ | PROT_WRITE) : NpyMappedBytes();
  }

  [[nodiscard]] std::span<std::byte> span() const noexcept {
    return bytes_;
  }

 private:
  [[nodiscard]] static NpyMappedBytes map(const std::filesystem::path& path, int access,
                                          int protection) {
    NpyMappedBytes mapped;
    const int file = ::open(path.c_str(), access | O_CLOEXEC);
    if (file < 0) return mapped;
    struct stat status = {};
    if (::fstat(file, &status) == 0 && status.st_size > 0 &&
        static_cast<std::uintmax_t>(status.st_size) <=
            std::numeric_limits<std::size_t>::max() / 2) {
      const auto size = static_cast<std::size_t>(status.st_size);
      void* const address = ::mmap(nullptr, size, protection, MAP_SHARED, file, 0);
      if (address != MAP_FAILED) mapped.bytes_ = {static_cast<std::byte*>(address), size};
    }
    ::close(file);
    return mapped;
  }

  std::span<std::byte> bytes_;
};

// Has the disk take what was written to a file, or to the names in a directory.
[[nodiscard]] inline bool npy_flush_to_disk(const std::filesystem::path& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  const bool flushed = ::fsync(file) == 0;
  ::close(file);
  return flushed;
}

#else

// Nothing to map with: always empty.
class NpyMappedBytes {
 public:
  [[nodiscard]] static NpyMappedBytes read_only(const std::filesystem::path&) { return {}; }
  [[nodiscard]] static NpyMappedBytes writable(const std::filesystem::path&, std::size_t,
                                               std::string&) {
    return {};
  }
  [[nodiscard]] std::span<std::byte> span() const noexcept { return {}; }
};

[[nodiscard]] inline bool npy_flush_to_disk(const std::filesystem::path& path) {
#if defined(_WIN32)
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) return true;  // there is no way to
  const int file = ::_wopen(path.c_str(), _O_RDWR | _O_BINARY);
  if (file < 0) return false;
  const bool flushed = ::_commit(file) == 0;
  ::_close(file);
  return flushed;
#else
  static_cast<void>(path);
  return true;
#endif
}

#endif

}  // namespace detail
}  // namespace strided::inline STRIDED_ABI
