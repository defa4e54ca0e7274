// has_internal_overlap and overlaps against marking bytes one by one.
#include <gtest/gtest.h>

#include <algorithm>
#include <bitset>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "strided/strided.hpp"
#include "support/generate.hpp"
#include "support/random.hpp"

namespace strided_test {
namespace {

using strided::Dims;
using strided::Layout;

// Marks of the places that the small views of these tests can reach.
constexpr std::size_t kPlaces = 4096;

// Marks every place; true if one was marked before.
bool mark(const Layout& layout, std::int64_t base, std::int64_t element_bytes,
          std::bitset<kPlaces>& marks) {
  bool repeated = false;
  for (std::int64_t k = 0; k < layout.size(); ++k) {
    for (std::int64_t byte = 0; byte < element_bytes; ++byte) {
      const auto at =
          static_cast<std::size_t>(base + layout.offset_of_position(k) * element_bytes + byte);
      repeated = repeated || marks.test(at);
      marks.set(at);
    }
  }
  return repeated;
}

TEST(OverlapProperty, OneViewExhaustively) {
  Random random(1);
  std::int64_t views = 0;
  std::int64_t overlapping = 0;
  for (std::size_t rank = 0; rank <= 4; ++rank) {
    const std::int64_t least = rank == 4 ? 2 : 0;  // with a smaller size it is a view of rank 3
    const std::int64_t most = rank == 4 ? 3 : 4;
    Dims size = Dims::filled(rank, least);
    do {
      Dims stride = Dims::filled(rank, 0);
      do {
        Dims signed_stride = stride;
        for (std::int64_t& s : signed_stride) s = random.chance(50) ? s : -s;
        const Layout layout = placed(size, signed_stride, 0);
        std::bitset<kPlaces> marks;
        const bool expected = mark(layout, 0, 1, marks);
        ASSERT_EQ(strided::has_internal_overlap(layout), expected) << describe(layout);
        ++views;
        overlapping += expected ? 1 : 0;
      } while (next_list(stride, 0, 8));
    } while (next_list(size, least, most));
  }
  std::printf("%lld views, %lld of them overlap themselves\n", static_cast<long long>(views),
              static_cast<long long>(overlapping));
  EXPECT_EQ(views, 1 + 5 * 9 + 25 * 81 + 125 * 729 + 16 * 6561);
}

// Rank 4 and 5, strides that interleave: here the quick answers end.
TEST(OverlapProperty, OneViewOfHigherRank) {
  std::int64_t overlapping = 0;
  run_cases(60000, [&](Random& random) {
    Dims size;
    Dims stride;
    const std::int64_t rank = random.between(4, 5);
    for (std::int64_t i = 0; i < rank; ++i) {
      size.push_back(random.between(1, 4));
      stride.push_back(random.between(-60, 60));
    }
    const Layout layout = placed(size, stride, 0);
    std::bitset<kPlaces> marks;
    const bool expected = mark(layout, 0, 1, marks);
    EXPECT_EQ(strided::has_internal_overlap(layout), expected) << describe(layout);
    overlapping += expected ? 1 : 0;
  });
  std::printf("%lld of them overlap themselves\n", static_cast<long long>(overlapping));
}

// So many strides of like size that the bounded search gives up: bit maps decide.
Layout tangled_layout(Random& random, std::int64_t rank, std::int64_t min_size,
                      std::int64_t max_stride) {
  Dims size;
  Dims stride;
  const std::int64_t factor = random.between(1, 3);  // of all strides
  for (std::int64_t i = 0; i < rank; ++i) {
    size.push_back(random.between(min_size, min_size + 2));
    stride.push_back(factor * random.between(max_stride / 2, max_stride) *
                     (random.chance(50) ? 1 : -1));
  }
  return placed(size, stride, 0);
}

TEST(OverlapProperty, OneTangledView) {
  std::int64_t overlapping = 0;
  run_cases(300, [&](Random& random) {
    const Layout layout = tangled_layout(random, random.between(6, 7), 3, 200000);
    const bool expected = !is_unique(layout);
    EXPECT_EQ(strided::has_internal_overlap(layout), expected) << describe(layout);
    overlapping += expected ? 1 : 0;
  });
  std::printf("%lld of them overlap themselves\n", static_cast<long long>(overlapping));
}

// Where each element starts, in bytes, in ascending order.
std::vector<std::int64_t> starts_of(const Layout& layout, std::int64_t base, std::int64_t width) {
  std::vector<std::int64_t> starts;
  for (std::int64_t k = 0; k < layout.size(); ++k) {
    starts.push_back(base + layout.offset_of_position(k) * width);
  }
  std::sort(starts.begin(), starts.end());
  return starts;
}

TEST(OverlapProperty, TwoTangledViews) {
  std::int64_t meeting = 0;
  run_cases(300, [&](Random& random) {
    const std::int64_t width = random.between(1, 8);
    const Layout a = tangled_layout(random, 4, 4, 200000);
    const Layout b = tangled_layout(random, 4, 4, 200000);
    const std::int64_t distance = random.between(-200000 * width, 200000 * width);
    const std::vector<std::int64_t> in_a = starts_of(a, 0, width);
    const std::vector<std::int64_t> in_b = starts_of(b, distance, width);
    bool expected = false;
    for (std::size_t i = 0, j = 0; i < in_a.size() && j < in_b.size();) {
      expected = expected || (in_a[i] < in_b[j] + width && in_b[j] < in_a[i] + width);
      ++(in_a[i] < in_b[j] ? i : j);
    }
    EXPECT_EQ(strided::overlaps(a, b, width, distance), expected)
        << describe(a) << " and " << describe(b) << ", " << distance << " bytes further, of "
        << width << " bytes";
    meeting += expected ? 1 : 0;
  });
  std::printf("%lld pairs share a byte\n", static_cast<long long>(meeting));
}

Layout small_layout(Random& random, std::int64_t max_stride) {
  Dims size;
  Dims stride;
  const std::int64_t rank = random.between(0, 3);
  for (std::int64_t i = 0; i < rank; ++i) {
    size.push_back(random.chance(3) ? 0 : random.between(1, 5));
    stride.push_back(random.between(-max_stride, max_stride));
  }
  return placed(size, stride, random.between(0, 12));
}

TEST(OverlapProperty, TwoViewsByTheByte) {
  std::int64_t meeting = 0;
  run_cases(1000000, [&](Random& random) {
    static constexpr std::int64_t kWidths[] = {1, 2, 3, 4, 8, 12, 16};
    const std::int64_t width = random.pick(kWidths);
    const Layout a = small_layout(random, 9);
    const Layout b = small_layout(random, 9);
    const std::int64_t distance = random.chance(50) ? random.between(-20, 20) * width
                                                    : random.between(-20 * width, 20 * width);
    std::bitset<kPlaces> marks_a;
    std::bitset<kPlaces> marks_b;
    mark(a, 400, width, marks_a);
    mark(b, 400 + distance, width, marks_b);
    const bool expected = (marks_a & marks_b).any();
    EXPECT_EQ(strided::overlaps(a, b, width, distance), expected)
        << describe(a) << " and " << describe(b) << ", " << distance << " bytes further, of "
        << width << " bytes";
    EXPECT_EQ(strided::overlaps(b, a, width, -distance), expected)
        << describe(b) << " and " << describe(a) << ", " << -distance << " bytes further, of "
        << width << " bytes";
    meeting += expected ? 1 : 0;
  });
  std::printf("%lld pairs share a byte\n", static_cast<long long>(meeting));
}

// Ordinary views of one array, as users have them; through the typed form.
TEST(OverlapProperty, TwoViewsOfOneArray) {
  std::vector<std::uint32_t> storage(1 << 16);
  run_cases(4000, [&](Random& random) {
    const auto part = [&] {
      Layout layout({16, 16, 16});
      for (std::int64_t axis = 0; axis < 3; ++axis) {
        const std::int64_t begin = random.between(0, 15);
        const std::int64_t end = random.between(begin, 16);
        layout = strided::try_slice(layout, axis, begin, end, random.between(1, 4)).value();
        if (random.chance(30)) layout = strided::try_flip(layout, axis).value();
      }
      return layout;
    };
    const Layout a = part();
    const Layout b = part();
    std::bitset<kPlaces> marks_a;
    std::bitset<kPlaces> marks_b;
    mark(a, 0, 1, marks_a);
    mark(b, 0, 1, marks_b);
    const strided::StridedView<std::uint32_t> view_a(storage, a);
    const strided::StridedView<const std::uint32_t> view_b(storage, b);
    EXPECT_EQ(strided::overlaps(view_a, view_b), (marks_a & marks_b).any())
        << describe(a) << " and " << describe(b);
  });
}

}  // namespace
}  // namespace strided_test
