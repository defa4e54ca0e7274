// Eigen's tensors as views and views as Eigen tensor maps, both without copying.
#include <gtest/gtest.h>

#include <array>
#include <numeric>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "strided/core/error.hpp"
#include "strided/interop/eigen_tensor.hpp"
#include "strided/view/strided_view.hpp"

namespace eigen_tensor_test {
namespace {

using strided::Dims;
using strided::ErrorCode;
using strided::from_eigen_tensor;
using strided::Layout;
using strided::StridedView;
using strided::to_eigen_tensor;
using strided::try_eigen_tensor_dimensions;
using strided::try_from_eigen_tensor;

template <class E>
concept Taken = requires(E&& e) {
  try_from_eigen_tensor(std::forward<E>(e));
};

using Tensor = Eigen::Tensor<float, 3>;
static_assert(Taken<Tensor&> && Taken<const Tensor&> && Taken<Eigen::TensorMap<Tensor>>);
static_assert(!Taken<Tensor> && !Taken<const Tensor>);
static_assert(!Taken<Eigen::TensorFixedSize<float, Eigen::Sizes<2, 3>>>);
static_assert(!Taken<decltype(std::declval<Tensor&>() + std::declval<Tensor&>())&>);

template <class View, class T>
constexpr bool kElementIs = std::is_same_v<typename View::element_type, T>;

template <class Tensors>
void expect_same(const Tensors& tensor, const Layout& layout) {
  const auto v = from_eigen_tensor(tensor);
  ASSERT_EQ(v.layout(), layout);
  EXPECT_EQ(v.storage().data(), tensor.data());
  EXPECT_EQ(static_cast<std::int64_t>(v.storage().size()), layout.size());
  using Index = typename Tensors::Index;
  for (Index i = 0; i < tensor.dimension(0); ++i) {
    for (Index j = 0; j < tensor.dimension(1); ++j) {
      for (Index k = 0; k < tensor.dimension(2); ++k) {
        EXPECT_EQ(v(i, j, k), tensor(i, j, k));
      }
    }
  }
}

TEST(EigenTensor, TensorsOfBothOrders) {
  Tensor columns(2, 3, 4);
  columns.setRandom();
  expect_same(columns, Layout({2, 3, 4}, {1, 2, 6}));
  const StridedView<float> v = from_eigen_tensor(columns);
  v(1, 2, 3) = 7.0F;
  EXPECT_EQ(columns(1, 2, 3), 7.0F);

  Eigen::Tensor<float, 3, Eigen::RowMajor> rows(2, 3, 4);
  rows.setRandom();
  const auto& readable = rows;
  expect_same(readable, Layout({2, 3, 4}));
  static_assert(kElementIs<decltype(from_eigen_tensor(rows)), float>);
  static_assert(kElementIs<decltype(from_eigen_tensor(readable)), const float>);

  Eigen::Tensor<float, 3, Eigen::RowMajor, int> narrow(2, 1, 5);
  narrow.setRandom();
  expect_same(narrow, Layout({2, 1, 5}));
  Eigen::TensorFixedSize<float, Eigen::Sizes<2, 3, 4>> fixed;
  fixed.setRandom();
  expect_same(fixed, Layout({2, 3, 4}, {1, 2, 6}));

  Eigen::Tensor<double, 0> scalar;
  scalar() = 2.5;
  EXPECT_EQ(from_eigen_tensor(scalar).layout(), Layout());
  EXPECT_EQ(from_eigen_tensor(scalar)(), 2.5);
  Tensor none(2, 0, 4);
  EXPECT_EQ(from_eigen_tensor(none).shape(), (Dims{2, 0, 4}));
  EXPECT_TRUE(from_eigen_tensor(none).storage().empty());
}

TEST(EigenTensor, MapsPassTheirConstnessOn) {
  std::vector<float> storage(24);
  const Eigen::TensorMap<Tensor> map(storage.data(), 2, 3, 4);
  static_assert(kElementIs<decltype(from_eigen_tensor(map)), float>);
  expect_same(map, Layout({2, 3, 4}, {1, 2, 6}));
  const Eigen::TensorMap<const Tensor> readable(storage.data(), 2, 3, 4);
  static_assert(kElementIs<decltype(from_eigen_tensor(readable)), const float>);
  expect_same(readable, Layout({2, 3, 4}, {1, 2, 6}));
}

template <class Call>
void expect_error(const Call& call, ErrorCode code, const std::string& message) {
  try {
    call();
    ADD_FAILURE() << "accepted, not refused with: " << message;
  } catch (const strided::Error& error) {
    EXPECT_EQ(error.code(), code);
    EXPECT_EQ(error.what(), message);
  }
}

TEST(EigenTensor, RefusedMaps) {
  EXPECT_EQ(try_from_eigen_tensor(Eigen::TensorMap<Tensor>(nullptr, 2, 3, 4)).error().code,
            ErrorCode::null_data);
  alignas(float) std::array<char, 16> bytes{};
  Eigen::TensorMap<Eigen::Tensor<float, 1>> odd(reinterpret_cast<float*>(bytes.data() + 2), 3);
  EXPECT_EQ(try_from_eigen_tensor(odd).error().code, ErrorCode::misaligned);
}

TEST(EigenTensor, ViewsAsTensors) {
  std::vector<int> storage(30);
  std::iota(storage.begin(), storage.end(), 0);
  const StridedView<int> v(storage, Layout({2, 3, 4}, 5));
  auto tensor = to_eigen_tensor<3>(v);
  static_assert(std::is_same_v<decltype(tensor), strided::EigenTensorMap<int, 3>>);
  EXPECT_EQ(tensor.data(), &storage[5]);
  EXPECT_EQ(tensor(1, 2, 3), v(1, 2, 3));
  tensor(0, 0, 1) = -1;
  EXPECT_EQ(storage[6], -1);
  EXPECT_EQ(from_eigen_tensor(tensor).layout(), Layout({2, 3, 4}));

  const auto turned = to_eigen_tensor<3, Eigen::ColMajor>(v.permute({2, 1, 0}));
  EXPECT_EQ(turned.data(), tensor.data());
  EXPECT_EQ(turned(3, 2, 1), v(1, 2, 3));

  const auto readable = to_eigen_tensor<3>(StridedView<const int>(v));
  static_assert(std::is_same_v<decltype(readable.data()), const int*>);
  EXPECT_EQ(readable.data(), tensor.data());
  const Eigen::Tensor<int, 0, Eigen::RowMajor> sum = readable.sum();
  EXPECT_EQ(sum(), std::accumulate(v.begin(), v.end(), 0));

  EXPECT_EQ(to_eigen_tensor<0>(v.select(0, 1).select(0, 1).select(0, 1))(), v(1, 1, 1));
  EXPECT_EQ(to_eigen_tensor<3>(v.slice(1, 0, 0)).size(), 0);
  // The strides of dimensions of size 1 do not matter.
  EXPECT_EQ(to_eigen_tensor<2>(StridedView<int>(storage, {1, 4}, {-9, 1}))(0, 3), 3);
}

TEST(EigenTensor, RefusedViews) {
  std::vector<int> storage(24);
  const StridedView<int> v(storage, {2, 3, 4});
  expect_error([&] { (void)to_eigen_tensor<2>(v); }, ErrorCode::length_mismatch,
               "to_eigen_tensor: the shape of the view has 3 entries, 2 are needed");
  expect_error(
      [&] {
        (void)to_eigen_tensor<3>(v.permute({2, 1, 0}));
      },
      ErrorCode::stride_mismatch,
      "to_eigen_tensor: strides[2] is 12, it must be exactly 1, as in memory without gaps; copy() "
      "to such memory first");
  expect_error([&] { (void)(to_eigen_tensor<3, Eigen::ColMajor>(v)); }, ErrorCode::stride_mismatch,
               "to_eigen_tensor: strides[0] is 12, it must be exactly 1, as in memory without "
               "gaps; copy() to such memory first");
  expect_error([&] { (void)to_eigen_tensor<3>(v.slice(1, 0, 2)); }, ErrorCode::stride_mismatch,
               "to_eigen_tensor: strides[0] is 12, it must be exactly 8, as in memory without "
               "gaps; copy() to such memory first");
  expect_error([&] { (void)to_eigen_tensor<3>(v.flip(2)); }, ErrorCode::stride_mismatch,
               "to_eigen_tensor: strides[2] is -1, it must be exactly 1, as in memory without "
               "gaps; copy() to such memory first");
  EXPECT_EQ(try_eigen_tensor_dimensions<3>(v.flip(0).layout()).error().code,
            ErrorCode::stride_mismatch);
  EXPECT_EQ((*try_eigen_tensor_dimensions<3>(v.layout()))[1], 3);
}

}  // namespace
}  // namespace eigen_tensor_test
