// strided_npy from the outside: what it writes and prints.
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "interop/npy_support.hpp"
#include "strided_npy/cli_support.hpp"

namespace {

using cli_support::Outcome;
using cli_support::StridedNpy;
using npy_support::file_of;
using npy_support::kNative;
using npy_support::quoted;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

using Values = std::vector<std::int64_t>;

TEST_F(StridedNpy, TheSpecsExamples) {
  EXPECT_EQ(output_of("as_strided x.npy --size 2,2 --stride 2,3 -o y.npy --verify"),
            "verified: 4 elements equal the reference, bit for bit\ny.npy: (2, 2) of " + kNative +
                "i8\n");
  EXPECT_EQ(result({2, 2}), (Values{1, 4, 3, 6}));
  (void)output_of("as_strided x.npy --size 2,2 --stride 2,3 --offset 2 -o y.npy");
  EXPECT_EQ(result({2, 2}), (Values{3, 6, 5, 8}));
}

TEST_F(StridedNpy, ListsInEveryForm) {
  for (const std::string stride : {"--stride -1,2", "--stride=-1,2", "--stride '(-1, 2)'",
                                   "--stride=[-1,2]", "--stride ' -1 , 2 '"}) {
    (void)output_of("as_strided x.npy --size 2,3 " + stride +
                    " --offset 1 --rules strided --verify -o y.npy");
    EXPECT_EQ(result({2, 3}), (Values{2, 4, 6, 1, 3, 5})) << stride;
  }
  for (const std::string empty :
       {"--size= --stride=", "--size '' --stride ''", "--size '()' --stride '[]'"}) {
    (void)output_of("as_strided x.npy " + empty + " --offset 4 -o y.npy");
    EXPECT_EQ(result({}), Values{5}) << empty;
  }
  (void)output_of("flip x.npy --axis -1 -o y.npy");
  EXPECT_EQ(result({3, 3}), (Values{3, 2, 1, 6, 5, 4, 9, 8, 7}));
}

TEST_F(StridedNpy, SlicesWithMasks) {
  // x[..., -1] and x[newaxis, 2:0:-1, :2]
  (void)output_of(
      "slice x.npy --begin 0,-1 --end 0,0 --ellipsis-mask 1 --shrink-axis-mask 0b10 "
      "--verify -o y.npy");
  EXPECT_EQ(result({3}), (Values{3, 6, 9}));
  (void)output_of(
      "slice x.npy --begin 9,2,7 --end 9,0,2 --strides 0,-1,1 --new-axis-mask 1 "
      "--begin-mask 0x4 --verify -o y.npy");
  EXPECT_EQ(result({1, 2, 2}), (Values{7, 8, 4, 5}));
}

TEST_F(StridedNpy, SlicesAsNumPyWritesThem) {
  (void)output_of("slice x.npy '1:3, ::-1' --verify -o y.npy");
  EXPECT_EQ(result({2, 3}), (Values{6, 5, 4, 9, 8, 7}));
  (void)output_of("slice x.npy -2,1: --verify -o y.npy");
  EXPECT_EQ(result({2}), (Values{5, 6}));
  (void)output_of("slice -o y.npy x.npy '[ ..., None , -1 ]' --verify");
  EXPECT_EQ(result({3, 1}), (Values{3, 6, 9}));
  (void)output_of("slice x.npy np.newaxis,0,newaxis, --rules tensorflow --verify -o y.npy");
  EXPECT_EQ(result({1, 1, 3}), (Values{1, 2, 3}));
  (void)output_of("slice x.npy ':0:-1, : : 2' --verify -o y.npy");
  EXPECT_EQ(result({2, 2}), (Values{7, 9, 4, 6}));
  (void)output_of("slice x.npy -1,-1 --verify -o y.npy");
  EXPECT_EQ(result({}), (Values{9}));
}

TEST_F(StridedNpy, SizesOfMemoryHaveUnits) {
  for (const std::string size : {"1", "64MiB", "64mb", "'1 G'", "7EiB", "512b", "4ki"}) {
    (void)output_of("flip x.npy --axis 1 --verify -o y.npy --memory " + size);
    EXPECT_EQ(result({3, 3}), (Values{3, 2, 1, 6, 5, 4, 9, 8, 7})) << size;
  }
  EXPECT_FALSE(contains(output_of("flip --help"), "kib"));
}

TEST_F(StridedNpy, AssignsASlice) {
  // Only some rules broadcast.
  expect_refused("assign x.npy v.npy --begin 0 --end 3 -o y.npy",
                 "the value has shape (1, 3), the slice (3, 3); under --rules ascend they must be "
                 "equal, --rules tensorflow broadcasts");
  (void)output_of("assign x.npy v.npy --begin 0 --end 3 --rules tensorflow --verify -o y.npy");
  EXPECT_EQ(result({3, 3}), (Values{1, 2, 3, 1, 2, 3, 1, 2, 3}));
  (void)output_of("assign x.npy v.npy --begin 1,0 --end 2,0 --end-mask 2 --verify -o y.npy");
  EXPECT_EQ(result({3, 3}), (Values{1, 2, 3, 1, 2, 3, 7, 8, 9}));
  (void)output_of("assign x.npy v.npy '2:3' --verify -o y.npy");
  EXPECT_EQ(result({3, 3}), (Values{1, 2, 3, 4, 5, 6, 1, 2, 3}));
  (void)output_of("assign x.npy v.npy '::-2, ::-1' --rules strided --verify -o y.npy");
  EXPECT_EQ(result({3, 3}), (Values{3, 2, 1, 4, 5, 6, 3, 2, 1}));
}

TEST_F(StridedNpy, Permutes) {
  (void)output_of("permute x.npy --axes 1,0 --verify -o y.npy");
  EXPECT_EQ(result({3, 3}), (Values{1, 4, 7, 2, 5, 8, 3, 6, 9}));
}

TEST_F(StridedNpy, ExplainsAndMeasures) {
  const std::string out = output_of("permute x.npy --axes 1,0 --explain --time -o y.npy");
  EXPECT_TRUE(contains(out, "plan:\n  moves 72 bytes")) << out;
  EXPECT_TRUE(contains(out, "kernel:")) << out;
  EXPECT_TRUE(contains(out, "GB/s, memcpy of the same 72 bytes ")) << out;
}

TEST_F(StridedNpy, CopiesInParts) {
  EXPECT_TRUE(contains(output_of("permute x.npy --axes 1,0 --explain --memory 1 --verify -o y.npy"),
                       "plan, for each part of shape (1, 1):\n"));
  EXPECT_EQ(result({3, 3}), (Values{1, 4, 7, 2, 5, 8, 3, 6, 9}));
  (void)output_of("slice x.npy --begin 0,0 --end 3,3 --strides 2,1 --memory 8KiB -o y.npy");
  EXPECT_EQ(result({2, 3}), (Values{1, 2, 3, 7, 8, 9}));
}

// A verification that cannot fail would show nothing: one bit of one element is turned over.
TEST_F(StridedNpy, VerificationFindsOneWrongBit) {
  const Outcome outcome = run("permute x.npy --axes 1,0 --verify --damage 5 -o y.npy");
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_EQ(outcome.err, std::string("strided_npy: verify: element (1, 2) is ") +
                             (kNative == "<" ? "0x0000000000000009" : "0x0100000000000008") +
                             ", the reference has 0x0000000000000008; nothing was written\n");
  EXPECT_FALSE(std::filesystem::exists(path("y.npy")));
}

TEST_F(StridedNpy, SaysWhatIsInAFile) {
  const std::string out = output_of("info x.npy --values 4");
  EXPECT_TRUE(contains(out, kNative + "i8  (signed integer, 8 bytes)")) << out;
  EXPECT_TRUE(contains(out, "(3, 3), 9 elements")) << out;
  EXPECT_TRUE(contains(out, "(3, 1) elements, C order")) << out;
  EXPECT_TRUE(contains(out, "72 bytes from byte 128, format version 1.0")) << out;
  EXPECT_TRUE(contains(out, "[[1, 2, 3], [4, ...], ...]")) << out;
}

struct Printed {
  std::string descr;
  std::string bytes;
  std::string text;
};

TEST_F(StridedNpy, PrintsElementsOfEveryKind) {
  const auto half = [](std::uint16_t bits) {
    return npy_support::bytes_of(std::vector<std::uint16_t>{bits});
  };
  const std::vector<Printed> cases{
      {kNative + "f2", half(0x3e00), "1.5"},
      {kNative + "f2", half(0x8000), "-0"},
      {kNative + "f2", half(0x0001), "5.9604645e-08"},
      {kNative + "f2", half(0x7bff), "65504"},
      {kNative + "f2", half(0xfc00), "-inf"},
      {kNative + "f2", half(0x7e00), "nan"},
      {kNative + "f4", npy_support::bytes_of(std::vector<float>{0.1F}), "0.1"},
      {kNative + "f8", npy_support::bytes_of(std::vector<double>{-1e300}), "-1e+300"},
      {kNative + "c8", npy_support::bytes_of(std::vector<float>{1.0F, -2.0F}), "(1-2j)"},
      {kNative + "M8[s]", npy_support::bytes_of(std::vector<std::int64_t>{-7}), "-7"},
      {"|b1", std::string(1, '\1'), "True"},
      {"|i1", "\xff", "-1"},
      {"|u1", "\xff", "255"},
      {"|S4", std::string("ab\0\0", 4), "'ab'"},
      {kNative + "U3", npy_support::bytes_of(std::vector<std::uint32_t>{0xe9, 0x6c34, 0}),
       "'\xc3\xa9\xe6\xb0\xb4'"},
      {kNative + "U2", npy_support::bytes_of(std::vector<std::uint32_t>{0x1f600, 0xffffffff}),
       "'\xf0\x9f\x98\x80?'"},
      {"|S3", "\x1b[m", "'?[m'"},
      {"|V3", std::string("\0\x1f\xff", 3), "x001fff"},
  };
  for (const Printed& c : cases) {
    write("p.npy", file_of(1, quoted(c.descr), false, "()", c.bytes));
    const std::string out = output_of("info p.npy --values 1");
    EXPECT_TRUE(contains(out, "  values    " + c.text + "\n")) << c.descr << '\n' << out;
  }
}

TEST_F(StridedNpy, DrawsAView) {
  EXPECT_EQ(output_of("show --storage 3x5 --size 2,3 --stride 5,2 --offset 5"),
            "shape (2, 3), strides (5, 2), offset 5\n"
            " 0 | . . . . .\n"
            " 5 | 0 . 1 . 2\n"
            "10 | 3 . 4 . 5\n"
            "6 elements, in 6 of 15 cells\n");
  // Cells that elements share, and one argument for a slice of a file.
  EXPECT_TRUE(
      contains(output_of("show --storage 4 --size 2,3 --stride 1,1"), "0 |   0 1x2 2x2   5\n"));
  EXPECT_TRUE(contains(output_of("show x.npy --begin 0,1 --end 9,2"), "3 | . 1 .\n"));
  EXPECT_TRUE(contains(output_of("show x.npy --columns 4"), "8 | 8\n"));
  write("drawing.svg.tmp", "somebody's file");
  (void)output_of("show --storage 4 --size 2,3 --stride 1,1 --svg drawing.svg");
  EXPECT_EQ(read("drawing.svg.tmp"), "somebody's file");
  const std::string svg = read("drawing.svg");
  EXPECT_EQ(svg.rfind("<svg xmlns=", 0), 0U);
  EXPECT_TRUE(contains(svg, "shape (2, 3), strides (1, 1), offset 0"));
  EXPECT_TRUE(contains(svg,
                       "\xc3\x97"
                       "2</text>"));
  EXPECT_TRUE(contains(svg, "</svg>\n"));
}

TEST_F(StridedNpy, DrawsAStorageOfOneDimensionByTheStrides) {
  EXPECT_TRUE(contains(output_of("show --storage 100 --size 6,5 --stride 10,1 --offset 22"),
                       "\n20 |  .  .  0  1  2  3  4  .  .  .\n"));
}

TEST_F(StridedNpy, DrawsThePictureOfTheReadme) {
  (void)output_of("show --storage 3x10 --size 3,4,3 --stride 10,2,1 --offset 1 --svg view.svg");
  std::ifstream picture(STRIDED_README_PICTURE, std::ios::binary);
  EXPECT_EQ(read("view.svg"), std::string(std::istreambuf_iterator<char>(picture), {}));
}

TEST_F(StridedNpy, HelpIsNoError) {
  EXPECT_TRUE(contains(output_of("--help"), "as_strided"));
  for (const std::string command :
       {"info", "show", "as_strided", "slice", "assign", "permute", "flip"}) {
    EXPECT_TRUE(contains(output_of(command + " --help"), "Usage: strided_npy " + command));
  }
  EXPECT_EQ(output_of("--version"), std::to_string(STRIDED_VERSION_MAJOR) + "." +
                                        std::to_string(STRIDED_VERSION_MINOR) + "." +
                                        std::to_string(STRIDED_VERSION_PATCH) + "\n");
}

TEST_F(StridedNpy, AFullStandardOutputIsAnError) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  EXPECT_EQ(run("info x.npy 2>err.txt >/dev/full; exit $? #").exit_code, 2);
  EXPECT_TRUE(contains(read("err.txt"), "cannot be written"));
}

// A limit on file sizes ends a write with an error, not the program with a signal.
TEST_F(StridedNpy, AFileSizeLimitIsAnError) {
  EXPECT_EQ(run("--version >/dev/null; ulimit -f 1; '" STRIDED_NPY_PROGRAM
                "' as_strided x.npy --size 10000 --stride 0 -o y.npy 2>err.txt; exit $? #")
                .exit_code,
            2);
  for (const std::string& name : names()) EXPECT_EQ(name.find("tmp"), std::string::npos) << name;
  EXPECT_FALSE(std::filesystem::exists(path("y.npy")));
}

}  // namespace
