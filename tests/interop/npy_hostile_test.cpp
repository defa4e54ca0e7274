// No text can break the reader of .npy headers.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "interop/npy_support.hpp"
#include "strided/interop/npy.hpp"

namespace {

using npy_support::file_of;
using npy_support::kNative;
using npy_support::parse;
using strided::ErrorCode;
using strided::Layout;
using strided::NpyHeader;

// What a header that was taken promises; else there must be an Error, of one of three codes.
bool survives(const std::string& text) {
  try {
    const NpyHeader header = parse(text);
    const auto size = static_cast<std::int64_t>(text.size());
    EXPECT_GE(header.dtype.item_bytes, 1);
    EXPECT_LE(header.data_begin, size);
    EXPECT_GE(header.data_bytes, 0);
    EXPECT_LE(header.data_bytes, size - header.data_begin);
    const Layout layout = header.layout();
    EXPECT_EQ(layout.size() * header.dtype.item_bytes, header.data_bytes);
    EXPECT_FALSE(strided::check_within(layout, layout.size(), "the view"));
    return true;
  } catch (const strided::Error& error) {
    EXPECT_TRUE(error.code() == ErrorCode::file_format || error.code() == ErrorCode::unsupported)
        << error.what();
    EXPECT_LT(std::string_view(error.what()).size(), 400U);
    return false;
  }
}

TEST(NpyHostile, EveryPrefixIsRefused) {
  const std::string text = file_of(1, "[('a', '" + kNative + "f4'), ('b', '|u1', (2,))]", true,
                                   "(3, 4)", std::string(72, 'x'));
  EXPECT_TRUE(survives(text));
  for (std::size_t length = 0; length < text.size(); ++length) {
    EXPECT_FALSE(survives(text.substr(0, length))) << length;
  }
}

TEST(NpyHostile, EveryChangeOfOneByte) {
  for (const int version : {1, 2, 3}) {
    const std::string text = file_of(version, "[('a', '" + kNative + "f4'), ('b', '|u1', (2,))]",
                                     true, "(3, 4)", std::string(72, 'x'));
    const std::size_t header_size = text.size() - 72;
    std::size_t taken = 0;
    for (std::size_t at = 0; at < header_size; ++at) {
      for (int value = 0; value < 256; ++value) {
        std::string changed = text;
        changed[at] = static_cast<char>(value);
        if (survives(changed)) ++taken;
      }
    }
    EXPECT_GT(taken, header_size);  // at least each byte's own value
    EXPECT_LT(taken, header_size * 256);
  }
}

TEST(NpyHostile, RandomPiecesOfHeaders) {
  constexpr int kCases = 50'000;
  const std::vector<std::string> pieces{"{",
                                        "}",
                                        "(",
                                        ")",
                                        "[",
                                        "]",
                                        ",",
                                        ":",
                                        "'",
                                        "\"",
                                        " ",
                                        "\n",
                                        "\\",
                                        "L",
                                        "-",
                                        "0",
                                        "1",
                                        "2",
                                        "3",
                                        "9223372036854775807",
                                        "18446744073709551616",
                                        "'descr'",
                                        "'fortran_order'",
                                        "'shape'",
                                        "'|u1'",
                                        "'|S5'",
                                        "'|O'",
                                        "'<f4'",
                                        "'>f4'",
                                        "'<M8[ns]'",
                                        "True",
                                        "False",
                                        "'descr': ",
                                        "'descr': '|u1', ",
                                        "'fortran_order': False, ",
                                        "'shape': (3, 4), ",
                                        "(2,)",
                                        "('a', '|u1')",
                                        "[('a', '|u1')]",
                                        std::string(1, '\0'),
                                        "\xff"};
  const auto seed = static_cast<std::uint32_t>(std::random_device{}());
  RecordProperty("seed", std::to_string(seed));
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  int taken = 0;
  for (int i = 0; i < kCases; ++i) {
    // Half of them start from a good header, so that more than the first piece is reached.
    std::vector<std::string> chosen;
    if (i % 2 == 0) {
      chosen = {"{", "'descr': '|u1', ", "'fortran_order': False, ", "'shape': (3, 4), ", "}"};
    }
    for (std::uint32_t edits = random() % 8; edits > 0; --edits) {
      const std::size_t at = random() % (chosen.size() + 1);
      chosen.insert(chosen.begin() + static_cast<std::ptrdiff_t>(at),
                    pieces[random() % pieces.size()]);
    }
    std::string header;
    for (const std::string& piece : chosen) header += piece;
    taken += survives(file_of(1 + i % 3, header, std::string(16, 'x'))) ? 1 : 0;
  }
  std::printf("%d random headers, seed %u: %d taken, the others refused\n", kCases, seed, taken);
  EXPECT_GT(taken, kCases / 100);
  EXPECT_LT(taken, kCases / 2);
}

}  // namespace
