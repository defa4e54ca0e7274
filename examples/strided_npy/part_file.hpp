// Runs of a file, read and written by calls. A mapping costs a fault for every page of a part,
// which for runs of a few pages is most of the time; a call for a run costs less than one fault.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "array.hpp"
#include "parts.hpp"

#if __has_include(<fcntl.h>) && __has_include(<unistd.h>) && !defined(_WIN32)
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#endif

namespace strided_npy {

// The bytes of a part: all that its runs hold, one behind the other.
[[nodiscard]] inline std::size_t packed_bytes(const Runs& runs) {
  return static_cast<std::size_t>(runs.count()) * static_cast<std::size_t>(runs.run_bytes);
}

#if defined(POSIX_FADV_WILLNEED)  // macOS has calls, but no such advice

class PartFile {
 public:
  // Closed where there is no file, or where the system refuses.
  PartFile(const MappedFile& file, bool to_write) : file_(file) {
    if (file) number_ = ::open(file.path.c_str(), (to_write ? O_RDWR : O_RDONLY) | O_CLOEXEC);
  }
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;
  ~PartFile() {
    if (number_ >= 0) ::close(number_);
  }

  [[nodiscard]] bool is_open() const { return number_ >= 0; }

  // The system is told of all runs before it has to give one, and so reads many at a time; none is
  // needed a second time.
  void read(const Runs& runs, std::vector<std::byte>& buffer) const {
    buffer.resize(packed_bytes(runs));
    runs.for_each([&](std::int64_t begin) {
      ::posix_fadvise(number_, file_.begin + begin, runs.run_bytes, POSIX_FADV_WILLNEED);
    });
    std::byte* to = buffer.data();
    runs.for_each([&](std::int64_t begin) {
      move(begin, runs.run_bytes, "read", [&](std::size_t size, off_t at) {
        const ssize_t done = ::pread(number_, to, size, at);
        to += std::max<ssize_t>(done, 0);
        return done;
      });
    });
    ::posix_fadvise(number_, file_.begin + runs.first, runs.span_bytes(), POSIX_FADV_DONTNEED);
  }

  void write(const Runs& runs, const std::vector<std::byte>& buffer) const {
    const std::byte* from = buffer.data();
    runs.for_each([&](std::int64_t begin) {
      move(begin, runs.run_bytes, "written", [&](std::size_t size, off_t at) {
        const ssize_t done = ::pwrite(number_, from, size, at);
        from += std::max<ssize_t>(done, 0);
        return done;
      });
    });
  }

 private:
  // A call may move less than it was asked to.
  template <class Call>
  void move(std::int64_t begin, std::int64_t bytes, const char* what, const Call& call) const {
    for (std::int64_t done = 0; done < bytes;) {
      const ssize_t moved = call(static_cast<std::size_t>(bytes - done),
                                 static_cast<off_t>(file_.begin + begin + done));
      if (moved < 0 && errno == EINTR) continue;
      if (moved <= 0) {
        throw UsageError(file_.path.string() + ": cannot be " + what + ": " +
                         (moved == 0 ? "it has become shorter" : std::strerror(errno)));
      }
      done += moved;
    }
  }

  MappedFile file_;
  int number_ = -1;
};

#else

// Always closed.
class PartFile {
 public:
  PartFile(const MappedFile&, bool) {}
  [[nodiscard]] static bool is_open() { return false; }
  static void read(const Runs&, std::vector<std::byte>&) {}
  static void write(const Runs&, const std::vector<std::byte>&) {}
};

#endif

}  // namespace strided_npy
