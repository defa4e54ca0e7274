// xtensor's expressions as views and views as xtensor expressions, both without copying.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>
#include <xtensor/xfixed.hpp>
#include <xtensor/xmanipulation.hpp>
#include <xtensor/xmath.hpp>

#include "strided/core/error.hpp"
#include "strided/interop/xtensor.hpp"
#include "strided/ops/copy.hpp"
#include "strided/view/strided_view.hpp"

namespace xtensor_test {
namespace {

using strided::Dims;
using strided::ErrorCode;
using strided::from_xtensor;
using strided::Layout;
using strided::StridedView;
using strided::to_xtensor;
using strided::try_from_xtensor;

template <class E>
concept Taken = requires(E&& e) {
  try_from_xtensor(std::forward<E>(e));
};

using Array = xt::xarray<float>;
static_assert(Taken<Array&> && Taken<const Array&>);
static_assert(Taken<decltype(xt::view(std::declval<Array&>(), 0))>);
static_assert(Taken<decltype(xt::transpose(std::declval<const Array&>()))>);
static_assert(Taken<decltype(xt::adapt(std::declval<std::vector<float>&>()))>);
// Of these the elements would be gone, or are nowhere in memory.
static_assert(!Taken<Array> && !Taken<const Array> && !Taken<xt::xtensor<int, 2>>);
static_assert(!Taken<decltype(xt::view(std::declval<Array>(), 0))>);
static_assert(!Taken<decltype(xt::transpose(std::declval<Array>()))>);
static_assert(!Taken<decltype(xt::adapt(std::declval<std::vector<float>>()))>);
static_assert(!Taken<decltype(std::declval<Array&>() + 1.0F)&>);

template <class View, class T>
constexpr bool kElementIs = std::is_same_v<typename View::element_type, T>;

// Every element is the very same object, and the storage is the footprint and no more.
template <class T, class Expression>
void expect_same(const StridedView<T>& v, const Expression& e, const std::string& what) {
  ASSERT_EQ(static_cast<std::size_t>(v.rank()), e.dimension()) << what;
  for (std::size_t i = 0; i < e.dimension(); ++i) {
    EXPECT_EQ(v.shape()[i], static_cast<std::int64_t>(e.shape()[i])) << what << ' ' << i;
  }
  std::vector<std::size_t> index(e.dimension());
  for (std::int64_t k = 0; k < v.size(); ++k) {
    std::int64_t rest = k;
    Dims at = v.shape();
    for (std::size_t i = e.dimension(); i-- > 0; rest /= v.shape()[i]) {
      at[i] = rest % v.shape()[i];
      index[i] = static_cast<std::size_t>(at[i]);
    }
    EXPECT_EQ(&v.at(at), &e.element(index.begin(), index.end())) << what << ' ' << to_string(at);
  }
  const strided::Bounds bounds = v.layout().bounds();
  EXPECT_EQ(bounds.lowest, 0) << what;
  EXPECT_EQ(bounds.highest + 1, static_cast<std::int64_t>(v.storage().size())) << what;
}

TEST(Xtensor, ContainersOfEveryKind) {
  Array a = xt::arange<float>(24).reshape({2, 3, 4});
  const Array& readable = a;
  EXPECT_EQ(from_xtensor(a).layout(), Layout({2, 3, 4}));
  expect_same(from_xtensor(a), a, "xarray");
  static_assert(kElementIs<decltype(from_xtensor(a)), float>);
  static_assert(kElementIs<decltype(from_xtensor(readable)), const float>);
  from_xtensor(a)(1, 2, 3) = -1.0F;
  EXPECT_EQ(a(1, 2, 3), -1.0F);

  xt::xtensor<std::int16_t, 2, xt::layout_type::column_major> columns({3, 4});
  EXPECT_EQ(from_xtensor(columns).layout(), Layout({3, 4}, {1, 3}));
  expect_same(from_xtensor(columns), columns, "column-major xtensor");
  xt::xtensor_fixed<double, xt::xshape<2, 5>> fixed;
  EXPECT_EQ(from_xtensor(fixed).layout(), Layout({2, 5}));
  xt::xtensor<bool, 1> flags = xt::zeros<bool>({5});
  static_assert(kElementIs<decltype(from_xtensor(flags)), bool>);
  EXPECT_EQ(&from_xtensor(flags)(4), &flags(4));

  std::vector<int> storage(6);
  auto adapted = xt::adapt(storage, {2, 3});
  EXPECT_EQ(&from_xtensor(adapted)(1, 2), &storage[5]);
  const xt::xarray<int> scalar = 7;
  EXPECT_EQ(from_xtensor(scalar)(), 7);
  const xt::xarray<int> none = xt::zeros<int>({2, 0, 3});
  EXPECT_EQ(from_xtensor(none).shape(), (Dims{2, 0, 3}));
  EXPECT_TRUE(from_xtensor(none).storage().empty());
}

TEST(Xtensor, ViewsOfContainers) {
  Array a = xt::arange<float>(120).reshape({4, 5, 6});
  const Array& readable = a;
  expect_same(from_xtensor(xt::view(a, xt::range(1, 3), xt::all(), xt::range(0, 6, 2))),
              xt::view(a, xt::range(1, 3), xt::all(), xt::range(0, 6, 2)), "ranges");
  expect_same(from_xtensor(xt::view(a, 2, xt::newaxis(), xt::all())),
              xt::view(a, 2, xt::newaxis(), xt::all()), "a new axis");
  expect_same(from_xtensor(xt::view(xt::view(a, 1), xt::all(), 3)),
              xt::view(xt::view(a, 1), xt::all(), 3), "a view of a view");
  expect_same(from_xtensor(xt::transpose(a, {2, 0, 1})), xt::transpose(a, {2, 0, 1}), "transpose");
  const StridedView<float> flipped = from_xtensor(xt::flip(a, 1));
  EXPECT_EQ(flipped.layout(), Layout({4, 5, 6}, {30, -6, 1}, 24));
  expect_same(flipped, xt::flip(a, 1), "flip");
  using xt::placeholders::_;
  const auto backwards = xt::strided_view(a, {xt::ellipsis(), xt::range(_, _, -2)});
  expect_same(from_xtensor(backwards), backwards, "a negative step");
  static_assert(kElementIs<decltype(from_xtensor(xt::view(readable, 0))), const float>);
  expect_same(from_xtensor(xt::view(readable, 3)), xt::view(readable, 3), "of const");
}

TEST(Xtensor, RefusedExpressions) {
  const std::vector<std::size_t> ones(33, 1);
  Array deep(ones);
  EXPECT_EQ(try_from_xtensor(deep).error().code, ErrorCode::rank_too_large);
  float* nothing = nullptr;
  auto null =
      xt::adapt(std::move(nothing), 6, xt::no_ownership(), std::array<std::size_t, 2>{2, 3});
  EXPECT_EQ(try_from_xtensor(null).error().code, ErrorCode::null_data);
  alignas(float) std::array<char, 16> bytes{};
  auto odd = xt::adapt(reinterpret_cast<float*>(bytes.data() + 1), 3, xt::no_ownership(),
                       std::array<std::size_t, 1>{3});
  EXPECT_EQ(try_from_xtensor(odd).error().code, ErrorCode::misaligned);
}

TEST(Xtensor, ViewsAsExpressions) {
  std::vector<int> storage(100);
  std::iota(storage.begin(), storage.end(), 0);
  const StridedView<int> v(storage, {6, 5}, {10, 1}, 22);
  const std::vector<StridedView<int>> views = {v,
                                               v.permute({1, 0}),
                                               v.flip(0),
                                               v.flip(1).flip(0),
                                               v.slice(0, 1, 6, 2),
                                               v.windows(1, 3, 1),
                                               v.select(0, 2).broadcast_to({2, 3, 5}),
                                               v.narrow(1, 2, 1),
                                               v.select(0, 0).select(0, 4)};
  for (const StridedView<int>& view : views) {
    const std::string what = to_string(view.shape()) + " by " + to_string(view.strides());
    const auto e = to_xtensor(view);
    const auto readable = to_xtensor(StridedView<const int>(view));
    static_assert(std::is_same_v<decltype(*readable.data()), const int&>);
    expect_same(StridedView<const int>(from_xtensor(e)), e, what);
    expect_same(from_xtensor(readable), readable, what);
    // What xtensor computes, it computes of the view's elements.
    const xt::xarray<int> own = e + 0;
    EXPECT_TRUE(std::equal(own.begin(), own.end(), view.begin())) << what;
    EXPECT_EQ(xt::sum(readable)(), std::accumulate(view.begin(), view.end(), 0)) << what;
  }
  const auto none = to_xtensor(v.slice(0, 3, 3));
  EXPECT_EQ(none.shape(0), 0U);
  EXPECT_EQ(none.size(), 0U);
  EXPECT_EQ(to_xtensor(StridedView<int>()).size(), 0U);
}

TEST(Xtensor, WritesThroughExpressions) {
  std::vector<int> storage(100, 0);
  std::vector<int> other(100, 0);
  std::iota(other.begin(), other.end(), 0);
  const StridedView<int> v(storage, {6, 5}, {10, 1}, 22);
  // Equal strides on both sides, with gaps: these must stay as they are.
  to_xtensor(v) = to_xtensor(StridedView<const int>(other, {6, 5}, {10, 1}, 22));
  for (int i = 0; i < 100; ++i) {
    const bool inside = i >= 22 && (i - 22) / 10 < 6 && (i - 22) % 10 < 5;
    EXPECT_EQ(storage[static_cast<std::size_t>(i)], inside ? i : 0);
  }
  to_xtensor(v.flip(0)) = to_xtensor(StridedView<const int>(other, {6, 5}));
  EXPECT_EQ(v(5, 1), 1);
  EXPECT_EQ(v(0, 0), 25);
  auto e = to_xtensor(v);
  e *= 2;
  EXPECT_EQ(v(5, 1), 2);
}

// Dimensions of size 1 are broadcast, whatever their stride is in the view.
TEST(Xtensor, DimensionsOfSizeOneBroadcast) {
  std::vector<int> storage{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  const StridedView<int> v(storage, {3, 4});
  const xt::xarray<int> sum = to_xtensor(v.narrow(1, 1, 1)) + to_xtensor(v);
  EXPECT_EQ(sum(2, 3), 9 + 11);
  const xt::xarray<int> rows = to_xtensor(v.narrow(0, 1, 1)) + to_xtensor(v);
  EXPECT_EQ(rows(2, 3), 7 + 11);
}

TEST(Xtensor, CopiesBetweenTheTwoOrders) {
  const xt::xtensor<float, 2> rows = xt::arange<float>(37 * 53).reshape({37, 53});
  xt::xtensor<float, 2, xt::layout_type::column_major> columns({37, 53});
  strided::copy(from_xtensor(rows), from_xtensor(columns));
  EXPECT_EQ(rows, columns);
}

}  // namespace
}  // namespace xtensor_test
