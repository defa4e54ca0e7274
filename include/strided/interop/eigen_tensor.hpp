// Eigen's tensors as views, and contiguous views as Eigen tensor maps, without copying.
//
// Needs Eigen 3.4 or later, with its unsupported modules, where tensors are.
#pragma once

#include <unsupported/Eigen/CXX11/Tensor>

#include <cstddef>
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

static_assert(EIGEN_VERSION_AT_LEAST(3, 4, 0), "strided/interop/eigen_tensor.hpp needs Eigen 3.4");

namespace detail {

// Tensors that are memory. A map looks at elements of others, the rest hold their own.
template <class Tensor>
inline constexpr bool kIsEigenTensor = false;
template <class T, int Rank, int Options, class Index>
inline constexpr bool kIsEigenTensor<Eigen::Tensor<T, Rank, Options, Index>> = true;
template <class T, class Sizes, int Options, class Index>
inline constexpr bool kIsEigenTensor<Eigen::TensorFixedSize<T, Sizes, Options, Index>> = true;
template <class Tensor>
inline constexpr bool kIsEigenTensorMap = false;
template <class Plain, int Options, template <class> class Pointer>
inline constexpr bool kIsEigenTensorMap<Eigen::TensorMap<Plain, Options, Pointer>> = true;

// `Tensor` as it stands in a signature with &&: no temporary that holds its elements.
template <class Tensor>
concept EigenTensor = kIsEigenTensorMap<std::remove_cvref_t<Tensor>> ||
    (kIsEigenTensor<std::remove_cvref_t<Tensor>>&& std::is_lvalue_reference_v<Tensor>);

// Refuses a layout that is not without gaps in the storage order.
[[nodiscard]] inline Failure check_tensor_strides(const Layout& layout, bool by_rows) noexcept {
  std::int64_t expected = 1;
  for (int step = 0; step < layout.rank() && !layout.empty(); ++step) {
    const int axis = by_rows ? layout.rank() - 1 - step : step;
    if (layout.shape()[axis] == 1) continue;
    if (layout.strides()[axis] != expected) {
      return Failure{ErrorCode::stride_mismatch, "strides", axis, layout.strides()[axis], expected};
    }
    expected *= layout.shape()[axis];
  }
  return {};
}

}  // namespace detail

// A Tensor, TensorFixedSize or TensorMap as a view of the same elements, or why there is none: its
// dimensions, with strides by its storage order, of which Eigen's own is column-major. The elements
// are const where data() gives const; a map passes on what it was made from. Temporaries that hold
// their elements are refused when compiling; from_eigen_tensor says why. A template asks with
// `requires { try_from_eigen_tensor(...); }`. Errors: null_data, misaligned, overflow.
template <class Tensor>
  requires detail::EigenTensor<Tensor>
[[nodiscard]] auto try_from_eigen_tensor(Tensor&& tensor) noexcept {
  using Plain = std::remove_cvref_t<Tensor>;
  using T = std::remove_pointer_t<decltype(tensor.data())>;
  constexpr bool kByRows = static_cast<int>(Plain::Layout) == static_cast<int>(Eigen::RowMajor);
  static_assert(Plain::NumIndices <= kMaxRank, "from_eigen_tensor takes up to 32 dimensions");
  Dims shape;
  // Of a type that becomes the index type of tensors and that of maps without a change.
  for (std::uint16_t i = 0; i < static_cast<std::uint16_t>(Plain::NumIndices); ++i) {
    shape.push_back(tensor.dimension(i));
  }
  Result<Layout> layout = Layout::try_row_major(shape);
  if (!kByRows && layout) {
    // Column-major strides are the row-major ones of the dimensions from last to first.
    Dims reversed;
    for (std::size_t i = shape.size(); i-- > 0;) reversed.push_back(shape[i]);
    const Dims backwards = detail::row_major_strides(reversed);
    Dims strides;
    for (std::size_t i = shape.size(); i-- > 0;) strides.push_back(backwards[i]);
    layout = Layout::try_make(shape, strides);
  }
  Result<StridedView<T>> view = StridedView<T>::try_from_pointer(tensor.data(), layout);
  view.told_of("from_eigen_tensor");
  return view;
}

