// strided_npy from the outside: what it refuses, and that a refusal leaves the disk as it was.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <string>

#include "interop/npy_support.hpp"
#include "strided/interop/npy.hpp"
#include "strided_npy/cli_support.hpp"

namespace {

using npy_support::file_of;
using npy_support::kForeign;
using npy_support::kNative;
using npy_support::quoted;
using strided::NpyFile;

class StridedNpyRefuses : public cli_support::StridedNpy {};

TEST_F(StridedNpyRefuses, WrongUse) {
  expect_refused("", "a subcommand is needed");
  expect_refused("turn x.npy -o y.npy",
                 "there is no subcommand 'turn'; there are info, show, as_strided, slice, assign, "
                 "permute, flip");
  expect_refused("permute x.npy --axes 1 0 -o y.npy", "lists have commas: --axes 1,0");
  expect_refused("as_strided x.npy --size 2, 2 --stride 1,0 -o y.npy",
                 "lists have commas: --size 2,2");
  expect_refused("flip", "input is required");
  expect_refused("flip x.npy -o y.npy", "--axis is required");
  expect_refused("flip x.npy --axis 0", "--output is required");
  expect_refused("flip x.npy --axis 0 -o y.npy --loud", "--loud");
  expect_refused("flip x.npy extra.npy --axis 0 -o y.npy", "extra.npy");
  expect_refused("flip x.npy --axis 0x -o y.npy", "--axis: '0x' is not a list of whole numbers");
  expect_refused("flip x.npy --axis 0, -o y.npy", "is not a list of whole numbers");
  expect_refused("flip x.npy --axis --verify -o y.npy", "'--verify' is not a list");
  expect_refused("flip x.npy --axis 9223372036854775808 -o y.npy", "64-bit");
  expect_refused("flip x.npy --axis 2 -o y.npy", "axis is 2");
  expect_refused("flip x.npy --axis 0,-2 -o y.npy", "--axis names dimension 0 twice");
  expect_refused("flip x.npy --axis '' -o y.npy", "--axis");
  expect_refused("assign x.npy v.npy --begin 3 --end 0 --strides 1 --shrink-axis-mask 1 -o y.npy",
                 "assign: begin[0] is 3");
  expect_refused("info x.npy --values -1", "--values must be at least 0");
  expect_refused("show --storage 4 --columns 0", "--columns must be at least 1");
  expect_refused("permute x.npy --axes 1,0 --memory much -o y.npy",
                 "--memory: 'much' is not a size such as 256MiB");
  expect_refused("permute x.npy --axes 1,0 --memory -1 -o y.npy", "'-1' is not a size");
  for (const std::string size : {"", "MiB", "1.5G", "1x", "1 MiBs", "16E", "9223372036854775808"}) {
    expect_refused("permute x.npy --axes 1,0 -o y.npy --memory '" + size + "'",
                   "'" + size + "' is not a size such as 256MiB");
  }
  expect_refused("permute x.npy --axes 0 -o y.npy", "axes has 1 entry, 2 are needed");
  expect_refused("permute x.npy --axes 0,0 -o y.npy", "an axis named before");
  expect_refused("as_strided x.npy --size 2 -o y.npy", "--stride");
  expect_refused("as_strided x.npy --size 2 --stride 1 --offset 1,2 -o y.npy",
                 "--offset is a list of one number, not of 2");
  expect_refused(
      "as_strided x.npy --size 2 --stride 9 -o y.npy",
      "as_strided: the view reaches index 9 of x (dimension 0), which has 9 elements: 0 to 8");
  expect_refused("slice x.npy -o y.npy", "give either an index such as '1:3, ::-1' or --begin");
  expect_refused("slice x.npy 0 --begin 0 --end 1 -o y.npy", "give either an index");
  expect_refused("assign x.npy v.npy -o y.npy",
                 "assign: give either an index such as '1:3, ::-1' or --begin and --end");
  expect_refused("assign x.npy v.npy 0 --begin 0 --end 1 -o y.npy", "give either an index");
  expect_refused("slice x.npy 1:2:3:4 -o y.npy", "'1:2:3:4' is not an index such as 2, 1:3");
  expect_refused("slice x.npy 1,,2 -o y.npy", "is not an index");
  expect_refused("slice x.npy ' ' -o y.npy", "is not an index");
  expect_refused("slice x.npy 1:b -o y.npy", "is not an index");
  expect_refused("slice x.npy 9223372036854775808: -o y.npy", "made of 64-bit numbers");
  expect_refused("slice x.npy '..., ...' -o y.npy", "ellipsis_mask has 2 bits set");
  expect_refused("slice x.npy '0, 0, 0' -o y.npy",
                 "slice: begin has 3 entries that take a dimension each, x has 2 dimensions");
  expect_refused("slice x.npy ::0 -o y.npy", "a slice needs a step other than 0");
  expect_refused("as_strided x.npy --size 2 --stride -1 --offset 4 -o y.npy",
                 "as_strided: stride[0] is -1, under --rules ascend it must be at least 0; "
                 "--rules strided takes negative ones");
  expect_refused("as_strided x.npy --size 2 --stride 1 --rules best -o y.npy",
                 "--rules: best not in {ascend,strided,tensorflow,torch}");
  expect_refused("slice x.npy --begin 0 -o y.npy", "--end");
  expect_refused("slice x.npy --begin 0 --end 1,2 -o y.npy", "end has 2 entries, 1 is needed");
  expect_refused("slice x.npy --begin 0 --end 1 --strides 0 -o y.npy", "strides[0] is 0");
  expect_refused("slice x.npy --begin 0 --end 1 --begin-mask -1 -o y.npy", "is not a mask");
  expect_refused("slice x.npy --begin 0 --end 1 --begin-mask 4294967296 -o y.npy", "at most 32");
  expect_refused("slice x.npy --begin 3 --end 0 --shrink-axis-mask 1 -o y.npy", "begin[0] is 3");
  expect_refused("slice x.npy --begin 0,0 --end 3,3 --strides 1,2 --rules ascend -o y.npy",
                 "under --rules ascend the stride of the last dimension must be 1; "
                 "--rules tensorflow takes any but 0");
  expect_refused("assign x.npy floats.npy --begin 0 --end 1 -o y.npy",
                 "x.npy is of type " + kNative + "i8, floats.npy of type " + kNative + "f4");
  expect_refused("show", "either a file or --storage");
  expect_refused("show x.npy --storage 3", "either a file or --storage");
  expect_refused("show --storage 3y3", "is not a shape such as 10x10");
  expect_refused("show --storage 3x", "is not a shape such as 10x10");
  expect_refused("show --storage 1000x1000", "at most 10000 are drawn");
  expect_refused("show --storage 4 --size 5 --stride 1",
                 "show: the view reaches index 4 of the storage");
  expect_refused("show --storage 4 --size 5 --stride 1 --offset 1,2", "show: --offset is a list");
  expect_refused("show --storage 4 --size 1 --stride 1 --begin 0 --end 1", "either --size or");
  expect_refused("show --storage 4 --svg absent/a.svg", "cannot be written");
}

TEST_F(StridedNpyRefuses, UnusableFiles) {
  write("text.npy", "hello");
  write("short.npy", file_of(1, "'|u1'", false, "(9,)", "abc"));
  write("objects.npy", file_of(1, "'|O'", false, "(1,)", "x"));
  write("foreign.npy", file_of(1, quoted(kForeign + "f4"), false, "(1,)", "abcd"));
  expect_refused("info absent.npy", "absent.npy: cannot be read: No such file or directory");
  expect_refused("info .", ".: cannot be read: it is no regular file");
  expect_refused("info text.npy", "text.npy: not a .npy file");
  expect_refused("info short.npy", "has 9 bytes, the file has 3 of them");
  expect_refused("flip objects.npy --axis 0 -o y.npy", "its items are Python objects");
  expect_refused("flip foreign.npy --axis 0 -o y.npy", "not this machine's byte order");
  expect_refused("flip x.npy --axis 0 -o absent/y.npy", "cannot be written: No such file");
  expect_refused("flip x.npy --axis 0 -o /dev/null", "is no regular file");
  expect_refused("flip x.npy --axis 0 -o -", "'-' is not a file");
  expect_refused("show x.npy --svg -", "'-' is not a file");
  int ends[2] = {-1, -1};
  ASSERT_EQ(::pipe(ends), 0);
  expect_refused("flip x.npy --axis 0 -o /dev/fd/" + std::to_string(ends[1]), "is no regular file");
  write("bytes.npy", file_of(1, "[('\x9b\x1b', 'x')]", false, "(1,)", "x"));
  write("\x1b\x9b.npy", "hello");
  expect_refused("info bytes.npy", "'x' is not a type string");
  expect_refused("info '\x1b\x9b.npy'", "??.npy: not a .npy file");
}

TEST_F(StridedNpyRefuses, ToOverwriteTheInput) {
  const std::string before = read("x.npy");
  std::filesystem::create_symlink(path("x.npy"), path("link.npy"));
  expect_refused("flip x.npy --axis 0 -o x.npy", "the same file");
  expect_refused("flip x.npy --axis 0 -o ./link.npy", "the same file");
  expect_refused("flip link.npy --axis 0 -o x.npy", "the same file");
  expect_refused("assign x.npy v.npy --begin 0 --end 1 -o x.npy", "the same file");
  expect_refused("assign x.npy v.npy --begin 0 --end 1 -o v.npy", "the same file");
  expect_refused("show x.npy --svg x.npy", "the same file");
  EXPECT_EQ(read("x.npy"), before);
}

// An output that is there already stays as it is when the command fails, and is replaced as a whole
// when it does not.
TEST_F(StridedNpyRefuses, AndAnOldOutputStaysUntilTheNewOneIsWhole) {
  write("old.npy", "before");
  EXPECT_EQ(run("flip x.npy --axis 0 --verify --damage 0 -o old.npy").exit_code, 1);
  EXPECT_EQ(read("old.npy"), "before");
  (void)output_of("flip x.npy --axis 0 -o old.npy");
  EXPECT_EQ(NpyFile::open(path("old.npy")).view<std::int64_t>()(0, 0), 7);
}

}  // namespace
