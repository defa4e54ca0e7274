// The example golden_check from the outside: a right output, wrong ones, and wrong use.
#include <gtest/gtest.h>

#include <complex>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "interop/npy_support.hpp"
#include "strided/interop/npy.hpp"
#include "support/run_program.hpp"

namespace {

using strided::Dims;
using strided::StridedView;

class GoldenCheck : public npy_support::NpyFiles {
 protected:
  GoldenCheck() {
    save<float>("x.npy", {1, 2, 3, 4, 5, 6, 7, 8, 9}, {3, 3});
    save<float>("value.npy", {-1, -2}, {1, 2});
  }

  template <class T>
  void save(const std::string& name, const std::vector<T>& elements, const Dims& shape) const {
    strided::write_npy(path(name), StridedView<const T>(elements, shape));
  }
  void expect(int exit_code, const std::string& says, const std::string& arguments) const {
    const auto outcome = run_program::run(path(""), GOLDEN_CHECK_PROGRAM, arguments);
    EXPECT_EQ(outcome.exit_code, exit_code) << arguments << '\n' << outcome.err;
    EXPECT_EQ(exit_code == 2 ? outcome.err : outcome.out, says) << arguments;
    EXPECT_EQ(exit_code == 2 ? outcome.out : outcome.err, "") << arguments;
  }
};

constexpr const char* kAsStrided = "as_strided x.npy y.npy --size 2,2 --stride 2,3";

TEST_F(GoldenCheck, AsStrided) {
  save<float>("y.npy", {1, 4, 3, 6}, {2, 2});
  expect(0, "equal: 4 elements, bit for bit\n", kAsStrided);
  save<float>("y.npy", {1, 4, 7, 0}, {2, 2});
  expect(1,
         "first difference at (1, 0), element 2: device 7 (0x40e00000), reference 3 (0x40400000)\n",
         kAsStrided);
  save<float>("y.npy", {3, 6, 5, 8}, {2, 2});
  expect(0, "equal: 4 elements, bit for bit\n", std::string(kAsStrided) + " --offset 2");
}

TEST_F(GoldenCheck, BitsDecide) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  save<float>("x.npy", {nan, 0.0F}, {2});
  save<float>("y.npy", {nan, 0.0F}, {2});
  expect(0, "equal: 2 elements, bit for bit\n", "as_strided x.npy y.npy --size 2 --stride 1");
  save<float>("y.npy", {nan, -0.0F}, {2});
  expect(1,
         "first difference at (1,), element 1: device -0 (0x80000000), reference 0 (0x00000000)\n",
         "as_strided x.npy y.npy --size 2 --stride 1");
}

TEST_F(GoldenCheck, SliceAssign) {
  const std::string assign = "slice_assign x.npy value.npy y.npy --strides 1,1 ";
  const std::string plain = assign + "--begin 1,0 --end 2,2";
  save<float>("y.npy", {1, 2, 3, -1, -2, 6, 7, 8, 9}, {3, 3});
  expect(0, "equal: 9 elements, bit for bit\n", plain);
  expect(0, "equal: 9 elements, bit for bit\n", assign + "--begin 1,9 --end 2,2 --begin-mask 2");
  expect(
      1,
      "first difference at (1, 0), element 3: device -1 (0xbf800000), reference 4 (0x40800000)\n",
      assign + "--begin 1,1 --end 2,0 --end-mask 2");
  // An element that the operator must leave alone counts too.
  save<float>("y.npy", {1, 2, 3, -1, -2, 6, 7, 8, 0}, {3, 3});
  expect(1,
         "first difference at (2, 2), element 8: device 0 (0x00000000), reference 9 (0x41100000)\n",
         plain);
}

TEST_F(GoldenCheck, EveryElementWidth) {
  const auto check = [&]<class T>(T) {
    save<T>("x.npy", {T(1), T(2), T(3)}, {3});
    save<T>("y.npy", {T(1), T(3)}, {2});
    expect(0, "equal: 2 elements, bit for bit\n", "as_strided x.npy y.npy --size 2 --stride 2");
    save<T>("y.npy", {T(2)}, {1});
    expect(0, "equal: 1 element, bit for bit\n",
           "as_strided x.npy y.npy --size 1 --stride 1 --offset 1");
  };
  check(std::uint8_t{});
  check(std::int16_t{});
  check(std::int32_t{});
  check(double{});
  check(std::complex<double>{});
}

TEST_F(GoldenCheck, WrongUse) {
  save<float>("y.npy", {1, 4, 3, 6}, {4});
  expect(2, "golden_check: reference::as_strided_copy: y has shape (4,), (2, 2) is needed\n",
         kAsStrided);
  save<double>("y.npy", {1, 4, 3, 6}, {2, 2});
  expect(2, "golden_check: the elements of y.npy are of another type than those of x.npy\n",
         kAsStrided);
  expect(2, "golden_check: none.npy: cannot be read: No such file or directory\n",
         "as_strided x.npy none.npy --size 2 --stride 1");
  expect(2, "golden_check: --stride is required\n", "as_strided x.npy y.npy --size 2");
  expect(2, "golden_check: A subcommand is required\n", "");
  save<float>("y.npy", {1, 4, 3, 6}, {2, 2});
  expect(2,
         "golden_check: reference::as_strided_copy: the view reaches index 12 of the storage, "
         "which has 9 elements: 0 to 8\n",
         "as_strided x.npy y.npy --size 2,2 --stride 9,3");
  expect(2,
         "golden_check: reference::as_strided_copy: stride[0] is -1, under Rules::ascend it must "
         "be at least 0; Rules::strided takes negative ones\n",
         "as_strided x.npy y.npy --size 2,2 --stride -1,3");
}

}  // namespace
