// What the library allocates: nothing to plan and to copy, one temporary where copies overlap. The
// global operator new is replaced: it counts, and it fails on request.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <numeric>
#include <vector>

#include "strided/strided.hpp"
#include "support/facts.hpp"
#include "support/random.hpp"

namespace {

int allocations = 0;
std::size_t largest = 0;  // in bytes
bool memory_is_out = false;

void* allocate(std::size_t bytes) noexcept {
  ++allocations;
  largest = std::max(largest, bytes);
  return memory_is_out ? nullptr : std::malloc(bytes == 0 ? 1 : bytes);
}

}  // namespace

// Not inlined: GCC would see free() of memory from new, and call it a mismatch.
[[gnu::noinline]] void* operator new(std::size_t bytes) {
  void* memory = allocate(bytes);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
[[gnu::noinline]] void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  return allocate(bytes);
}
[[gnu::noinline]] void* operator new[](std::size_t bytes) {
  return operator new(bytes);
}
[[gnu::noinline]] void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept {
  return allocate(bytes);
}
[[gnu::noinline]] void operator delete(void* memory) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete[](void* memory) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete[](void* memory, std::size_t) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, const std::nothrow_t&) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete[](void* memory, const std::nothrow_t&) noexcept {
  std::free(memory);
}

namespace {

using namespace strided;

template <class Call>
int allocations_of(Call call) {
  const int before = allocations;
  call();
  return allocations - before;
}

TEST(Allocation, TheCounterCounts) {
  EXPECT_EQ(allocations_of([] { ::operator delete(::operator new(8)); }), 1);
}

TEST(Allocation, PlanningNeedsNone) {
  EXPECT_EQ(allocations_of([] {
              const Layout image({2, 3, 8, 8}, {192, 1, 24, 3});
              const Result<CopyPlan> plan = make_copy_plan(image, Layout(image.shape()), 2);
              EXPECT_TRUE(plan);
            }),
            0);
}

TEST(Allocation, RefusalsNeedNone) {
  EXPECT_EQ(allocations_of([] {
              EXPECT_FALSE(make_copy_plan(Layout({2}), Layout({3}), 4));
              EXPECT_FALSE(Layout::try_make({2, -3}, {1, 1}));
              EXPECT_FALSE(try_reshape(Layout({4}, {2}), {5}));
            }),
            0);
}

TEST(Allocation, ViewsAndTheirAlgebraNeedNone) {
  std::vector<int> storage(100);
  EXPECT_EQ(allocations_of([&] {
              const StridedView<int> view(storage, {6, 5}, {10, 1}, 22);
              view.permute({1, 0}).flip(0).slice(1, 1, 5, 2).unsqueeze(0).at(0, 1, 1) = 7;
            }),
            0);
}

TEST(Allocation, CopiesNeedNone) {
  std::vector<int> src(100);
  std::vector<int> dst(100);
  const StridedView<int> from(src, {10, 10});
  const StridedView<int> to(dst, {10, 10});
  EXPECT_EQ(
      allocations_of([&] {
        copy(from.transpose(0, 1), to);
        fill(to, 3);
        strided_slice_assign(to, {{0, 0}, {2, 2}, {1, 1}}, from.slice(0, 0, 2).slice(1, 0, 2));
      }),
      0);
}

// Axes of a few elements each, whose strides are of one size and have nothing in common.
Layout tangle(strided_test::Random& random, std::int64_t stride) {
  Dims shape;
  Dims strides;
  for (int axis = 0; axis < 6; ++axis) {
    shape.push_back(random.between(8, 11));
    strides.push_back(random.between(stride, 2 * stride));
  }
  return {shape, strides};
}

// A destination of which neither the order of its strides nor a short search tells whether it
// repeats an element takes a map, of at most 64 MiB; past that the answer is yes, without proof.
TEST(Allocation, TanglesNeedAMap) {
  constexpr std::int64_t kMost = std::int64_t{1} << 29;  // places, of a bit each
  strided_test::Random random(1);
  std::size_t largest_map = 0;
  int maps = 0;
  int unproven = 0;
  for (int i = 0; i < 2000 && (maps < 3 || unproven < 3); ++i) {
    const Layout layout = tangle(random, 6500000);
    const std::int64_t places = layout.bounds().highest;
    const bool is_mapped = places <= kMost && places > kMost - kMost / 16;
    if (!is_mapped && places <= kMost) continue;
    largest = 0;
    bool repeats = false;
    const int made = allocations_of([&] { repeats = has_internal_overlap(layout); });
    if (is_mapped && made > 0) {
      EXPECT_EQ(made, 1);
      EXPECT_LE(largest, static_cast<std::size_t>(places) / 8 + 16);
      largest_map = std::max(largest_map, largest);
      ++maps;
    } else if (!is_mapped && repeats) {
      EXPECT_EQ(made, 0);
      ++unproven;
    }
  }
  EXPECT_TRUE(maps >= 3 && unproven >= 3) << maps << ", " << unproven;
  EXPECT_GT(largest_map, std::size_t{60} << 20);
  EXPECT_LE(largest_map, (std::size_t{64} << 20) + 8);
}

// Source and destination interleave, so that neither a short search nor their order tells whether
// they meet. A temporary is smaller than the maps that would; maps are for who forbids one.
TEST(Allocation, InterleavedSidesTakeNoMoreThanATemporary) {
  constexpr std::int64_t kBytes = 4096;  // by 12 axes of 2
  constexpr std::int64_t kStep = 1 << 22;
  std::vector<char> storage(5 << 24);
  const Dims shape = Dims::filled(12, 2);
  strided_test::Random random(2);
  int temporaries = 0;
  int maps = 0;
  int promises = 0;
  for (int i = 0; i < 20; ++i) {
    Dims tangled = shape;
    Dims nested = shape;
    std::int64_t step = 2055;
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
      tangled[axis] = random.between(kStep, kStep + kStep / 2);
      nested[axis] = step;
      step = 2 * step + random.between(0, 12);
    }
    const StridedView<char> from(storage, shape, tangled);
    const StridedView<char> to(storage, shape, nested, random.between(1 << 24, 1 << 25));
    largest = 0;
    const int made = allocations_of([&] { copy(from, to); });
    ASSERT_TRUE(made == 0 || (made == 1 && largest == kBytes)) << made << " of " << largest;
    temporaries += made;
    largest = 0;
    Failure forbidden;
    const int sure =
        allocations_of([&] { forbidden = try_copy(from, to, {.allow_temporary = false}); });
    ASSERT_TRUE(sure == 0 || sure == 2) << sure;
    ASSERT_LE(largest, (storage.size() + 64) / 8);
    maps += sure;
    if (sure == 0 || forbidden) continue;
    // Apart, and without memory for a map nobody knows: then the caller's word counts.
    for (char& element : from) element = static_cast<char>(i + 1);
    memory_is_out = true;
    const Failure promised = try_copy(from, to, {.assume_disjoint = true});
    const Failure unknown = try_copy(from, to, {.allow_temporary = false});
    memory_is_out = false;
    ASSERT_FALSE(promised) << promised.message();
    ASSERT_TRUE(bitwise_equal(from, to));
    ASSERT_EQ(unknown.code, ErrorCode::temporary_forbidden);
    ++promises;
  }
  std::printf("20 pairs: %d temporaries, %d maps, %d promises\n", temporaries, maps, promises);
  EXPECT_TRUE(temporaries >= 3 && maps >= 3 && promises >= 1);
}

