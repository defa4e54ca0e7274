// Eigen's matrices, vectors, maps and blocks as views, and views as Eigen maps, without copying.
//
// Needs Eigen 3.4 or later: the maps of versions before take no negative strides.
#pragma once

#include <Eigen/Core>

#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include "strided/core/config.hpp"
#include "strided/core/dims.hpp"
#include "strided/core/result.hpp"
#include "strided/view/layout.hpp"
#include "strided/view/strided_view.hpp"

namespace strided::inline STRIDED_ABI {

static_assert(EIGEN_VERSION_AT_LEAST(3, 4, 0), "strided/interop/eigen.hpp needs Eigen 3.4");

namespace detail {

// Matrices hold their elements, and a Ref to const may hold a copy: what was looked at would be
// gone with a temporary of these. Maps, blocks and other Refs look at elements that stay.
template <class Derived>
inline constexpr bool kEigenHolds = std::is_base_of_v<Eigen::PlainObjectBase<Derived>, Derived>;
template <class Plain, int Options, class Stride>
inline constexpr bool kEigenHolds<Eigen::Ref<const Plain, Options, Stride>> = true;

// Expressions whose elements are in memory, a constant step apart.
template <class Derived>
concept EigenStrided = (static_cast<int>(Eigen::internal::traits<Derived>::Flags) &
                        int{Eigen::DirectAccessBit}) != 0;

// `expression` is an Eigen object, const or not: so are the elements.
template <class Derived>
[[nodiscard]] auto view_of_eigen(Derived& expression) noexcept {
  using T = std::remove_pointer_t<decltype(expression.data())>;
  Result<Layout> layout = Layout();
  if constexpr (std::remove_const_t<Derived>::IsVectorAtCompileTime) {
    layout = Layout::try_make(Dims{expression.size()}, Dims{expression.innerStride()});
  } else {
    layout = Layout::try_make(Dims{expression.rows(), expression.cols()},
                              Dims{expression.rowStride(), expression.colStride()});
  }
  // The data() of some expressions is the address of a first element, which must exist.
  T* const first = expression.size() == 0 ? nullptr : expression.data();
  Result<StridedView<T>> view = StridedView<T>::try_from_pointer(first, layout);
  view.told_of("from_eigen");
  return view;
}

}  // namespace detail

// An Eigen object as a view of the same elements, or why there is none. Takes every dense object
// whose elements are in memory: Matrix, Array, Map, Block, Ref, transposed, diagonals, real parts,
// of either storage order and with any strides. A vector, one that is known to be one when
// compiling, has rank 1, everything else rank 2, (rows, columns). The elements are const where
// those of the object are: Eigen's maps and blocks pass their own constness on. The storage is what
// lies from the lowest to the highest element.
//
// Temporaries that hold elements themselves are refused when compiling; from_eigen says why. A
// template asks with `requires { try_from_eigen(...); }`. Errors: null_data (a Map of
// nothing that is not empty), misaligned, overflow. Semantics: rowStride() and colStride() of
// Eigen, which count in elements.
template <class Derived>
  requires detail::EigenStrided<Derived>
[[nodiscard]] auto try_from_eigen(Eigen::DenseBase<Derived>& expression) noexcept {
  return detail::view_of_eigen(expression.derived());
}
template <class Derived>
  requires detail::EigenStrided<Derived>
[[nodiscard]] auto try_from_eigen(const Eigen::DenseBase<Derived>& expression) noexcept {
  return detail::view_of_eigen(expression.derived());
}
template <class Derived>
  requires(detail::EigenStrided<Derived> && !detail::kEigenHolds<Derived>)
[[nodiscard]] auto try_from_eigen(Eigen::DenseBase<Derived>&& expression) noexcept {
  return detail::view_of_eigen(expression.derived());
}
template <class Derived>
  requires detail::kEigenHolds<Derived>
void try_from_eigen(Eigen::DenseBase<Derived>&& temporary) = delete;
template <class Derived>
  requires detail::kEigenHolds<Derived>
void try_from_eigen(const Eigen::DenseBase<Derived>&& temporary) = delete;

// The same; throws what try_from_eigen returns.
//
//   Eigen::MatrixXf m(6, 5);
//   StridedView<float> v = from_eigen(m);              // shape (6, 5), strides (1, 6)
//   StridedView<float> row = from_eigen(m.row(2));     // shape (5,), strides (6,)
template <class Expression>
  requires requires(Expression&& e) {
    *try_from_eigen(std::forward<Expression>(e));
  }
[[nodiscard]] auto from_eigen(Expression&& expression) {
  return try_from_eigen(std::forward<Expression>(expression)).value();
}

// For a temporary that holds its elements.
template <class Derived>
  requires detail::kEigenHolds<Derived> StridedView<typename Derived::Scalar> from_eigen(
      const Eigen::DenseBase<Derived>&&) {
    static_assert(!detail::kEigenHolds<Derived>,
                  "from_eigen: the view of a temporary would dangle; give the matrix a name first");
    return {};
  }

// For an expression that has no elements in memory, as a + b.
template <class Derived>
  requires(!detail::EigenStrided<Derived>)
StridedView<typename Derived::Scalar> from_eigen(const Eigen::DenseBase<Derived>&) {
  static_assert(detail::EigenStrided<Derived>,
                "from_eigen: an expression has no elements in memory; assign it to a matrix first");
  return {};
}

// Rows, columns and the steps between them as Eigen's maps say them, in elements. A map counts from
// element (0, 0) of the view.
struct EigenMapping {
  Eigen::Index rows = 0;        // the size of axis 0
  Eigen::Index cols = 0;        // the size of axis 1; 1 at rank 1
  Eigen::Index row_stride = 1;  // from a row to the next, in elements
  Eigen::Index col_stride = 1;  // from a column to the next, in elements
};

// The mapping that says `layout`, or why there is none, for callers without exceptions. Any strides
// will do: Eigen's are signed and may be 0. Rank 1 is one column. Errors: rank_too_small,
// rank_too_large; overflow, where Eigen::Index is too small.
[[nodiscard]] inline Result<EigenMapping> try_eigen_mapping(const Layout& layout) noexcept {
  constexpr const char* kCall = "to_eigen";
  if (layout.rank() < 1) {
    return Failure{ErrorCode::rank_too_small, "the view", -1, layout.rank(), 1}.in(kCall);
  }
  if (layout.rank() > 2) {
    return Failure{ErrorCode::rank_too_large, "the shape of the view", -1, layout.rank(), 2}.in(
        kCall);
  }
  EigenMapping mapping;
  mapping.cols = 1;
  for (int axis = 0; axis < layout.rank(); ++axis) {
    const std::int64_t extent = layout.shape()[axis];
    if (!std::in_range<Eigen::Index>(extent)) {
      return Failure{ErrorCode::overflow, "shape", axis, extent,
                     std::int64_t{std::numeric_limits<Eigen::Index>::max()}}
          .in(kCall);
    }
    (axis == 0 ? mapping.rows : mapping.cols) = static_cast<Eigen::Index>(extent);
    // Of one element or none no step is ever taken.
    if (layout.empty() || extent == 1) continue;
    (axis == 0 ? mapping.row_stride : mapping.col_stride) =
        static_cast<Eigen::Index>(layout.strides()[axis]);
  }
  return mapping;
}

namespace detail {

template <class T, class Plain>
using EigenOf = std::conditional_t<std::is_const_v<T>, const Plain, Plain>;

}  // namespace detail

// What to_eigen and to_eigen_vector return for elements of type T, const or not.
template <class T, int StorageOrder = Eigen::RowMajor>
using EigenMap = Eigen::Map<detail::EigenOf<T, Eigen::Matrix<std::remove_const_t<T>, Eigen::Dynamic,
                                                             Eigen::Dynamic, StorageOrder>>,
                            Eigen::Unaligned, Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>>;
template <class T>
using EigenVectorMap =
    Eigen::Map<detail::EigenOf<T, Eigen::Matrix<std::remove_const_t<T>, Eigen::Dynamic, 1>>,
               Eigen::Unaligned, Eigen::InnerStride<Eigen::Dynamic>>;

// The view, of rank 1 or 2, as an Eigen map of the same elements, constness kept; rank 1 is one
// column. StorageOrder says which index Eigen runs over innermost: let it be the one with the
// smaller stride. Where a view maps two indices to one element, so does the map: Eigen does not
// look, so write to it only what does not mind. Throws what try_eigen_mapping returns.
//
//   auto m = to_eigen(v);                                     // m(1, 2) is v(1, 2)
//   to_eigen(c).noalias() = to_eigen(a) * to_eigen(b.flip(1));
template <int StorageOrder = Eigen::RowMajor, class T>
[[nodiscard]] EigenMap<T, StorageOrder> to_eigen(const StridedView<T>& view) {
  const EigenMapping m = try_eigen_mapping(view.layout()).value();
  constexpr bool kByRows = StorageOrder == Eigen::RowMajor;
  return {detail::first_of(view), m.rows, m.cols,
          Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>(kByRows ? m.row_stride : m.col_stride,
                                                        kByRows ? m.col_stride : m.row_stride)};
}

// A view of rank 1 as a vector, which Eigen treats as one: dot(), v(i), products. Throws as
// to_eigen, and length_mismatch for rank 2.
//
//   float length = to_eigen_vector(v.select(1, 0)).norm();
template <class T>
[[nodiscard]] EigenVectorMap<T> to_eigen_vector(const StridedView<T>& view) {
  const Failure wrong_rank{ErrorCode::length_mismatch, "the shape of the view", -1, view.rank(), 1};
  if (view.rank() != 1) raise_if(wrong_rank.in("to_eigen_vector"));
  const EigenMapping m = try_eigen_mapping(view.layout()).value();
  return {detail::first_of(view), m.rows, Eigen::InnerStride<Eigen::Dynamic>(m.row_stride)};
}

}  // namespace strided::inline STRIDED_ABI
