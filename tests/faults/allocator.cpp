#include "faults/allocator.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <new>

namespace strided_test {
namespace {

#if defined(_WIN32)  // has no aligned_alloc, since its free could not take what that gives
void* allocate(std::size_t bytes, std::size_t alignment) noexcept {
  return _aligned_malloc(bytes, alignment);
}
void deallocate(void* block) noexcept {
  _aligned_free(block);
}
#else
void* allocate(std::size_t bytes, std::size_t alignment) noexcept {
  return std::aligned_alloc(alignment, bytes);
}
void deallocate(void* block) noexcept {
  std::free(block);
}
#endif

constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

std::int64_t live_blocks = 0;
std::int64_t asked_for = 0;
std::int64_t refused = 0;
std::int64_t first_to_fail = kNever;
std::int64_t last_to_fail = kNever;

void* obtain(std::size_t bytes, std::size_t alignment) noexcept {
  ++asked_for;
  if (asked_for >= first_to_fail && asked_for <= last_to_fail) {
    ++refused;
    return nullptr;
  }
  const std::size_t whole = (bytes + alignment - 1) / alignment * alignment;
  void* block = allocate(whole == 0 ? alignment : whole, alignment);
  if (block != nullptr) ++live_blocks;
  return block;
}

void give_back(void* block) noexcept {
  if (block != nullptr) --live_blocks;
  deallocate(block);
}

constexpr std::size_t kOrdinary = alignof(std::max_align_t);

}  // namespace

std::int64_t live_allocations() {
  return live_blocks;
}

FailingAllocations::FailingAllocations(std::int64_t first, bool all_after) {
  asked_for = 0;
  refused = 0;
  first_to_fail = first;
  last_to_fail = all_after ? kNever : first;
}
FailingAllocations::~FailingAllocations() {
  first_to_fail = kNever;
}
std::int64_t FailingAllocations::made() const {
  return asked_for;
}
std::int64_t FailingAllocations::failed() const {
  return refused;
}

}  // namespace strided_test

// Not inlined: GCC would see free() of memory from new, and call it a mismatch.
#define STRIDED_TEST_NEW(...) [[gnu::noinline]] void* operator __VA_ARGS__
#define STRIDED_TEST_DELETE(...)                \
  [[gnu::noinline]] void operator __VA_ARGS__ { \
    strided_test::give_back(block);             \
  }

STRIDED_TEST_NEW(new (std::size_t bytes)) {
  void* block = strided_test::obtain(bytes, strided_test::kOrdinary);
  if (block == nullptr) throw std::bad_alloc();
  return block;
}
STRIDED_TEST_NEW(new (std::size_t bytes, std::align_val_t alignment)) {
  void* block = strided_test::obtain(bytes, static_cast<std::size_t>(alignment));
  if (block == nullptr) throw std::bad_alloc();
  return block;
}
STRIDED_TEST_NEW(new (std::size_t bytes, const std::nothrow_t&) noexcept) {
  return strided_test::obtain(bytes, strided_test::kOrdinary);
}
STRIDED_TEST_NEW(new (std::size_t bytes, std::align_val_t alignment,
                      const std::nothrow_t&) noexcept) {
  return strided_test::obtain(bytes, static_cast<std::size_t>(alignment));
}
STRIDED_TEST_NEW(new[](std::size_t bytes)) {
  return operator new(bytes);
}
STRIDED_TEST_NEW(new[](std::size_t bytes, std::align_val_t alignment)) {
  return operator new(bytes, alignment);
}
STRIDED_TEST_NEW(new[](std::size_t bytes, const std::nothrow_t&) noexcept) {
  return strided_test::obtain(bytes, strided_test::kOrdinary);
}
STRIDED_TEST_NEW(new[](std::size_t bytes, std::align_val_t alignment,
                       const std::nothrow_t&) noexcept) {
  return strided_test::obtain(bytes, static_cast<std::size_t>(alignment));
}

STRIDED_TEST_DELETE(delete (void* block) noexcept)
STRIDED_TEST_DELETE(delete[](void* block) noexcept)
STRIDED_TEST_DELETE(delete (void* block, std::size_t) noexcept)
STRIDED_TEST_DELETE(delete[](void* block, std::size_t) noexcept)
STRIDED_TEST_DELETE(delete (void* block, std::align_val_t) noexcept)
STRIDED_TEST_DELETE(delete[](void* block, std::align_val_t) noexcept)
STRIDED_TEST_DELETE(delete (void* block, std::size_t, std::align_val_t) noexcept)
STRIDED_TEST_DELETE(delete[](void* block, std::size_t, std::align_val_t) noexcept)
STRIDED_TEST_DELETE(delete (void* block, const std::nothrow_t&) noexcept)
STRIDED_TEST_DELETE(delete[](void* block, const std::nothrow_t&) noexcept)
STRIDED_TEST_DELETE(delete (void* block, std::align_val_t, const std::nothrow_t&) noexcept)
STRIDED_TEST_DELETE(delete[](void* block, std::align_val_t, const std::nothrow_t&) noexcept)
