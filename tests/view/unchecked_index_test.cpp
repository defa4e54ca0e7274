#define STRIDED_DEBUG_CHECKS 0  // as in a build with NDEBUG
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <vector>

#include "strided/view/strided_view.hpp"
#include "support/facts.hpp"

namespace {

using strided::Dims;
using strided::StridedView;

static_assert(STRIDED_DEBUG_CHECKS == 0);

TEST(UncheckedIndex, IsTheFormulaAndNothingElse) {
  std::vector<int> storage(100);
  const StridedView<int> view(storage, {6, 5}, {10, 1}, 22);
  EXPECT_EQ(&view(5, 4), &storage[76]);
  // Outside the view and inside the storage: no check, the place the formula gives.
  EXPECT_EQ(&view(0, 5), &storage[27]);
  EXPECT_EQ(&view(-1, -2), &storage[10]);
}

TEST(UncheckedIndex, ReachesEveryAxis) {
  std::vector<int> storage(256);
  const StridedView<int> view(storage, Dims::filled(8, 2));
  EXPECT_EQ(&view(1, 0, 1, 1, 0, 1, 0, 1), &storage[0b10110101]);
  EXPECT_EQ(&StridedView<int>(storage, {}, {}, 9)(), &storage[9]);
  EXPECT_EQ(&StridedView<int>(storage, {1}, {std::numeric_limits<std::int64_t>::min()}, 9)(0),
            &storage[9]);
}

TEST(UncheckedIndex, AtIsCheckedAllTheSame) {
  std::vector<int> storage(100);
  const StridedView<int> view(storage, {6, 5}, {10, 1}, 22);
  EXPECT_EQ(&view.at(-1, -1), &storage[76]);
  EXPECT_THROWN(view.at(0, 5), index_out_of_range,
                "at: index[1] is 5, it must be at least -5 and less than 5");
}

}  // namespace
