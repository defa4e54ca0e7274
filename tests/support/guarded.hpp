// Memory between two pages that nobody may touch: the one way to see a wide access that goes too
// far, since sanitizers do not look into vector code.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>

namespace strided_test {

class Guarded {
 public:
  explicit Guarded(std::size_t bytes) : page_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))) {
    size_ = (bytes + page_ - 1) / page_ * page_;
    void* all = mmap(nullptr, size_ + 2 * page_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED) return;
    base_ = static_cast<std::byte*>(all) + page_;
    allow(PROT_READ | PROT_WRITE);
  }
  Guarded(const Guarded&) = delete;
  Guarded& operator=(const Guarded&) = delete;
  ~Guarded() {
    if (base_ != nullptr) munmap(base_ - page_, size_ + 2 * page_);
  }

  void allow(int protection) {
    if (mprotect(base_, size_, protection) != 0) std::abort();  // nothing could be tested
  }
  [[nodiscard]] std::byte* begin() const { return base_; }
  [[nodiscard]] std::byte* end() const { return base_ + size_; }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  std::size_t page_;
  std::size_t size_ = 0;
  std::byte* base_ = nullptr;
};

}  // namespace strided_test
