// Copies beyond any cache: the ways of the engine that small ones never take. Checked byte by byte,
// gaps included, without a second copy.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "strided/strided.hpp"
#include "support/generate.hpp"

namespace strided_test {
namespace {

using strided::Dims;
using strided::Layout;

constexpr unsigned char kGap = 0xa5;

// A byte for every place of the source, without a period that a stride could hit.
unsigned char source_byte(std::uint64_t at) {
  return static_cast<unsigned char>((at * 0x9e3779b97f4a7c15U) >> 40);
}

template <std::size_t W>
void check_large(const std::string& pattern, bool gaps) {
  SCOPED_TRACE(pattern + (gaps ? " with gaps, " : ", ") + std::to_string(W) + " bytes");
  using T = Bytes<W>;
  // 28 MiB on each side: no cache that the engine counts on holds both.
  const std::int64_t rows = 1021;
  const std::int64_t columns = (std::int64_t{28} << 20) / static_cast<std::int64_t>(W) / rows;
  const std::int64_t step = pattern == "every second" ? 2 : 1;
  Dims strides{columns, 1};
  if (pattern == "transposed") strides = {1, rows};
  if (pattern == "reversed") strides = {columns, -1};
  if (pattern == "every second") strides = {2 * columns, 2};
  if (pattern == "repeated row") strides = {0, 1};
  const Layout src = placed({rows, columns}, strides, 0);
  const Layout dst({rows, columns}, {columns + (gaps ? 3 : 0), 1}, 1);

  std::vector<T> source(static_cast<std::size_t>(rows * columns * step));
  auto* source_bytes = reinterpret_cast<unsigned char*>(source.data());
  for (std::size_t i = 0; i < source.size() * W; ++i) source_bytes[i] = source_byte(i);
  std::vector<T> target(static_cast<std::size_t>(dst.bounds().highest) + 4);
  auto* target_bytes = reinterpret_cast<unsigned char*>(target.data());
  std::memset(target_bytes, kGap, target.size() * W);

  strided::copy(strided::StridedView<T>(source, src), strided::StridedView<T>(target, dst));

  std::int64_t wrong = 0;
  std::size_t at = 0;  // in bytes
  const auto expect_gap_until = [&](std::size_t end) {
    for (; at < end; ++at) wrong += target_bytes[at] == kGap ? 0 : 1;
  };
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t column = 0; column < columns; ++column) {
      expect_gap_until(static_cast<std::size_t>(dst.offset_of({row, column})) * W);
      const auto from = static_cast<std::uint64_t>(src.offset_of({row, column})) * W;
      for (std::size_t byte = 0; byte < W; ++byte, ++at) {
        wrong += target_bytes[at] == source_byte(from + byte) ? 0 : 1;
      }
    }
  }
  expect_gap_until(target.size() * W);
  EXPECT_EQ(wrong, 0) << "wrong bytes";
}

template <std::size_t W>
void check_all_patterns() {
  for (const char* pattern :
       {"as it is", "transposed", "reversed", "every second", "repeated row"}) {
    check_large<W>(pattern, false);
    check_large<W>(pattern, true);
  }
  std::printf("10 copies of 28 MiB in elements of %zu bytes, %s\n", W,
              to_string(strided::active_isa()));
}

TEST(LargeCopy, OneByte) {
  check_all_patterns<1>();
}
TEST(LargeCopy, FourBytes) {
  check_all_patterns<4>();
}
TEST(LargeCopy, SixteenBytes) {
  check_all_patterns<16>();
}

}  // namespace
}  // namespace strided_test
