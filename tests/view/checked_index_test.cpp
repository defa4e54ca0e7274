#define STRIDED_DEBUG_CHECKS 1  // as in a build without NDEBUG
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <vector>

#include "strided/view/strided_view.hpp"
#include "support/facts.hpp"

namespace {

using strided::Dims;
using strided::StridedView;

static_assert(STRIDED_DEBUG_CHECKS == 1);

TEST(CheckedIndex, IsWithinEveryDimension) {
  std::vector<int> storage(100, 7);
  const StridedView<int> view(storage, {6, 5}, {10, 1}, 22);
  EXPECT_EQ(view(5, 4), 7);
  // Inside the storage, but not inside the view.
  EXPECT_THROWN(view(0, 5), index_out_of_range,
                "operator(): index[1] is 5, it must be at least 0 and less than 5");
  EXPECT_THROWN(view(-1, 0), index_out_of_range,
                "operator(): index[0] is -1, it must be at least 0 and less than 6");
  EXPECT_THROWN(
      view(std::numeric_limits<std::uint64_t>::max(), 0), index_out_of_range,
      "operator(): index[0] is 9223372036854775807, it must be at least 0 and less than 6");
}

TEST(CheckedIndex, HasOneEntryAnAxis) {
  std::vector<int> storage(100);
  const StridedView<int> view(storage, {6, 5}, {10, 1}, 22);
  EXPECT_THROWN(view(0), length_mismatch,
                "operator(): the index has 1 entry, 2 are needed, one for each dimension");
  EXPECT_THROWN(view(), length_mismatch,
                "operator(): the index has 0 entries, 2 are needed, one for each dimension");
  EXPECT_THROWN(view(0, 0, 0), length_mismatch,
                "operator(): the index has 3 entries, 2 are needed, one for each dimension");
}

}  // namespace