// The maps of a large copy are of 64 MiB at most, whatever its temporary takes.
TEST(Allocation, ALargeCopyTakesItsTemporary) {
  constexpr std::int64_t kRows = 1 << 10;
  std::vector<char> storage(kRows * kRows * 64);
  const StridedView<char> view(storage, {kRows, kRows, 64});
  for (std::int64_t i = 0; i < kRows; ++i) view(i, i * 37 % kRows, 5) = 7;
  largest = 0;
  EXPECT_EQ(allocations_of([&] { copy(view.transpose(0, 1), view); }), 1);
  EXPECT_EQ(largest, storage.size());
  for (std::int64_t i = 0; i < kRows; ++i) ASSERT_EQ(view(i * 37 % kRows, i, 5), 7);
}

TEST(Allocation, AShiftNeedsNone) {
  std::vector<int> storage(100);
  const StridedView<int> view(storage, {10, 10});
  EXPECT_EQ(allocations_of([&] { copy(view.narrow(0, 0, 9), view.narrow(0, 1, 9)); }), 0);
}

// Where there is no memory for the temporary, nothing is written.
TEST(Allocation, WithoutMemoryTheDestinationIsUntouched) {
  std::vector<int> storage(100);
  std::iota(storage.begin(), storage.end(), 0);
  const std::vector<int> before = storage;
  const StridedView<int> view(storage, {10, 10});
  memory_is_out = true;
  const Failure failure = try_copy(view.transpose(0, 1), view);
  memory_is_out = false;
  EXPECT_EQ(failure.message(),
            "copy: a temporary of 400 bytes could not be allocated; a destination that does not "
            "overlap the source needs none");
  EXPECT_EQ(storage, before);
  EXPECT_EQ(allocations_of([&] { copy(view.transpose(0, 1), view); }), 1);
  EXPECT_EQ(storage[1], 10);
}

}  // namespace
