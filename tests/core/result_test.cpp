// Result, Failure and Error: how a refusal travels.
#include "strided/core/result.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "strided/core/rules.hpp"
#include "strided/view/layout.hpp"
#include "support/facts.hpp"

namespace {

using strided::Dims;
using strided::Error;
using strided::ErrorCode;
using strided::Failure;
using strided::Result;

constexpr Failure kRefusal{ErrorCode::negative_stride, "stride", 1, -7, 0};

constexpr Result<int> half(int n) {
  if (n % 2 != 0) return Failure{ErrorCode::size_mismatch, "n", -1, n, 2};
  return n / 2;
}

TEST(Failure, IsFalseWhenNothingFailed) {
  EXPECT_FACT(!Failure{});
  EXPECT_FACT(static_cast<bool>(kRefusal));
  EXPECT_EQ(Failure{}.message(), "no error");
}

TEST(Failure, TellsTheCallOnce) {
  EXPECT_EQ(kRefusal.message(), "stride[1] is -7, it must be at least 0");
  const Failure told = kRefusal.in("as_strided");
  EXPECT_EQ(told.message(), "as_strided: stride[1] is -7, it must be at least 0");
  EXPECT_EQ(told.in("copy").message(), told.message());  // the innermost call is named
}

// Only an overlap within the destination is about what the caller knows under another name.
TEST(Failure, OfACopyIsToldOfTheCallThatCopies) {
  const Failure twice = Failure{ErrorCode::internal_overlap, "dst"}.in("copy");
  EXPECT_EQ(twice.of_copy_in("as_strided_copy", "y").message(),
            "as_strided_copy: y maps more than one index to the same element; each index needs one "
            "of its own");
  const Failure other = Failure{ErrorCode::unsupported, "this machine has no such kernels"};
  EXPECT_EQ(other.of_copy_in("as_strided_copy", "y").message(),
            "as_strided_copy: this machine has no such kernels");
}

// What converting a list would throw.
TEST(Result, OfAListIsDimsOrTheFailure) {
  EXPECT_FACT(*strided::try_dims(std::array<int, 3>{2, 0, 1}) == Dims{2, 0, 1});
  EXPECT_FACT(*strided::try_dims(Dims{2, 0, 1}) == Dims{2, 0, 1});
  EXPECT_TRUE(strided::try_dims(std::vector<int>(32, 1)).has_value());
  EXPECT_REFUSED(strided::try_dims(std::vector<int>(33, 1)), rank_too_large,
                 "Dims: the list has 33 entries, at most 32 are allowed");
}

// A neighbour's limit on what is counted with a number.
TEST(Failure, NamesWhatExceedsTheLimit) {
  Failure failure{ErrorCode::overflow, "shape", 0, 70000, 65535};
  failure.against = "with it the number of rows";
  EXPECT_EQ(failure.message(), "shape[0] is 70000, with it the number of rows exceeds 65535");
}

TEST(Failure, NamesTheCodeOfMpi) {
  const Failure failure{ErrorCode::mpi_error, "MPI_Pack", -1, 15};
  EXPECT_EQ(failure.in("pack").message(), "pack: MPI_Pack failed with MPI's error code 15");
}

TEST(Failure, CarriesTheNumbers) {
  constexpr Failure kTold = kRefusal.in("as_strided");
  EXPECT_FACT(kTold.code == ErrorCode::negative_stride);
  EXPECT_FACT(kTold.axis == 1 && kTold.value == -7 && kTold.limit == 0);
}

TEST(Result, HoldsAValue) {
  EXPECT_FACT(half(10).has_value() && *half(10) == 5 && half(10).value() == 5);
  EXPECT_FACT(half(10).error().code == ErrorCode::ok);
}

TEST(Result, HoldsAFailure) {
  EXPECT_FACT(!half(11) && half(11).error().value == 11);
  EXPECT_EQ(half(11).message(), "n makes 11 elements, 2 are needed");
}

TEST(Result, ReachesIntoItsValue) {
  constexpr Result<Dims> kShape = Dims{2, 3};
  EXPECT_FACT(kShape->size() == 2);
}

TEST(Result, ValueThrowsTheFailure) {
  EXPECT_THROWN(half(11).value(), size_mismatch, "n makes 11 elements, 2 are needed");
}

TEST(Result, CannotBeIgnoredByAccident) {
  EXPECT_FACT(!std::is_convertible_v<Result<int>, bool>);  // explicit: `if` only
  EXPECT_FACT(!std::is_convertible_v<Failure, bool>);
}

TEST(Result, PlanningFunctionsDoNotThrow) {
  EXPECT_FACT(noexcept(strided::Layout::try_make(Dims{}, Dims{})));
  EXPECT_FACT(noexcept(strided::Layout::try_row_major(Dims{})));
}

TEST(RaiseIf, ThrowsFailuresOnly) {
  EXPECT_NO_THROW(strided::raise_if(Failure{}));
  EXPECT_THROWN(strided::raise_if(kRefusal), negative_stride,
                "stride[1] is -7, it must be at least 0");
}

TEST(Error, IsAnInvalidArgument) {
  EXPECT_FACT(std::is_base_of_v<std::invalid_argument, Error>);
  try {
    strided::raise(Error(ErrorCode::null_data, "no memory"));
  } catch (const std::exception& error) {
    EXPECT_STREQ(error.what(), "no memory");
    return;
  }
  FAIL() << "raise returned";
}

TEST(FailureHandler, CanBeReplacedAndRestored) {
  const strided::FailureHandler mine = [](const Error&) {};
  const strided::FailureHandler before = strided::set_failure_handler(mine);
  EXPECT_EQ(strided::set_failure_handler(before), mine);
  EXPECT_EQ(before, nullptr);
}

TEST(Rules, OptionsAreSafeByDefault) {
  EXPECT_FACT(strided::CopyOptions{}.allow_temporary && !strided::CopyOptions{}.assume_disjoint);
  EXPECT_FACT(!strided::FillOptions{}.allow_internal_overlap);
}

TEST(Rules, ASpecHasNoMaskByDefault) {
  constexpr strided::StridedSliceSpec kSpec{{1}, {2}, {3}};
  EXPECT_FACT(kSpec.begin == Dims{1} && kSpec.end == Dims{2} && kSpec.strides == Dims{3});
  EXPECT_FACT((kSpec.begin_mask | kSpec.end_mask | kSpec.ellipsis_mask | kSpec.new_axis_mask |
               kSpec.shrink_axis_mask) == 0);
  constexpr strided::AsStridedParam kParam{{2, 2}, {2, 3}, {0}};
  EXPECT_FACT(kParam.size == Dims{2, 2} && kParam.stride == Dims{2, 3} && kParam.offset == Dims{0});
}

}  // namespace
