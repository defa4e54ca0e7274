#include "strided/engine/temporary.hpp"

#include <gtest/gtest.h>

namespace {

using strided::detail::Found;
using strided::engine::written_as_read;

// A promise counts where nothing is known, and there alone.
TEST(Temporary, IsLeftOutWhereSidesAreApartOrSaidToBe) {
  EXPECT_TRUE(written_as_read(Found::no, {}));
  EXPECT_FALSE(written_as_read(Found::unknown, {}));
  EXPECT_FALSE(written_as_read(Found::yes, {}));
  EXPECT_TRUE(written_as_read(Found::no, {.assume_disjoint = true}));
  EXPECT_TRUE(written_as_read(Found::unknown, {.assume_disjoint = true}));
  EXPECT_FALSE(written_as_read(Found::yes, {.assume_disjoint = true}));
}

}  // namespace
