// xtensor's arrays, adaptors and strided views as views, and views as xtensor expressions, without
// copying. Needs xtensor 0.24 or later of the 0.x versions.
#pragma once

#include <xtensor/xadapt.hpp>
#include <xtensor/xarray.hpp>
#include <xtensor/xstrided_view.hpp>
#include <xtensor/xtensor.hpp>
#include <xtensor/xview.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "strided/core/config.hpp"
#include "strided/core/dims.hpp"
#include "strided/core/result.hpp"
#include "strided/view/layout.hpp"
#include "strided/view/strided_view.hpp"

namespace strided::inline STRIDED_ABI {

namespace detail {

// Whether elements go with the object: unless it is known to look at those of others, they do.
template <class Expression>
inline constexpr bool kXtensorHolds = true;
template <class Closure>
inline constexpr bool kXtensorClosureHolds =
    !std::is_lvalue_reference_v<Closure> && kXtensorHolds<std::remove_cv_t<Closure>>;
template <class Pointer, class Allocator>
inline constexpr bool kXtensorHolds<xt::xbuffer_adaptor<Pointer, xt::no_ownership, Allocator>> =
    false;
template <class Storage, xt::layout_type L, class Shape, class Tag>
inline constexpr bool kXtensorHolds<xt::xarray_adaptor<Storage, L, Shape, Tag>> =
    kXtensorClosureHolds<Storage>;
template <class Storage, std::size_t N, xt::layout_type L, class Tag>
inline constexpr bool kXtensorHolds<xt::xtensor_adaptor<Storage, N, L, Tag>> =
    kXtensorClosureHolds<Storage>;
template <class Closure, class... Slices>
inline constexpr bool kXtensorHolds<xt::xview<Closure, Slices...>> = kXtensorClosureHolds<Closure>;
template <class Closure, class Shape, xt::layout_type L, class Flat>
inline constexpr bool kXtensorHolds<xt::xstrided_view<Closure, Shape, L, Flat>> =
    kXtensorClosureHolds<Closure>;

// `Expression` as it stands in a signature with &&: strided memory, no temporary that holds it, or
// one that does.
template <class Expression>
concept XtensorMemory = xt::has_data_interface<std::remove_cvref_t<Expression>>::value &&
    xt::has_strides<std::remove_cvref_t<Expression>>::value;
template <class Expression>
concept XtensorStrided = XtensorMemory<Expression> &&
    (std::is_lvalue_reference_v<Expression> || !kXtensorHolds<std::remove_cvref_t<Expression>>);
template <class Expression>
concept XtensorTemporary = XtensorMemory<Expression> && !XtensorStrided<Expression>;

}  // namespace detail

// An xtensor expression that is memory as a view of the same elements, or why there is none:
// arrays, tensors, adaptors, and views of these with constant steps, such as xt::view with ranges,
// xt::strided_view, xt::transpose and xt::flip. The elements are const where data() gives const.
// Shape and strides are those of the expression, whose dimensions of size 1 have stride 0.
// Temporaries that hold their elements are refused when compiling; from_xtensor says why. A
// template asks with `requires { try_from_xtensor(...); }`. Errors: rank_too_large, null_data,
// misaligned, overflow.
template <class Expression>
  requires detail::XtensorStrided<Expression>
[[nodiscard]] auto try_from_xtensor(Expression&& expression) noexcept {
  using T = std::remove_pointer_t<decltype(expression.data())>;
  const std::size_t rank = expression.dimension();
  Result<StridedView<T>> view = StridedView<T>();
  if (rank > std::size_t{kMaxRank}) {
    return view.fail(Failure{ErrorCode::rank_too_large, "the shape of the expression", -1,
                             detail::to_int64(rank), kMaxRank}
                         .in("from_xtensor"));
  }
  Dims shape;
  Dims strides;
  for (std::size_t i = 0; i < rank; ++i) {
    shape.push_back(detail::to_int64(expression.shape()[i]));
    strides.push_back(detail::to_int64(expression.strides()[i]));
  }
  const Result<Layout> layout = Layout::try_make(shape, strides);
  T* first = nullptr;
  if (layout && !layout->empty() && expression.data() != nullptr) {
    first = expression.data() + expression.data_offset();
  }
  view = StridedView<T>::try_from_pointer(first, layout);
  view.told_of("from_xtensor");
  return view;
}

// The same; throws what try_from_xtensor returns.
//
//   xt::xarray<float> a = xt::zeros<float>({6, 5});
//   StridedView<float> v = from_xtensor(a);                                  // strides (5, 1)
//   copy(from_xtensor(xt::view(a, xt::all(), xt::range(1, 3))), target);
template <class Expression>
  requires detail::XtensorStrided<Expression>
[[nodiscard]] auto from_xtensor(Expression&& expression) {
  return try_from_xtensor(std::forward<Expression>(expression)).value();
}

// For a temporary that holds its elements.
template <class Expression>
  requires detail::XtensorTemporary<Expression>
      StridedView<typename std::remove_cvref_t<Expression>::value_type> from_xtensor(Expression&&) {
    static_assert(
        detail::XtensorStrided<Expression>,
        "from_xtensor: the view of a temporary would dangle; give the expression a name first");
    return {};
  }

// Any view, flipped and broadcast ones too, as an xtensor expression over the same elements,
// constness kept: an xt::strided_view of an adaptor of the view's storage. Where a view maps two
// indices to one element, so does the expression.
//
//   auto e = to_xtensor(v.flip(0));            // e(1, 2) is v(4, 2)
//   xt::xarray<float> sums = xt::sum(e, {0});
template <class T>
[[nodiscard]] auto to_xtensor(const StridedView<T>& view) {
  const auto rank = static_cast<std::size_t>(view.rank());
  // Of xtensor's own svector g++ takes the room for 4 entries for a rank of 4 when it makes the
  // temporary of an assignment.
  std::vector<std::size_t> shape(rank);
  std::vector<std::ptrdiff_t> strides(rank);
  for (std::size_t i = 0; i < rank; ++i) {
    shape[i] = static_cast<std::size_t>(view.shape()[i]);
    strides[i] = static_cast<std::ptrdiff_t>(view.strides()[i]);
  }
  const std::size_t count = view.storage().size();
  const std::array<std::size_t, 1> flat{count};
  return xt::strided_view(xt::adapt(view.storage().data(), count, xt::no_ownership(), flat),
                          std::move(shape), std::move(strides),
                          view.empty() ? 0 : static_cast<std::size_t>(view.offset()));
}

}  // namespace strided::inline STRIDED_ABI
