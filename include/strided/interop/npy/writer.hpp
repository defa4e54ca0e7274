// Writing .npy files: whole or not at all.
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <random>
#include <span>
#include <string>
#include <system_error>
#include <type_traits>
#include <utility>

#include "strided/core/config.hpp"
#include "strided/core/dims.hpp"
#include "strided/core/error.hpp"
#include "strided/interop/npy/dtype.hpp"
#include "strided/interop/npy/header.hpp"
#include "strided/interop/npy/memory.hpp"
#include "strided/interop/npy/view.hpp"
#include "strided/view/layout.hpp"
#include "strided/view/strided_view.hpp"

namespace strided::inline STRIDED_ABI {
namespace detail {

// A new, empty file of a name that no other file has; removed with the object unless it was
// renamed.
class NpyTemporary {
 public:
  NpyTemporary() = default;
  NpyTemporary(NpyTemporary&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  NpyTemporary& operator=(NpyTemporary&& other) noexcept {
    std::swap(path_, other.path_);
    return *this;
  }
  ~NpyTemporary() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove(path_, ignored);
  }

  // In the directory of `target`: only within a file system can a file be renamed.
  [[nodiscard]] static NpyTemporary beside(const std::filesystem::path& target,
                                           const std::string& where) {
    constexpr int kTries = 100;
    std::random_device random;
    NpyTemporary temporary;
    for (int i = 0; i < kTries; ++i) {
      std::filesystem::path path =
          target.parent_path() / (".npy-" + std::to_string(random()) + ".tmp");
      if (npy_create(path)) {
        temporary.path_ = std::move(path);  // a copy may throw, and leave the file behind
        return temporary;
      }
      if (errno != EEXIST) break;
    }
    npy_fail(ErrorCode::file_access, where, "cannot be written: " + npy_system_message(errno));
  }

  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

