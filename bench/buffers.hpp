// Buffer: memory to measure with, in huge pages where the system gives them, every page touched.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace bench {

inline constexpr std::size_t kHugePageBytes = std::size_t{2} << 20;

// At least `bytes` bytes, a whole number of huge pages, aligned to one.
class Buffer {
  struct Release {
    void operator()(std::byte* data) const {
      ::operator delete (data, std::align_val_t{kHugePageBytes});
    }
  };

 public:
  Buffer() = default;
  explicit Buffer(std::size_t bytes)
      : size_((bytes / kHugePageBytes + 1) * kHugePageBytes),
        data_(static_cast<std::byte*>(::operator new (size_, std::align_val_t{kHugePageBytes}))) {
#if defined(__linux__)
    (void)madvise(data_.get(), size_, MADV_HUGEPAGE);
#endif
    std::memset(data_.get(), 1, size_);
  }

  [[nodiscard]] std::byte* data() {
    return data_.get();
  }
  [[nodiscard]] const std::byte* data() const {
    return data_.get();
  }
  [[nodiscard]] std::size_t size() const {
    return size_;
  }

  // Bytes that differ from place to place. All lie in 32..95, so that floating-point elements of
  // any width are normal numbers: a peer that computes with them is neither slow nor wrong.
  void fill_with_pattern() {
    std::uint64_t state = 1;
    for (std::size_t i = 0; i < size_; ++i) {
      state = state * 6364136223846793005U + 1442695040888963407U;
      data_.get()[i] = static_cast<std::byte>(32 + (state >> 58));
    }
  }

 private:
  std::size_t size_ = 0;
  std::unique_ptr<std::byte, Release> data_;
};

}  // namespace bench