// The same; throws what try_from_eigen_tensor returns.
//
//   Eigen::Tensor<float, 3> t(2, 3, 4);
//   StridedView<float> v = from_eigen_tensor(t);   // shape (2, 3, 4), strides (1, 2, 6)
template <class Tensor>
  requires detail::EigenTensor<Tensor>
[[nodiscard]] auto from_eigen_tensor(Tensor&& tensor) {
  return try_from_eigen_tensor(std::forward<Tensor>(tensor)).value();
}

// For a temporary that holds its elements.
template <class Tensor>
  requires(detail::kIsEigenTensor<std::remove_cvref_t<Tensor>> &&
           !std::is_lvalue_reference_v<Tensor>)
StridedView<typename Tensor::Scalar> from_eigen_tensor(Tensor&&) {
  static_assert(
      std::is_lvalue_reference_v<Tensor>,
      "from_eigen_tensor: the view of a temporary would dangle; give the tensor a name first");
  return {};
}

// The dimensions of a tensor of Rank that says `layout`, or why there is none, for callers without
// exceptions: TensorMap(address of element (0, ..., 0), *dimensions). Errors: length_mismatch;
// stride_mismatch, where the layout is not contiguous in the storage order (dimensions of size 1
// and empty layouts have any strides); overflow, where Eigen::Index is too small.
template <int Rank, int StorageOrder = Eigen::RowMajor>
[[nodiscard]] Result<Eigen::DSizes<Eigen::Index, Rank>> try_eigen_tensor_dimensions(
    const Layout& layout) noexcept {
  constexpr const char* kCall = "to_eigen_tensor";
  if (layout.rank() != Rank) {
    return Failure{ErrorCode::length_mismatch, "the shape of the view", -1, layout.rank(), Rank}.in(
        kCall);
  }
  const Failure failure = detail::check_tensor_strides(layout, StorageOrder == Eigen::RowMajor);
  if (failure) return failure.in(kCall);
  Eigen::DSizes<Eigen::Index, Rank> dimensions;
  for (int axis = 0; axis < Rank; ++axis) {
    const std::int64_t extent = layout.shape()[axis];
    if (!std::in_range<Eigen::Index>(extent)) {
      return Failure{ErrorCode::overflow, "shape", axis, extent,
                     std::int64_t{std::numeric_limits<Eigen::Index>::max()}}
          .in(kCall);
    }
    dimensions[static_cast<std::size_t>(axis)] = static_cast<Eigen::Index>(extent);
  }
  return dimensions;
}

// What to_eigen_tensor returns for elements of type T, const or not.
template <class T, int Rank, int StorageOrder = Eigen::RowMajor>
using EigenTensorMap = Eigen::TensorMap<std::conditional_t<
    std::is_const_v<T>, const Eigen::Tensor<std::remove_const_t<T>, Rank, StorageOrder>,
    Eigen::Tensor<T, Rank, StorageOrder>>>;

// A contiguous view as an Eigen tensor of the same elements, constness kept. Tensors have no
// strides of their own: with Eigen::ColMajor the view must be contiguous with its first dimension
// innermost. Throws what try_eigen_tensor_dimensions returns.
//
//   auto t = to_eigen_tensor<3>(v);                                            // t(1, 2, 3) is v's
//   auto u = to_eigen_tensor<3, Eigen::ColMajor>(v.permute({2, 1, 0}));
template <int Rank, int StorageOrder = Eigen::RowMajor, class T>
[[nodiscard]] EigenTensorMap<T, Rank, StorageOrder> to_eigen_tensor(const StridedView<T>& view) {
  const auto dimensions = try_eigen_tensor_dimensions<Rank, StorageOrder>(view.layout()).value();
  T* const start = view.storage().data();
  return {view.empty() ? start : start + view.offset(), dimensions};
}

}  // namespace strided::inline STRIDED_ABI
