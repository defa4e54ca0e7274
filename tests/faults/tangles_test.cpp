// Questions of overlap that only bit maps answer, where there is no memory for the maps: the answer
// is then yes, which costs a temporary or refuses a destination, and is never wrong.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "faults/allocator.hpp"
#include "faults/out_of_memory.hpp"
#include "strided/strided.hpp"
#include "support/random.hpp"

namespace strided_test {
namespace {

using strided::Dims;
using strided::Layout;

// Layouts of which only a map tells are found by the allocations that the question takes.
template <class Question>
std::int64_t allocations_for(Question question) {
  const FailingAllocations counting(strided::kInt64Max, false);
  question();
  return counting.made();
}

Layout tangled(Random& random, std::int64_t rank, std::int64_t min_size) {
  Dims size;
  Dims stride;
  for (std::int64_t i = 0; i < rank; ++i) {
    size.push_back(random.between(min_size, min_size + 2));
    stride.push_back(random.between(100000, 200000));
  }
  return Layout(size, stride);
}

// A destination of which only a map tells that it does not overlap itself.
Layout find_unique_tangle() {
  for (std::uint64_t seed = 1;; ++seed) {
    Random random(seed);
    const Layout layout = tangled(random, 6, 3);
    bool repeats = true;
    const std::int64_t made =
        allocations_for([&] { repeats = strided::has_internal_overlap(layout); });
    if (made > 0 && !repeats) return layout;
  }
}

struct TanglePair {
  Layout src;
  Layout dst;
};

// Two views of one memory of which only maps tell that they do not meet. Both are lawful to write
// to.
TanglePair find_separate_tangles() {
  for (std::uint64_t seed = 1;; ++seed) {
    Random random(seed);
    const Layout a = tangled(random, 4, 4);
    Dims other = a.strides();
    for (std::int64_t& stride : other) stride += random.between(-40000, 40000);
    const Layout b(a.shape(), other, random.between(1, 200000));
    if (strided::has_internal_overlap(b)) continue;
    bool meet = true;
    const std::int64_t made = allocations_for([&] { meet = strided::overlaps(a, b, 1, 0); });
    if (made == 2 && !meet) return {a, b};
  }
}

struct TangledMemory {
  std::vector<std::uint8_t> bytes;

  TangledMemory() : bytes(std::size_t{8} << 20) {
    std::uint32_t state = 1;
    for (std::uint8_t& byte : bytes) {
      state = state * 1664525 + 1013904223;
      byte = static_cast<std::uint8_t>(state >> 24);
    }
  }
  [[nodiscard]] std::vector<std::uint8_t> state() const { return bytes; }
  strided::StridedView<std::uint8_t> view(const Layout& layout) { return {bytes, layout}; }
};

TEST(OutOfMemory, MapsThatCannotBeMadeCountAsOverlap) {
  const Layout unique = find_unique_tangle();
  const TanglePair pair = find_separate_tangles();
  {
    const FailingAllocations failing(1, true);
    EXPECT_TRUE(strided::has_internal_overlap(unique));
    EXPECT_TRUE(strided::overlaps(pair.src, pair.dst, 1, 0));
  }
  EXPECT_FALSE(strided::has_internal_overlap(unique));
  EXPECT_FALSE(strided::overlaps(pair.src, pair.dst, 1, 0));

  OutOfMemory tried;
  tried.check<TangledMemory>("copy to a tangle", [&](TangledMemory& m) {
    return strided::try_copy(m.view(Layout(unique.shape(), unique.strides(), 1000)),
                             m.view(unique));
  });
  tried.check<TangledMemory>(
      "fill of a tangle", [&](TangledMemory& m) { return strided::try_fill(m.view(unique), 7); });
  tried.check<TangledMemory>("copy between tangles", [&](TangledMemory& m) {
    strided::copy(m.view(pair.src), m.view(pair.dst));
  });
  // Only who forbids a temporary has maps made for the two sides.
  tried.check<TangledMemory>("copy between tangles, without a temporary", [&](TangledMemory& m) {
    return strided::try_copy(m.view(pair.src), m.view(pair.dst), {.allow_temporary = false});
  });
  EXPECT_GE(tried.failures, 8);
  tried.print();
}

}  // namespace
}  // namespace strided_test
