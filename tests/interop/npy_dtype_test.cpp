// Type strings and records of .npy headers.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "interop/npy_support.hpp"
#include "strided/interop/npy.hpp"

namespace npy_dtype_test {

struct Half {
  std::uint16_t bits;
};
struct Name {
  char32_t text[3];
};
struct Code {
  char text[5];
};
struct Pixel {
  std::uint8_t rgb[3];
};
struct Instant {
  std::int64_t ticks;
};

}  // namespace npy_dtype_test

template <>
inline constexpr char strided::kNpyKind<npy_dtype_test::Half> = 'f';
template <>
inline constexpr char strided::kNpyKind<npy_dtype_test::Name> = 'U';
template <>
inline constexpr char strided::kNpyKind<npy_dtype_test::Code> = 'S';
template <>
inline constexpr char strided::kNpyKind<npy_dtype_test::Pixel> = 'V';
template <>
inline constexpr char strided::kNpyKind<npy_dtype_test::Instant> = 'M';

namespace {

using namespace npy_dtype_test;
using npy_support::expect_error;
using npy_support::file_of;
using npy_support::kForeign;
using npy_support::kNative;
using npy_support::parse;
using npy_support::quoted;
using strided::ErrorCode;
using strided::NpyDtype;
using strided::NpyHeader;

struct TypeCase {
  std::string text;  // '<' stands for this machine's byte order
  char kind;
  std::int64_t bytes;
  std::string descr;
};

std::string native(std::string text) {
  if (!text.empty() && text[0] == '<') text.replace(0, 1, kNative);
  return text;
}

TEST(NpyDtype, EveryTypeWhoseItemsArePlainBytes) {
  const std::vector<TypeCase> cases{
      {"|b1", 'b', 1, "|b1"},         {"|i1", 'i', 1, "|i1"},
      {"|u1", 'u', 1, "|u1"},         {"<i2", 'i', 2, "<i2"},
      {"<u2", 'u', 2, "<u2"},         {"<i4", 'i', 4, "<i4"},
      {"<u4", 'u', 4, "<u4"},         {"<i8", 'i', 8, "<i8"},
      {"<u8", 'u', 8, "<u8"},         {"<f2", 'f', 2, "<f2"},
      {"<f4", 'f', 4, "<f4"},         {"<f8", 'f', 8, "<f8"},
      {"<f16", 'f', 16, "<f16"},      {"<f12", 'f', 12, "<f12"},
      {"<c8", 'c', 8, "<c8"},         {"<c16", 'c', 16, "<c16"},
      {"<c32", 'c', 32, "<c32"},      {"<c24", 'c', 24, "<c24"},
      {"<M8[ns]", 'M', 8, "<M8[ns]"}, {"<m8[25us]", 'm', 8, "<m8[25us]"},
      {"<M8", 'M', 8, "<M8"},         {"|S5", 'S', 5, "|S5"},
      {"S5", 'S', 5, "|S5"},          {"<U3", 'U', 12, "<U3"},
      {"|V2", 'V', 2, "|V2"},         {"<V2", 'V', 2, "|V2"},
      {"|V131", 'V', 131, "|V131"},   {"u1", 'u', 1, "|u1"},
      {"=f4", 'f', 4, "<f4"},         {"f4", 'f', 4, "<f4"},
      {"|i4", 'i', 4, "<i4"},         {"<u1", 'u', 1, "|u1"},
  };
  for (const TypeCase& c : cases) {
    const NpyDtype type = NpyDtype::parse(native(c.text));
    EXPECT_EQ(type.kind, c.kind) << c.text;
    EXPECT_EQ(type.item_bytes, c.bytes) << c.text;
    EXPECT_EQ(type.descr, native(c.descr)) << c.text;
    const NpyHeader header = parse(file_of(1, quoted(native(c.text)), false, "(1,)",
                                           std::string(static_cast<std::size_t>(c.bytes), 'x')));
    EXPECT_EQ(header.dtype, type) << c.text;
  }
}

// Types of a user's own: what is written for them is what NumPy would say.
TEST(NpyDtype, OfATypeThatJoinsIn) {
  const auto expect_dtype = [](const NpyDtype& type, const std::string& descr) {
    EXPECT_EQ(type.descr, native(descr));
    EXPECT_EQ(type, NpyDtype::parse(type.descr));
  };
  expect_dtype(strided::npy_dtype_of<Half>(), "<f2");
  expect_dtype(strided::npy_dtype_of<Name>(), "<U3");
  expect_dtype(strided::npy_dtype_of<Code>(), "|S5");
  expect_dtype(strided::npy_dtype_of<Pixel>(), "|V3");
  expect_dtype(strided::npy_dtype_of<Instant>(), "<M8");
}

TEST(NpyDtype, OrderDoesNotMatterForSingleBytes) {
  for (const std::string text : {"u1", "i1", "b1", "S7", "V3"}) {
    EXPECT_EQ(NpyDtype::parse(kForeign + text).descr, "|" + text);
  }
}

TEST(NpyDtype, OtherByteOrderIsRefused) {
  for (const std::string text : {"i2", "u4", "f8", "f2", "c16", "M8[ns]", "m8", "U1"}) {
    expect_error(
        ErrorCode::unsupported,
        "not this machine's byte order; in NumPy, x.astype(x.dtype.newbyteorder('=')) converts",
        [&] { (void)NpyDtype::parse(kForeign + text); });
  }
  expect_error(ErrorCode::unsupported, "byte order",
               [&] { (void)NpyDtype::parse("[('a', '|u1'), ('b', '" + kForeign + "f4')]"); });
}

TEST(NpyDtype, PythonObjectsAreRefused) {
  for (const std::string text : {"|O", "|O8", "O", "[('a', '|O')]"}) {
    expect_error(ErrorCode::unsupported, "Python objects", [&] { (void)NpyDtype::parse(text); });
  }
}

TEST(NpyDtype, ItemsWithoutBytesAreRefused) {
  for (const std::string text :
       {"|S0", "|V0", "<U0", "[]", "[('a', '|V0')]", "[('a', '|u1', (0, 9))]"}) {
    expect_error(ErrorCode::unsupported, "no bytes", [&] { (void)NpyDtype::parse(native(text)); });
  }
}

TEST(NpyDtype, OtherTextIsRefused) {
  for (
      const std::string text :
      {"",        "<",        "<f",      "<f3",     "<i16",     "<f4x",    "<f-4",
       "<f 4",    "< f4",     "<c4",     "<b1x",    "|b2",      "<M4",     "<M8[",
       "<M8[]",   "<M8[n;s]", "<M8ns",   "<M8[n5]", "<M8[nLs]", "<M8[0s]", "<M8[1234567890s]",
       "<f4[ns]", "<x4",      "float32", "<T16",    "<f+4",     "|S-0",    "|S99999999999999999999",
       "<<f4"}) {
    expect_error(ErrorCode::file_format, "is not a type string of NumPy",
                 [&] { (void)NpyDtype::parse(text); });
  }
  expect_error(ErrorCode::unsupported, "larger than 2147483647 bytes",
               [] { (void)NpyDtype::parse("|S2147483648"); });
  expect_error(ErrorCode::unsupported, "larger than 2147483647 bytes",
               [] { (void)NpyDtype::parse(native("<U536870912")); });
  EXPECT_EQ(NpyDtype::parse("|S2147483647").item_bytes, 2147483647);
}

struct RecordCase {
  std::string descr;
  std::int64_t bytes;
};

TEST(NpyDtype, RecordsAreItemsOfAllTheirBytes) {
  const std::vector<RecordCase> cases{
      {"[('a', '|u1')]", 1},
      {"[('a', '|u1'), ('b', '|S4')]", 5},
      {"[('a', '|u1'), ('', '|V3'), ('b', '|u1', (2, 3))]", 10},
      {"[('a', '|u1', 4)]", 4},
      {"[('a', '|u1', ())]", 1},
      {"[('a', [('x', '|u1'), ('y', '|i1')]), ('b', '|b1'),]", 3},
      {"[('a', [('x', '|u1'), ('y', '|i1')], (5,))]", 10},
      {"[(('title', 'name'), '|u1',)]", 1},
      {"[('a', ('|u1', (7,)))]", 7},
      {"[ ( \"it's\" ,\n'|u1' ) ]", 1},
      {"[('a\\'b\\\\', '|u1')]", 1},
  };
  for (const RecordCase& c : cases) {
    const NpyDtype type = NpyDtype::parse(c.descr);
    EXPECT_EQ(type.kind, 'V') << c.descr;
    EXPECT_EQ(type.item_bytes, c.bytes) << c.descr;
    EXPECT_EQ(type.descr, c.descr);
    const std::string data(static_cast<std::size_t>(c.bytes) * 2, 'x');
    EXPECT_EQ(parse(file_of(1, c.descr, false, "(2,)", data)).dtype, type);
  }
}

TEST(NpyDtype, BrokenRecordsAreRefused) {
  for (const std::string text : {"[",
                                 "[(",
                                 "[('a'",
                                 "[('a',",
                                 "[('a', '|u1'",
                                 "[('a', '|u1')",
                                 "[('a' '|u1')]",
                                 "[('a', '|u1') ('b', '|u1')]",
                                 "['|u1']",
                                 "[('a',)]",
                                 "[('a', '|u1', 'x')]",
                                 "[('a', '|u1', -1)]",
                                 "[('a', '|u1', (2)]",
                                 "[('a', '|u1')] x",
                                 "[(a, '|u1')]",
                                 "[,]",
                                 "[('a, '|u1')]",
                                 "[('a', '|u1', (2, 3), 4)]",
                                 "[('a\\",
                                 "[('a', ('|u1'))]"}) {
    expect_error(ErrorCode::file_format, "", [&] { (void)NpyDtype::parse(text); });
  }
  expect_error(ErrorCode::unsupported, "of no bytes",
               [] { (void)NpyDtype::parse("[('a', '|u1'), ('b', '|V0', (2,))]"); });
  expect_error(ErrorCode::unsupported, "larger than", [] {
    (void)NpyDtype::parse("[('a', '|u1', (9223372036854775807, 9223372036854775807))]");
  });
  expect_error(ErrorCode::unsupported, "larger than",
               [] { (void)NpyDtype::parse("[('a', '|S2147483647'), ('b', '|u1')]"); });
}

TEST(NpyDtype, ANameComesOnce) {
  for (const std::string text :
       {"[('a', '|u1'), ('a', '|u1')]", "[('', '|u1'), ('', '|u1')]",
        "[('\\x61', '|u1'), ('a', '|u1')]", "[('\\141', '|u1'), ('\\u0061', '|u1')]",
        "[('\\U0001f600', '|u1'), ('\xf0\x9f\x98\x80', '|u1')]",
        "[('a\\\nb', '|u1'), ('ab', '|u1')]", "[(('t', 'a'), '|u1'), (('t', 'b'), '|u1')]",
        "[(('b', 'a'), '|u1'), ('b', '|u1')]", "[(('a', 'a'), '|u1')]", "[(('', ''), '|V4')]",
        "[('x', [('a', '|u1'), ('a', '|u1')])]"}) {
    expect_error(ErrorCode::file_format, "twice", [&] { (void)NpyDtype::parse(text); });
  }
  for (const std::string text :
       {"[('a', '|u1'), ('A', '|u1')]", "[('', '|V4'), ('', '|V4'), ('a', '|u1')]",
        "[('a', '|u1'), ('b', [('a', '|u1')])]", "[('\\n', '|u1'), ('n', '|u1')]",
        "[('\\q', '|u1'), ('q', '|u1')]", "[('\\u1234', '|u1'), ('\\u1235', '|u1')]"}) {
    EXPECT_EQ(NpyDtype::parse(text).descr, text);
  }
}

TEST(NpyDtype, EscapesThatPythonRefusesAreRefused) {
  for (const std::string text : {"\\x1", "\\xg0", "\\u123", "\\U00110000", "\\N{BULLET}"}) {
    expect_error(ErrorCode::file_format, "wrong escape",
                 [&] { (void)NpyDtype::parse("[('" + text + "', '|u1')]"); });
  }
}

TEST(NpyDtype, NestingHasALimit) {
  std::string text;
  for (int i = 0; i < 1'000'000; ++i) text += "[('a', ";
  expect_error(ErrorCode::unsupported, "nested more than 32 deep",
               [&] { (void)NpyDtype::parse(text); });
  std::string tuples = "[('a', ";
  for (int i = 0; i < 1'000'000; ++i) tuples += '(';
  expect_error(ErrorCode::unsupported, "nested more than 32 deep",
               [&] { (void)NpyDtype::parse(tuples); });
}

}  // namespace