  [[nodiscard]] std::error_code rename_to(const std::filesystem::path& target) {
    std::error_code failure;
    std::filesystem::rename(path_, target, failure);
    if (!failure) path_.clear();
    return failure;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace detail

// A .npy file in the making. The constructor makes a temporary file beside `path`, with the header
// and room for the array; fill data() or a view of it, then commit() puts the file in place of
// `path` in one step. Without a commit `path` stays as it was and the temporary is removed, except
// when the process is killed. The array starts at a multiple of 64 bytes and is zero until it is
// written.
//
// Errors (thrown as strided::Error): file_access where a file cannot be made, filled or renamed or
// where `path` is something other than a file; those of NpyDtype::parse for the dtype's descr, of
// any byte order, and file_format where that says another kind or size; those of Layout for the
// shape; out_of_memory.
//
//   NpyWriter writer("planes.npy", npy_dtype_of<std::uint8_t>(), {3, 480, 640});
//   strided::copy(image.permute({2, 0, 1}), writer.view<std::uint8_t>());
//   writer.commit();
class NpyWriter {
 public:
  // The array is written in C order, or in Fortran order, through a mapping or from memory.
  NpyWriter(const std::filesystem::path& path, const NpyDtype& dtype, const Dims& shape,
            bool fortran_order = false, NpyMemory memory = NpyMemory::mapped)
      : where_(path.string()), target_(path) {
    header_.dtype = dtype;
    header_.shape = shape;
    header_.fortran_order = fortran_order;
    header_.data_bytes = detail::npy_array_bytes(dtype, shape, where_, false);
    header_text_ = make_npy_header(dtype, shape, fortran_order);
    header_.data_begin = static_cast<std::int64_t>(header_text_.size());
    require_file_or_nothing();
    temporary_ = detail::NpyTemporary::beside(target_, where_);
    if (memory == NpyMemory::mapped) map();
    if (mapped_.span().empty()) {
      owned_ = detail::NpyOwnedBytes::allocate(data_size(), where_);
      if (data_size() > 0) std::memset(owned_.span().data(), 0, data_size());
    }
  }
  // Moves the file in the making; one that is assigned to drops its own.
  NpyWriter(NpyWriter&&) noexcept = default;
  NpyWriter& operator=(NpyWriter&&) noexcept = default;
  ~NpyWriter() = default;  // removes what was not committed

  // The file in the making: data() begins at byte header().data_begin of it. Empty after commit().
  [[nodiscard]] const std::filesystem::path& unfinished_path() const noexcept {
    return temporary_.path();
  }
  // As the constructor was told, and as the file will say.
  [[nodiscard]] const NpyHeader& header() const noexcept { return header_; }
  [[nodiscard]] const NpyDtype& dtype() const noexcept { return header_.dtype; }
  [[nodiscard]] const Dims& shape() const noexcept { return header_.shape; }
  // In elements, from the start of data().
  [[nodiscard]] Layout layout() const { return header_.layout(); }
  // The bytes of the array, in the order of layout().
  [[nodiscard]] std::span<std::byte> data() const noexcept STRIDED_LIFETIMEBOUND {
    return mapped_.span().empty() ? owned_.span() : mapped_.span().subspan(header_text_.size());
  }

  // Whether data() is the file itself; false where it is memory of the process, written by
  // commit(): asked for, or no mmap.
  [[nodiscard]] bool is_mapped() const noexcept { return !mapped_.span().empty(); }

  // The array as elements of type T, of which kind and size are checked against the dtype; view_as
  // checks the size alone. Errors: unsupported.
  template <class T>
    requires(kNpyKind<T> != '\0')
  [[nodiscard]] StridedView<T> view() const STRIDED_LIFETIMEBOUND {
    detail::npy_require_type<T>(header_.dtype, where_, "NpyWriter::view");
    return view_as<T>();
  }
  template <class T>
  [[nodiscard]] StridedView<T> view_as() const STRIDED_LIFETIMEBOUND {
    return detail::npy_view<T>(data().data(), header_, where_, "NpyWriter::view_as");
  }

  // Puts the file in place of `path`, with the permissions of the one before; nothing is left to
  // write to afterwards. With `flush_to_disk` it is on the disk when the call returns, at the cost
  // of waiting for it. Once only (file_access); a commit that failed may be tried again.
  void commit(bool flush_to_disk = false) {
    if (temporary_.path().empty()) {
      detail::npy_fail(ErrorCode::file_access, "NpyWriter::commit",
                       where_.empty()
                           ? "the writer is moved from"
                           : where_ + " was committed before; another NpyWriter writes it again");
    }
    if (!mapped_.span().empty()) {
      mapped_ = detail::NpyMappedBytes();
    } else if (!written_) {
      std::ofstream file(temporary_.path(), std::ios::binary | std::ios::trunc);
      errno = 0;
      file.write(header_text_.data(), static_cast<std::streamsize>(header_text_.size()));
      file.write(static_cast<const char*>(static_cast<const void*>(owned_.span().data())),
                 static_cast<std::streamsize>(owned_.span().size()));
      file.close();
      if (!file) fail(detail::npy_system_message(errno));
      owned_ = detail::NpyOwnedBytes();
    }
    written_ = true;
    std::error_code ignored;
    if (std::filesystem::exists(target_, ignored)) {
      std::filesystem::permissions(
          temporary_.path(), std::filesystem::status(target_, ignored).permissions(), ignored);
    }
    if (flush_to_disk && !detail::npy_flush_to_disk(temporary_.path())) {
      fail(detail::npy_system_message(errno));
    }
    // What may throw for want of memory comes before the file changes its name.
    std::filesystem::path directory = target_.parent_path();
    if (directory.empty()) directory = ".";
    if (const std::error_code failure = temporary_.rename_to(target_)) fail(failure.message());
    if (flush_to_disk && !detail::npy_flush_to_disk(directory)) {
      fail(detail::npy_system_message(errno));
    }
  }

 private:
  [[noreturn]] void fail(const std::string& why) const {
    detail::npy_fail(ErrorCode::file_access, where_, "cannot be written: " + why);
  }

  [[nodiscard]] std::size_t data_size() const {
    return static_cast<std::size_t>(header_.data_bytes);
  }

  // A rename would replace a device or a link itself: a link is followed, the rest refused.
  void require_file_or_nothing() {
    std::error_code failure;
    const bool exists = std::filesystem::exists(target_, failure);
    if (exists && !std::filesystem::is_regular_file(target_, failure)) {
      fail("it exists and is no regular file");
    }
    if (exists && std::filesystem::is_symlink(target_, failure)) {
      target_ = std::filesystem::canonical(target_, failure);
      if (failure) fail(failure.message());
    }
    constexpr std::size_t kMost = std::numeric_limits<std::size_t>::max() / 2;
    if (static_cast<std::uint64_t>(header_.data_bytes) > kMost - header_text_.size()) {
      detail::npy_fail(ErrorCode::overflow, where_,
                       std::string("an array of shape ") + to_string(header_.shape) +
                           " does not fit a file of at most " + std::to_string(kMost) + " bytes");
    }
  }

  void map() {
    std::string message;
    const std::size_t size = header_text_.size() + data_size();
    mapped_ = detail::NpyMappedBytes::writable(temporary_.path(), size, message);
    if (!message.empty()) fail(message);
    if (!mapped_.span().empty()) {
      std::memcpy(mapped_.span().data(), header_text_.data(), header_text_.size());
    }
  }

  std::string where_;
  std::filesystem::path target_;
  NpyHeader header_;
  std::string header_text_;
  detail::NpyTemporary temporary_;
  detail::NpyMappedBytes mapped_;
  detail::NpyOwnedBytes owned_;
  bool written_ = false;  // the temporary holds all, and only the new name is missing
};

// Writes an array whose element type is known only at run time; `bytes` are its elements in C
// order, or in Fortran order. Errors as NpyWriter, and size_mismatch if there are more or fewer
// bytes.
inline void write_npy(const std::filesystem::path& path, const NpyDtype& dtype, const Dims& shape,
                      std::span<const std::byte> bytes, bool fortran_order = false) {
  NpyWriter writer(path, dtype, shape, fortran_order);
  if (bytes.size() != writer.data().size()) {
    detail::npy_fail(ErrorCode::size_mismatch, path.string(),
                     std::to_string(bytes.size()) + " bytes were given for an array of shape " +
                         to_string(shape) + ", " + std::to_string(writer.data().size()) +
                         " are needed");
  }
  if (!bytes.empty()) std::memcpy(writer.data().data(), bytes.data(), bytes.size());
  writer.commit();
}

// Writes the elements of a view, in C order. They are moved one by one: for large arrays that are
// not contiguous, copy into the view of an NpyWriter instead. Errors as NpyWriter.
//
//   write_npy("column.npy", matrix.select(1, 0));
template <class View, class T = std::remove_const_t<typename View::element_type>>
  requires(kNpyKind<T> != '\0')
void write_npy(const std::filesystem::path& path, const View& view) {
  NpyWriter writer(path, npy_dtype_of<T>(), view.shape());
  const StridedView<T> target = writer.template view<T>();
  T* next = target.storage().data();
  for (const T& element : view) *next++ = element;
  writer.commit();
}

// For elements that NumPy has no type for.
template <class View, class T = std::remove_const_t<typename View::element_type>>
  requires(kNpyKind<T> == '\0')
void write_npy(const std::filesystem::path&, const View&) {
  static_assert(kNpyKind<T> != '\0',
                "write_npy: what NumPy calls these elements is not known; specialize "
                "strided::kNpyKind, or write them by an NpyWriter with the dtype of another file");
}

}  // namespace strided::inline STRIDED_ABI
