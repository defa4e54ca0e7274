// Storages of many GB that take little memory: pages that nobody writes to, and maps of one memory
// many times over.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>

namespace strided_test {

// Zeros, of which pages become memory when they are written to.
class Sparse {
 public:
  explicit Sparse(std::size_t bytes) : bytes_(bytes) {
    void* const all = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (all == MAP_FAILED) std::abort();  // nothing could be tested
    begin_ = static_cast<std::byte*>(all);
  }
  Sparse(const Sparse&) = delete;
  Sparse& operator=(const Sparse&) = delete;
  ~Sparse() { munmap(begin_, bytes_); }

  [[nodiscard]] std::byte* begin() const { return begin_; }
  [[nodiscard]] std::size_t size() const { return bytes_; }

 private:
  std::size_t bytes_;
  std::byte* begin_ = nullptr;
};

// kPeriod bytes, again and again, and behind them a tail that is there once.
class Repeated {
 public:
  static constexpr std::size_t kPeriod = std::size_t{8} << 20;
  static constexpr std::size_t kTail = std::size_t{1} << 20;

  // `bytes` is a multiple of kPeriod.
  explicit Repeated(std::size_t bytes) : map_(bytes + kTail), tail_(map_.begin() + bytes) {
    const int file = memfd_create("repeated", 0);
    if (file < 0 || ftruncate(file, static_cast<off_t>(kPeriod)) != 0) std::abort();
    for (std::size_t at = 0; at < bytes; at += kPeriod) {
      if (mmap(map_.begin() + at, kPeriod, PROT_READ | PROT_WRITE,
               MAP_SHARED | MAP_FIXED | MAP_POPULATE, file, 0) == MAP_FAILED) {
        std::abort();
      }
    }
    close(file);
  }

  [[nodiscard]] std::byte* begin() const { return map_.begin(); }
  [[nodiscard]] std::byte* tail() const { return tail_; }

 private:
  Sparse map_;
  std::byte* tail_;
};

}  // namespace strided_test
