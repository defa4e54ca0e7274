// Eigen's dense objects as views and views as Eigen maps, both without copying.
#include <gtest/gtest.h>

#include <array>
#include <complex>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "strided/core/error.hpp"
#include "strided/interop/eigen.hpp"
#include "strided/ops/copy.hpp"
#include "strided/view/strided_view.hpp"

namespace eigen_test {
namespace {

using strided::Dims;
using strided::ErrorCode;
using strided::from_eigen;
using strided::Layout;
using strided::StridedView;
using strided::to_eigen;
using strided::to_eigen_vector;
using strided::try_eigen_mapping;
using strided::try_from_eigen;

using Matrix = Eigen::MatrixXf;
using RowMatrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using AnyStride = Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>;

template <class E>
concept Taken = requires(E&& e) {
  try_from_eigen(std::forward<E>(e));
};

static_assert(Taken<Matrix&> && Taken<const Matrix&> && Taken<Eigen::Map<Matrix>>);
static_assert(Taken<Eigen::Ref<Matrix>> && Taken<const Eigen::Ref<const Matrix>&>);
// Of these the elements would be gone, or are nowhere in memory.
static_assert(!Taken<Matrix> && !Taken<const Matrix> && !Taken<Eigen::ArrayXXd>);
static_assert(!Taken<Eigen::Ref<const Matrix>>);
static_assert(!Taken<decltype(std::declval<Matrix&>() + std::declval<Matrix&>())&>);

template <class View, class T>
constexpr bool kElementIs = std::is_same_v<typename View::element_type, T>;

// Shape, strides and every element, by address; the storage is the footprint and no more.
template <class T, class Expression>
void expect_same(const StridedView<T>& v, const Expression& m, const std::string& what) {
  if (v.rank() == 1) {
    ASSERT_EQ(v.shape(), Dims{m.size()}) << what;
    for (Eigen::Index i = 0; i < m.size(); ++i) {
      EXPECT_EQ(&v(i), m.data() + i * m.innerStride()) << what << ' ' << i;
    }
  } else {
    ASSERT_EQ(v.shape(), (Dims{m.rows(), m.cols()})) << what;
    for (Eigen::Index i = 0; i < m.rows(); ++i) {
      for (Eigen::Index j = 0; j < m.cols(); ++j) EXPECT_EQ(v(i, j), m.coeff(i, j)) << what;
    }
    EXPECT_EQ(&v(0, 0), m.data()) << what;
  }
  const strided::Bounds bounds = v.layout().bounds();
  EXPECT_EQ(bounds.lowest, 0) << what;
  EXPECT_EQ(bounds.highest + 1, static_cast<std::int64_t>(v.storage().size())) << what;
}

template <class M>
M numbered(Eigen::Index rows, Eigen::Index cols) {
  M m(rows, cols);
  for (Eigen::Index i = 0; i < m.size(); ++i) {
    m.data()[i] = typename M::Scalar(static_cast<typename M::RealScalar>(i));
  }
  return m;
}

TEST(Eigen, MatricesOfBothOrders) {
  Matrix m = numbered<Matrix>(3, 4);
  const StridedView<float> v = from_eigen(m);
  EXPECT_EQ(v.layout(), Layout({3, 4}, {1, 3}));
  expect_same(v, m, "column-major");
  v(2, 3) = -1.0F;  // the same memory
  EXPECT_EQ(m(2, 3), -1.0F);

  const RowMatrix rows = numbered<RowMatrix>(3, 4);
  const auto w = from_eigen(rows);
  static_assert(kElementIs<decltype(from_eigen(rows)), const float>);
  EXPECT_EQ(w.layout(), Layout({3, 4}, {4, 1}));
  expect_same(w, rows, "row-major");

  Eigen::Array<std::int16_t, 2, 3> fixed = numbered<Eigen::Array<std::int16_t, 2, 3>>(2, 3);
  static_assert(kElementIs<decltype(from_eigen(fixed)), std::int16_t>);
  expect_same(from_eigen(fixed), fixed, "array of fixed size");
}

TEST(Eigen, VectorsHaveRankOne) {
  Eigen::VectorXd column = Eigen::VectorXd::LinSpaced(5, 0.0, 4.0);
  EXPECT_EQ(from_eigen(column).layout(), Layout({5}, {1}));
  expect_same(from_eigen(column), column, "column");
  const Eigen::RowVector3d row(1.0, 2.0, 3.0);
  expect_same(from_eigen(row), row, "row");

  Matrix m = numbered<Matrix>(3, 4);
  EXPECT_EQ(from_eigen(m.row(1)).layout(), Layout({4}, {3}));
  expect_same(from_eigen(m.row(1)), m.row(1), "row of a matrix");
  expect_same(from_eigen(m.col(1).segment(1, 2)), m.col(1).segment(1, 2), "segment");
  EXPECT_EQ(from_eigen(m.diagonal(1)).layout(), Layout({3}, {4}));
  expect_same(from_eigen(m.diagonal(1)), m.diagonal(1), "diagonal");
  expect_same(from_eigen(m.diagonal(-1)), m.diagonal(-1), "lower diagonal");
}

TEST(Eigen, ExpressionsThatAreMemory) {
  Matrix m = numbered<Matrix>(6, 8);
  const Matrix& readable = m;
  expect_same(from_eigen(m.block(1, 2, 3, 4)), m.block(1, 2, 3, 4), "block");
  expect_same(from_eigen(m.topRows<2>()), m.topRows<2>(), "rows");
  expect_same(from_eigen(m.transpose()), m.transpose(), "transposed");
  expect_same(from_eigen(m.block(1, 1, 4, 4).transpose()), m.block(1, 1, 4, 4).transpose(),
              "transposed block");
  expect_same(from_eigen(m.array()), m.array(), "as array");
  expect_same(from_eigen(m.reshaped(4, 12)), m.reshaped(4, 12), "reshaped");
  static_assert(kElementIs<decltype(from_eigen(m.block(0, 0, 1, 1))), float>);
  static_assert(kElementIs<decltype(from_eigen(m.transpose())), float>);
  static_assert(kElementIs<decltype(from_eigen(readable.block(0, 0, 1, 1))), const float>);
  static_assert(kElementIs<decltype(from_eigen(readable.transpose())), const float>);

  Eigen::Ref<Matrix> ref(m);
  expect_same(from_eigen(ref), m, "ref");
  const Eigen::Ref<const Matrix> const_ref(m);
  static_assert(kElementIs<decltype(from_eigen(const_ref)), const float>);
  expect_same(from_eigen(const_ref), m, "ref to const");

  Eigen::MatrixXcf complex = numbered<Eigen::MatrixXcf>(2, 3);
  const StridedView<float> real = from_eigen(complex.real());
  EXPECT_EQ(real.layout(), Layout({2, 3}, {2, 4}));
  EXPECT_EQ(real(1, 2), 5.0F);
}

template <class Derived>
auto as_base(Eigen::MatrixBase<Derived>& m) {
  return from_eigen(m);
}
template <class Derived>
auto as_const_base(const Eigen::DenseBase<Derived>& m) {
  return from_eigen(m);
}

TEST(Eigen, FunctionsThatKnowTheBaseOnly) {
  Matrix m = numbered<Matrix>(3, 4);
  expect_same(as_base(m), m, "base");
  static_assert(kElementIs<decltype(as_base(m)), float>);
  static_assert(kElementIs<decltype(as_const_base(m)), const float>);
  expect_same(as_const_base(m.block(0, 1, 2, 2)), m.block(0, 1, 2, 2), "base of a block");
}

TEST(Eigen, MapsOfAnyStrides) {
  std::vector<int> storage(40);
  std::iota(storage.begin(), storage.end(), 0);
  using Map = Eigen::Map<Eigen::MatrixXi, Eigen::Unaligned, AnyStride>;
  Map steps(storage.data() + 1, 3, 4, AnyStride(10, 2));
  EXPECT_EQ(from_eigen(steps).layout(), Layout({3, 4}, {2, 10}));
  expect_same(from_eigen(steps), steps, "steps");

  Map backwards(storage.data() + 39, 3, 4, AnyStride(-10, -2));
  const StridedView<int> v = from_eigen(backwards);
  EXPECT_EQ(v.layout(), Layout({3, 4}, {-2, -10}, 34));
  EXPECT_EQ(v.storage().data(), storage.data() + 5);
  EXPECT_EQ(v.storage().size(), 35U);
  EXPECT_EQ(&v(0, 0), &storage[39]);
  EXPECT_EQ(&v(2, 3), &storage[5]);

  Map repeated(storage.data() + 7, 3, 4, AnyStride(1, 0));
  EXPECT_EQ(from_eigen(repeated).layout(), Layout({3, 4}, {0, 1}));
  expect_same(from_eigen(repeated), repeated, "stride 0");

  Eigen::Map<const Eigen::VectorXi, 0, Eigen::InnerStride<>> every(storage.data(), 5,
                                                                   Eigen::InnerStride<>(3));
  static_assert(kElementIs<decltype(from_eigen(every)), const int>);
  expect_same(from_eigen(every), every, "vector with a step");
  Eigen::Map<Eigen::MatrixXi, 0, Eigen::OuterStride<>> padded(storage.data(), 3, 4,
                                                              Eigen::OuterStride<>(5));
  EXPECT_EQ(from_eigen(padded).layout(), Layout({3, 4}, {1, 5}));
}

TEST(Eigen, EmptyObjects) {
  Matrix none(0, 5);
  EXPECT_EQ(from_eigen(none).shape(), (Dims{0, 5}));
  EXPECT_TRUE(from_eigen(none).storage().empty());
  EXPECT_EQ(from_eigen(Eigen::Map<Eigen::VectorXf>(nullptr, 0)).shape(), Dims{0});
  Eigen::MatrixXcf complex(0, 0);
  EXPECT_EQ(from_eigen(complex.real()).shape(), (Dims{0, 0}));
  EXPECT_EQ(to_eigen(from_eigen(none)).rows(), 0);
  EXPECT_EQ(to_eigen(from_eigen(none)).cols(), 5);
}

TEST(Eigen, RefusedMaps) {
  Eigen::Map<Matrix> null(nullptr, 2, 3);
  EXPECT_EQ(try_from_eigen(null).error().code, ErrorCode::null_data);
  alignas(float) std::array<char, 16> bytes{};
  Eigen::Map<Eigen::VectorXf> odd(reinterpret_cast<float*>(bytes.data() + 1), 3);
  EXPECT_EQ(try_from_eigen(odd).error().code, ErrorCode::misaligned);
  constexpr Eigen::Index kHuge = std::numeric_limits<Eigen::Index>::max();
  std::array<float, 1> one{};
  Eigen::Map<Matrix, 0, AnyStride> far(one.data(), 3, 3, AnyStride(kHuge / 2 + 1, 1));
  EXPECT_EQ(try_from_eigen(far).error().code, ErrorCode::overflow);
}

TEST(Eigen, ViewsAsMaps) {
  std::vector<float> storage(100);
  std::iota(storage.begin(), storage.end(), 0.0F);
  const StridedView<float> v(storage, {6, 5}, {10, 1}, 22);
  const std::vector<StridedView<float>> views = {v,
                                                 v.permute({1, 0}),
                                                 v.flip(0),
                                                 v.flip(1),
                                                 v.flip(0).flip(1),
                                                 v.slice(0, 1, 6, 2),
                                                 v.slice(1, 4, 0, -3),
                                                 v.select(0, 2).broadcast_to({3, 5}),
                                                 v.narrow(0, 2, 1),
                                                 v.narrow(1, 2, 1),
                                                 v.slice(0, 3, 3)};
  for (const StridedView<float>& view : views) {
    const auto rows = to_eigen(view);
    const auto columns = to_eigen<Eigen::ColMajor>(StridedView<const float>(view));
    static_assert(std::is_same_v<decltype(rows), const strided::EigenMap<float>>);
    static_assert(
        std::is_same_v<decltype(columns), const strided::EigenMap<const float, Eigen::ColMajor>>);
    static_assert(
        !std::is_assignable_v<decltype(to_eigen(StridedView<const float>())(0, 0)), float>);
    ASSERT_EQ((Dims{rows.rows(), rows.cols()}), view.shape());
    ASSERT_EQ((Dims{columns.rows(), columns.cols()}), view.shape());
    for (Eigen::Index i = 0; i < rows.rows(); ++i) {
      for (Eigen::Index j = 0; j < rows.cols(); ++j) {
        EXPECT_EQ(&rows.coeffRef(i, j), &view(i, j));
        EXPECT_EQ(&columns.coeffRef(i, j), &view(i, j));
      }
    }
    // What Eigen computes with such a map is what it computes with a matrix of its own.
    const RowMatrix own = rows;
    EXPECT_EQ(own * own.transpose(), rows * rows.transpose());
    EXPECT_EQ(own.rowwise().sum(), columns.rowwise().sum());
    if (view.empty()) continue;
    const StridedView<float> back = from_eigen(to_eigen(view));
    EXPECT_EQ(back.shape(), view.shape());
    EXPECT_EQ(&back(0, 0), &view(0, 0));
    EXPECT_EQ(&back(view.shape()[0] - 1, view.shape()[1] - 1),
              &view(view.shape()[0] - 1, view.shape()[1] - 1));
  }
  to_eigen(v.flip(0)).row(0).setConstant(-1.0F);
  EXPECT_EQ(storage[72], -1.0F);
  EXPECT_EQ(storage[77], 77.0F);
}

TEST(Eigen, ViewsAsVectors) {
  std::vector<double> storage{0, 1, 2, 3, 4, 5, 6, 7};
  const StridedView<double> v(storage, {3}, {-2}, 6);
  auto vector = to_eigen_vector(v);
  EXPECT_EQ(vector.dot(Eigen::Vector3d(1, 10, 100)), 6.0 + 40.0 + 200.0);
  EXPECT_EQ(&vector(2), &storage[2]);
  vector(0) = 60.0;
  EXPECT_EQ(storage[6], 60.0);
  EXPECT_EQ(from_eigen(vector).strides(), Dims{-2});
  EXPECT_EQ(to_eigen_vector(StridedView<const double>(v.broadcast_to({3}))).size(), 3);

  const auto column = to_eigen(v);
  EXPECT_EQ(column.rows(), 3);
  EXPECT_EQ(column.cols(), 1);
  EXPECT_EQ(&column.coeffRef(1, 0), &storage[4]);

  EXPECT_THROW((void)to_eigen_vector(v.unsqueeze(0)), strided::Error);
}

TEST(Eigen, RefusedViews) {
  std::vector<float> storage(8);
  const StridedView<float> v(storage, {2, 2, 2});
  EXPECT_THROW((void)to_eigen(v), strided::Error);
  EXPECT_EQ(try_eigen_mapping(Layout()).error().code, ErrorCode::rank_too_small);
  EXPECT_EQ(try_eigen_mapping(v.layout()).error().code, ErrorCode::rank_too_large);
  const auto mapping = try_eigen_mapping(v.select(0, 1).flip(0).layout());
  ASSERT_TRUE(mapping.has_value());
  EXPECT_EQ(mapping->row_stride, -2);
  EXPECT_EQ(mapping->col_stride, 1);
}

TEST(Eigen, CopiesBetweenTheTwoOrders) {
  const Matrix m = numbered<Matrix>(37, 53);
  RowMatrix rows(37, 53);
  strided::copy(from_eigen(m), from_eigen(rows));
  EXPECT_EQ(rows, m);
}

}  // namespace
}  // namespace eigen_test
