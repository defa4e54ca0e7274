// The reader of .npy headers: what it takes and what it refuses.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "interop/npy_support.hpp"
#include "strided/interop/npy.hpp"

namespace {

using npy_support::expect_error;
using npy_support::file_of;
using npy_support::kNative;
using npy_support::parse;
using npy_support::quoted;
using strided::Dims;
using strided::ErrorCode;
using strided::Layout;
using strided::NpyDtype;
using strided::NpyHeader;

struct ShapeCase {
  std::string text;
  Dims shape;
};

TEST(NpyHeader, Shapes) {
  const std::vector<ShapeCase> cases{
      {"()", {}},
      {"(3,)", {3}},
      {"(3, 4)", {3, 4}},
      {"(3,4,)", {3, 4}},
      {"( 2 , 3 )", {2, 3}},
      {"(0,)", {0}},
      {"(4, 0, 5)", {4, 0, 5}},
      {"(3L, 4L)", {3, 4}},
      {"(0, 9223372036854775807, 9223372036854775807)",
       {0, strided::kInt64Max, strided::kInt64Max}},
  };
  for (const ShapeCase& c : cases) {
    for (const bool fortran : {false, true}) {
      const NpyHeader header = parse(file_of(1, "'|u1'", fortran, c.text, std::string(12, 'x')));
      EXPECT_EQ(header.shape, c.shape) << c.text;
      EXPECT_EQ(header.layout().shape(), c.shape) << c.text;
      EXPECT_EQ(header.data_bytes, header.layout().size()) << c.text;
    }
  }
  std::string longest = "(";
  for (int i = 0; i < strided::kMaxRank; ++i) longest += "1, ";
  EXPECT_EQ(parse(file_of(1, "'|u1'", false, longest + ")", "x")).shape,
            Dims::filled(strided::kMaxRank, 1));
  expect_error(ErrorCode::unsupported, "more than 32 dimensions",
               [&] { (void)parse(file_of(1, "'|u1'", false, longest + "1)", "x")); });
}

TEST(NpyHeader, OrderOfTheBytes) {
  const std::string data(24, 'x');
  EXPECT_EQ(parse(file_of(1, "'|u1'", false, "(2, 3, 4)", data)).layout(),
            Layout({2, 3, 4}, {12, 4, 1}));
  EXPECT_EQ(parse(file_of(1, "'|u1'", true, "(2, 3, 4)", data)).layout(),
            Layout({2, 3, 4}, {1, 2, 6}));
  EXPECT_EQ(parse(file_of(1, "'|u1'", true, "()", data)).layout(), Layout(Dims{}));
}

TEST(NpyHeader, Versions) {
  for (const int version : {1, 2, 3}) {
    const std::string text = file_of(version, "'|S2'", false, "(2,)", "abcd");
    const NpyHeader header = parse(text);
    EXPECT_EQ(header.version, version);
    EXPECT_EQ(header.data_begin, static_cast<std::int64_t>(text.size()) - 4);
    EXPECT_EQ(header.data_bytes, 4);
  }
  for (const int version : {0, 4, 255}) {
    expect_error(ErrorCode::unsupported, "format version",
                 [&] { (void)parse(file_of(version, "'|u1'", false, "()", "x")); });
  }
  std::string minor = file_of(1, "'|u1'", false, "()", "x");
  minor[7] = '\1';
  expect_error(ErrorCode::unsupported, "format version 1.1", [&] { (void)parse(minor); });
}

// A header longer than version 1 can say, and names outside Latin-1.
TEST(NpyHeader, LongAndForeignNames) {
  std::string fields = "[";
  for (int i = 0; i < 5000; ++i) fields += "('field_" + std::to_string(i) + "', '|u1'), ";
  EXPECT_EQ(parse(file_of(2, fields + "]", false, "()", std::string(5000, 'x'))).dtype.item_bytes,
            5000);
  const std::string utf8 = "[('\xc3\xa9', '|u1')]";
  const std::string latin1 = "[('\xe9', '|u1')]";
  EXPECT_EQ(parse(file_of(3, utf8, false, "()", "x")).dtype.descr, utf8);
  EXPECT_EQ(parse(file_of(1, latin1, false, "()", "x")).dtype.descr, utf8);
  EXPECT_EQ(parse(file_of(2, latin1, false, "()", "x")).dtype.descr, utf8);
}

TEST(NpyHeader, ThatIsNoUtf8IsRefused) {
  for (const std::string name :
       {"\xe9", "\x80", "\xc3", "\xc3\xc3", "\xe2\x82", "\xc0\x80", "\xe0\x80\xaf", "\xed\xa0\x80",
        "\xf0\x80\x80\x80", "\xf4\x90\x80\x80", "\xf8\x88\x80\x80\x80", "\xff"}) {
    expect_error(ErrorCode::file_format, "not UTF-8",
                 [&] { (void)parse(file_of(3, "[('" + name + "', '|u1')]", false, "()", "x")); });
  }
  for (const std::string name : {"\xc2\x80", "\xdf\xbf", "\xe0\xa0\x80", "\xed\x9f\xbf",
                                 "\xee\x80\x80", "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf"}) {
    const std::string descr = "[('" + name + "', '|u1')]";
    EXPECT_EQ(parse(file_of(3, descr, false, "()", "x")).dtype.descr, descr);
  }
}

TEST(NpyPrintable, HasNoControlCharactersAndIsUtf8) {
  using strided::npy_printable;
  EXPECT_EQ(npy_printable("plain \xc3\xa9 \xe6\xb0\xb4 \xf0\x9f\x98\x80"),
            "plain \xc3\xa9 \xe6\xb0\xb4 \xf0\x9f\x98\x80");
  EXPECT_EQ(npy_printable("\x1b[2J\n\x7f"), "?[2J??");
  EXPECT_EQ(npy_printable("\xc2\x9b\xc2\xa0"), "?\xc2\xa0");  // U+009B also begins a command
  EXPECT_EQ(npy_printable("\x9b\xff\xe6\xb0"), "????");
  EXPECT_EQ(npy_printable(""), "");
}

TEST(NpyHeader, MessagesQuoteWholeCharacters) {
  const std::string cut = std::string(39, 'x') + "\xc3\xa9";
  expect_error(ErrorCode::file_format, "'" + std::string(39, 'x') + "...'",
               [&] { (void)NpyDtype::parse(cut); });
}

TEST(NpyHeader, KeysInAnyOrderAndAnyWhiteSpace) {
  const NpyHeader header =
      parse(file_of(1, "\t{ \"shape\":(2,),'fortran_order':True\n,'descr':'|u1' } \r\n", "ab"));
  EXPECT_EQ(header.shape, Dims{2});
  EXPECT_TRUE(header.fortran_order);
  EXPECT_EQ(header.dtype.descr, "|u1");
}

struct BadHeader {
  std::string header;
  std::string says;
};

TEST(NpyHeader, BrokenHeadersAreRefused) {
  const std::string good = "'descr': '|u1', 'fortran_order': False, 'shape': (2,)";
  const std::vector<BadHeader> cases{
      {"", "'{'"},
      {"   \n", "'{'"},
      {"[" + good + "]", "'{'"},
      {"{" + good, "'}'"},
      {"{" + good + ", ", "needs a string as a key"},
      {"{" + good + "} x", "goes on after its end"},
      {"{" + good + std::string("}\0\0", 3), "a byte 0"},
      {"{}", "has no key 'descr'"},
      {"{'descr': '|u1', 'shape': (2,)}", "has no key 'fortran_order'"},
      {"{'descr': '|u1', 'fortran_order': False}", "has no key 'shape'"},
      {"{" + good + ", 'shape': (2,)}", "has the key 'shape' twice"},
      {"{" + good + ", 'extra': 1}", "unknown key 'extra'"},
      {"{" + good + ", 7: 1}", "needs a string as a key"},
      {"{'descr' '|u1'}", "needs a ':' behind a key"},
      {"{'descr': '|u1' 'shape': (2,)}", "'}'"},
      {"{'descr': None}", "needs a string as a type"},
      {"{'descr': '|u1}", "has no end"},
      {"{'descr': '|u1\r'}", "has no end"},
      {"{'fortran_order': 0}", "needs True or False"},
      {"{'fortran_order': false}", "needs True or False"},
      {"{'fortran_order': Falsehood}", "'}'"},
      {"{'shape': 2}", "needs a '(' before a shape"},
      {"{'shape': [2]}", "needs a '(' before a shape"},
      {"{'shape': (2)}", "a number where a shape is needed"},
      {"{'shape': (,)}", "needs a whole number"},
      {"{'shape': (2 3)}", "needs a ','"},
      {"{'shape': (2,,3)}", "needs a whole number"},
      {"{'shape': (2.0,)}", "needs a ','"},
      {"{'shape': (0x2,)}", "needs a ','"},
      {"{'shape': (02,)}", "needs a whole number"},
      {"{'shape': (True,)}", "needs a whole number"},
      {"{'shape': (-1,)}", "is negative"},
      {"{'shape': (9223372036854775808,)}", "does not fit 64 bits"},
      {"{'shape': (2, 3", "needs a ','"},
      {"{'shape': (2, ", "needs a whole number"},
  };
  for (const BadHeader& c : cases) {
    SCOPED_TRACE(c.header);
    expect_error(ErrorCode::file_format, c.says,
                 [&] { (void)parse(file_of(1, c.header, "data")); });
  }
  expect_error(ErrorCode::unsupported, "arrays themselves",
               [] { (void)parse(file_of(1, "('|u1', (2,))", false, "(2,)", "abcd")); });
}

TEST(NpyHeader, LiesAboutTheLengthAreRefused) {
  const auto refuse = [](const std::string& text, const char* says) {
    expect_error(ErrorCode::file_format, says, [&] { (void)parse(text); });
  };
  refuse("", "no NUMPY mark");
  refuse("NUMPY", "no NUMPY mark");
  refuse("\x93NUMPX\1", "no NUMPY mark");
  refuse("\x93NUMPY", "ends within its header");
  refuse(std::string("\x93NUMPY\1\0\xff", 9), "ends within its header");
  refuse(std::string("\x93NUMPY\2\0\xff\xff\xff", 11), "ends within its header");
  refuse(std::string("\x93NUMPY\1\0\xff\xff{}", 12), "header of 65535 bytes reaches past its end");
  refuse(std::string("\x93NUMPY\2\0\xff\xff\xff\xff{}", 14), "reaches past its end");
  const std::string whole = file_of(1, "'|u1'", false, "(0,)", "");
  refuse(whole.substr(0, whole.size() - 1), "reaches past its end");  // by the newline
  refuse(file_of(1, "'|u1'", false, "(5,)", "four"), "has 5 bytes, the file has 4 of them");
  refuse(file_of(1, "'|S2'", false, "(2, 3)", std::string(11, 'x')), "has 12 bytes");
  refuse(file_of(1, "'|u1'", false, "(4294967296, 4294967296)", "x"), "shape[1] is 4294967296");
  refuse(file_of(1, quoted(kNative + "f8"), true, "(4611686018427387904,)", "x"), "64 bits");
  refuse(file_of(1, "'|u1'", false, "(9223372036854775807,)", "x"), "9223372036854775807 bytes");
}

TEST(NpyHeader, BytesBehindTheArrayAreIgnored) {
  const NpyHeader header = parse(file_of(1, "'|u1'", false, "(2,)", "ab and more"));
  EXPECT_EQ(header.data_bytes, 2);
}

}  // namespace
