// Facts about layouts, each checked by the compiler and again at run time: a constant expression
// has no undefined behaviour, and run time is what users get.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "strided/core/dims.hpp"
#include "strided/core/result.hpp"
#include "strided/view/layout.hpp"

namespace strided_test {

// Has the result this shape, these strides and this offset? Strides of axes of size 1 count too.
[[nodiscard]] constexpr bool is_layout(const strided::Result<strided::Layout>& result,
                                       const strided::Dims& shape, const strided::Dims& strides,
                                       std::int64_t offset = 0) {
  return result && result->shape() == shape && result->strides() == strides &&
         result->offset() == offset;
}

// The same answer, with a sentence that says what there is.
[[nodiscard]] inline testing::AssertionResult layout_is(
    const strided::Result<strided::Layout>& result, const strided::Dims& shape,
    const strided::Dims& strides, std::int64_t offset = 0) {
  if (is_layout(result, shape, strides, offset)) return testing::AssertionSuccess();
  testing::AssertionResult failure = testing::AssertionFailure();
  if (!result) return failure << "refused: " << result.message();
  return failure << "shape " << to_string(result->shape()) << ", strides "
                 << to_string(result->strides()) << ", offset " << result->offset();
}

template <class T>
[[nodiscard]] constexpr strided::ErrorCode failure_code(const strided::Result<T>& result) {
  return result.error().code;
}
[[nodiscard]] constexpr strided::ErrorCode failure_code(const strided::Failure& failure) {
  return failure.code;
}

// The code and the sentence that a throwing call ends with; "accepted" if it does not throw.
struct Thrown {
  strided::ErrorCode code = strided::ErrorCode::ok;
  std::string what = "accepted";
};
template <class Call>
[[nodiscard]] Thrown thrown_by(Call call) {
  try {
    call();
  } catch (const strided::Error& error) {
    return {error.code(), error.what()};
  }
  return {};
}

}  // namespace strided_test

// EXPECT_FACT(a == b): true for the compiler and true when run.
#define EXPECT_FACT(...)        \
  static_assert((__VA_ARGS__)); \
  EXPECT_TRUE((__VA_ARGS__))

// EXPECT_LAYOUT(call(...), {shape}, {strides}, offset)
#define EXPECT_LAYOUT(call, ...)                             \
  static_assert(strided_test::is_layout(call, __VA_ARGS__)); \
  EXPECT_TRUE(strided_test::layout_is(call, __VA_ARGS__))

// EXPECT_REFUSED(call(...), code, "the whole sentence")
#define EXPECT_REFUSED(call, error_code, sentence)                                   \
  static_assert(strided_test::failure_code(call) == strided::ErrorCode::error_code); \
  EXPECT_EQ((call).message(), sentence)

// EXPECT_THROWN(statement, code, "the whole sentence")
#define EXPECT_THROWN(statement, error_code, sentence)                                          \
  do {                                                                                          \
    const strided_test::Thrown thrown =                                                         \
        strided_test::thrown_by([&] { static_cast<void>(statement); });                         \
    EXPECT_EQ(thrown.what, sentence);                                                           \
    EXPECT_EQ(static_cast<int>(thrown.code), static_cast<int>(strided::ErrorCode::error_code)); \
  } while (false)
