// Memory between two pages that nobody may touch: the one way to see a wide access that goes too
// far, since sanitizers do not look into vector code.
#pragma once

#if defined(_WIN32)
#if !defined(NOMINMAX)
#define NOMINMAX
#endif
#include <windows.h>
#undef near  // words of ours
#undef far
#else
#include <sys/mman.h>
#include <unistd.h>
#endif

#include <cstddef>
#include <cstdlib>

namespace strided_test {

enum class Access { none, read, read_write };

class Guarded {
 public:
  explicit Guarded(std::size_t bytes) : page_(page_size()) {
    size_ = (bytes + page_ - 1) / page_ * page_;
    void* const all = reserve(size_ + 2 * page_);
    if (all == nullptr) return;
    base_ = static_cast<std::byte*>(all) + page_;
    allow(Access::read_write);
  }
  Guarded(const Guarded&) = delete;
  Guarded& operator=(const Guarded&) = delete;
  ~Guarded() {
    if (base_ != nullptr) release(base_ - page_, size_ + 2 * page_);
  }

  void allow(Access access) { allow(0, size_, access); }
  // Of whole pages.
  void allow(std::size_t at, std::size_t bytes, Access access) {
    if (!protect(base_ + at, bytes, access)) std::abort();  // nothing could be tested
  }
  [[nodiscard]] std::byte* begin() const { return base_; }
  [[nodiscard]] std::byte* end() const { return base_ + size_; }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
#if defined(_WIN32)
  static std::size_t page_size() {
    SYSTEM_INFO info;
    GetSystemInfo(&info);
    return info.dwPageSize;
  }
  static void* reserve(std::size_t bytes) {
    return VirtualAlloc(nullptr, bytes, MEM_RESERVE | MEM_COMMIT, PAGE_NOACCESS);
  }
  static void release(void* all, std::size_t) {
    VirtualFree(all, 0, MEM_RELEASE);
  }
  static bool protect(void* at, std::size_t bytes, Access access) {
    constexpr DWORD kFlags[] = {PAGE_NOACCESS, PAGE_READONLY, PAGE_READWRITE};
    DWORD before = 0;
    return VirtualProtect(at, bytes, kFlags[static_cast<int>(access)], &before) != 0;
  }
#else
  static std::size_t page_size() {
    return static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  }
  static void* reserve(std::size_t bytes) {
    void* const all = mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return all == MAP_FAILED ? nullptr : all;
  }
  static void release(void* all, std::size_t bytes) {
    munmap(all, bytes);
  }
  static bool protect(void* at, std::size_t bytes, Access access) {
    constexpr int kFlags[] = {PROT_NONE, PROT_READ, PROT_READ | PROT_WRITE};
    return mprotect(at, bytes, kFlags[static_cast<int>(access)]) == 0;
  }
#endif

  std::size_t page_;
  std::size_t size_ = 0;
  std::byte* base_ = nullptr;
};

}  // namespace strided_test
