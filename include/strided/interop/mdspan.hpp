// std::mdspan as StridedView and StridedView as std::mdspan, both without copying.
//
// Needs <mdspan>, which is C++23. What needs none of it, the question whether a mapping can say a
// layout at all, is in mdspan/mapping.hpp.
#pragma once

#include <version>

#if !defined(__cpp_lib_mdspan)
#error "strided/interop/mdspan.hpp needs <mdspan>: -std=c++23 and libc++ 18, libstdc++ 15 or later"
#else

#include <mdspan>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>

#include "strided/core/config.hpp"
#include "strided/core/dims.hpp"
#include "strided/core/result.hpp"
#include "strided/interop/mdspan/mapping.hpp"
#include "strided/view/layout.hpp"
#include "strided/view/strided_view.hpp"

namespace strided::inline STRIDED_ABI {

namespace detail {

// Accessors that read element i of p as p[i], so that a view reads what the mdspan does.
template <class Accessor>
inline constexpr bool kIsPlainAccessor = false;
template <class T>
inline constexpr bool kIsPlainAccessor<std::default_accessor<T>> = true;
#if defined(__cpp_lib_aligned_accessor)
template <class T, std::size_t Alignment>
inline constexpr bool kIsPlainAccessor<std::aligned_accessor<T, Alignment>> = true;
#endif

template <class Mapping>
concept HasStrides = Mapping::extents_type::rank()
== 0 || requires(const Mapping& mapping) {
  { mapping.stride(std::size_t{0}) } -> Integer;
};

template <Integer I>
[[nodiscard]] constexpr bool fits_int64(I value) noexcept {
  return static_cast<I>(to_int64(value)) == value;
}

// Where the mapping puts element (0, ..., 0), which must exist: 0 for the mappings of the standard.
template <class Mapping>
[[nodiscard]] constexpr auto first_offset(const Mapping& mapping) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return mapping(static_cast<typename Mapping::index_type>(I * 0)...);
  }
  (std::make_index_sequence<Mapping::extents_type::rank()>());
}

// The layout of a strided mapping. An empty one has row-major strides: those of the mapping may not
// even fit its index type, and nothing is ever reached by them.
template <class Mapping>
[[nodiscard]] constexpr Result<Layout> layout_of_mapping(const Mapping& mapping) {
  constexpr std::size_t kRank = Mapping::extents_type::rank();
  Dims shape;
  bool empty = false;
  for (std::size_t i = 0; i < kRank; ++i) {
    const auto extent = mapping.extents().extent(i);
    shape.push_back(to_int64(extent));
    empty = empty || extent == 0;
    if (!fits_int64(extent)) {
      return Failure{ErrorCode::overflow, "shape", static_cast<std::int64_t>(i), shape[i], 1};
    }
  }
  if (empty) return Layout::try_row_major(shape);
  Dims strides = Dims::filled(kRank, 1);
  if constexpr (kRank > 0) {
    for (std::size_t i = 0; i < kRank; ++i) {
      const auto stride = mapping.stride(i);
      strides[i] = to_int64(stride);
      if (!fits_int64(stride) && shape[i] > 1) {
        return Failure{ErrorCode::overflow, "strides", static_cast<std::int64_t>(i), strides[i], 0};
      }
    }
  }
  const auto offset = first_offset(mapping);
  if (!fits_int64(offset)) {
    return Failure{ErrorCode::overflow, "the offset of the mapping", -1, to_int64(offset), 0};
  }
  return Layout::try_make(shape, strides, to_int64(offset));
}

template <class LayoutPolicy>
[[nodiscard]] constexpr Result<Layout> try_layout_for(const Layout& layout,
                                                      std::int64_t index_max) noexcept {
  constexpr bool kIsStride = std::is_same_v<LayoutPolicy, std::layout_stride>;
  constexpr bool kIsRight = std::is_same_v<LayoutPolicy, std::layout_right>;
  static_assert(kIsStride || kIsRight || std::is_same_v<LayoutPolicy, std::layout_left>,
                "to_mdspan makes layout_stride, layout_right and layout_left, no other layout");
  if constexpr (kIsStride) return try_layout_stride(layout, index_max);
  if constexpr (kIsRight) return try_layout_right(layout, index_max);
  return try_layout_left(layout, index_max);
}

}  // namespace detail

// The mdspan as a view of the same elements, constness kept, or why there is none. Shape and
// strides are those of the mdspan (row-major strides, if it is empty), and the storage is what its
// mapping may reach: required_span_size() elements from data_handle().
//
// Takes every layout whose mapping has strides when the call is made, and every kind of extents. Of
// the accessors only default_accessor and aligned_accessor: a view reads memory, no others'
// results. Errors: unsupported, where the mapping is not strided; overflow, where a number of the
// mdspan does not fit std::int64_t; null_data and misaligned; out_of_bounds, where the mapping
// reaches past its own required_span_size(). Semantics: [mdspan.layout.reqmts].
template <class T, class Extents, class LayoutPolicy, class Accessor>
[[nodiscard]] constexpr Result<StridedView<T>> try_from_mdspan(
    const std::mdspan<T, Extents, LayoutPolicy, Accessor>& elements) noexcept {
  using Mapping = typename LayoutPolicy::template mapping<Extents>;
  constexpr const char* kCall = "from_mdspan";
  static_assert(detail::kIsPlainAccessor<Accessor>,
                "from_mdspan takes mdspans with default_accessor or aligned_accessor only");
  static_assert(detail::HasStrides<Mapping>,
                "from_mdspan takes layouts whose mapping has stride()");
  static_assert(Extents::rank() <= std::size_t{kMaxRank}, "from_mdspan takes up to 32 dimensions");

  const Mapping& mapping = elements.mapping();
  if (!mapping.is_strided()) {
    return Failure{ErrorCode::unsupported,
                   "the mapping of the mdspan is not strided; copy its elements to one that is"}
        .in(kCall);
  }
  const Result<Layout> layout = detail::layout_of_mapping(mapping);
  if (!layout) return layout.error().in(kCall);
  T* const data = elements.data_handle();
  std::size_t count = 0;
  // Addresses are no constants, as in StridedView, which refuses null data.
  if (!layout->empty() && (std::is_constant_evaluated() || data != nullptr)) {
    constexpr auto kMostBytes = std::int64_t{std::numeric_limits<std::ptrdiff_t>::max()};
    constexpr auto kMost = std::uint64_t{kMostBytes / sizeof(T)};
    const auto span_size = mapping.required_span_size();
    const std::int64_t told = detail::to_int64(span_size);
    if (!detail::fits_int64(span_size) || static_cast<std::uint64_t>(told) > kMost) {
      return Failure{ErrorCode::overflow, "required_span_size()", -1, told, kMostBytes}
          .held_against("in bytes it")
          .in(kCall);
    }
    count = static_cast<std::size_t>(told);
  }
  Result<StridedView<T>> view = StridedView<T>::try_make(std::span<T>(data, count), *layout);
  view.told_of(kCall);
  return view;
}

// The same; throws what try_from_mdspan returns.
//
//   std::mdspan m(values.data(), 6, 5);                 // 6 x 5, layout_right
//   StridedView<float> v = from_mdspan(m);              // shape (6, 5), strides (5, 1)
//   copy(from_mdspan(m), from_mdspan(turned));          // any mdspan to any other of its shape
template <class T, class Extents, class LayoutPolicy, class Accessor>
[[nodiscard]] constexpr StridedView<T> from_mdspan(
    const std::mdspan<T, Extents, LayoutPolicy, Accessor>& elements) {
  return try_from_mdspan(elements).value();
}

// The mapping that says `layout`, counted from element (0, ..., 0), or why there is none. The view
// is then std::mdspan(address of that element, *mapping): for callers without exceptions.
//
// Extents have the rank of the layout, and static ones are its sizes; LayoutPolicy is
// layout_stride, layout_right or layout_left. Errors: length_mismatch, shape_mismatch, and those of
// try_layout_stride (nonpositive_stride for flipped and broadcast views, not_nested for windows),
// of try_layout_right and try_layout_left (stride_mismatch), and overflow, where the index type of
// Extents is too small.
template <class Extents, class LayoutPolicy = std::layout_stride>
[[nodiscard]] constexpr Result<typename LayoutPolicy::template mapping<Extents>> try_mdspan_mapping(
    const Layout& layout) noexcept {
  using Mapping = typename LayoutPolicy::template mapping<Extents>;
  using Index = typename Extents::index_type;
  constexpr std::size_t kRank = Extents::rank();
  constexpr const char* kCall = "to_mdspan";

  if (static_cast<std::size_t>(layout.rank()) != kRank) {
    return Failure{ErrorCode::length_mismatch, "the shape of the view", -1, layout.rank(),
                   std::int64_t{kRank}}
        .in(kCall);
  }
  Dims needed = layout.shape();
  std::int64_t axis = -1;
  for (std::size_t i = kRank; i-- > 0;) {
    if (Extents::static_extent(i) == std::dynamic_extent) continue;
    needed[i] = detail::to_int64(Extents::static_extent(i));
    if (needed[i] != layout.shape()[i]) axis = static_cast<std::int64_t>(i);
  }
  if (axis >= 0) {
    return Failure{ErrorCode::shape_mismatch,
                   "the view",
                   axis,
                   layout.shape()[axis],
                   needed[axis],
                   layout.shape(),
                   needed}
        .in(kCall);
  }
  constexpr std::int64_t kIndexMax = detail::to_int64(std::numeric_limits<Index>::max());
  const Result<Layout> told = detail::try_layout_for<LayoutPolicy>(layout, kIndexMax);
  if (!told) return told.error().in(kCall);

  std::array<Index, kRank> extents{};
  std::array<Index, kRank> strides{};
  for (std::size_t i = 0; i < kRank; ++i) {
    extents[i] = static_cast<Index>(told->shape()[i]);
    strides[i] = static_cast<Index>(told->strides()[i]);
  }
  if constexpr (std::is_same_v<LayoutPolicy, std::layout_stride>) {
    return Mapping(Extents(extents), strides);
  } else {
    return Mapping(Extents(extents));
  }
}

// The view as an mdspan of the same elements, constness kept. Its data_handle() is the address of
// element (0, ..., 0), or the start of the storage if there is no element. The first template
// argument is the type of the extents, or the rank alone, which means std::dextents<std::int64_t,
// rank>. Throws what try_mdspan_mapping returns.
//
//   auto m = to_mdspan<2>(v);                                             // m[1, 2] is v(1, 2)
//   auto n = to_mdspan<std::extents<int, 6, 5>, std::layout_right>(w);    // w is contiguous
template <class Extents, class LayoutPolicy = std::layout_stride, class T>
[[nodiscard]] constexpr std::mdspan<T, Extents, LayoutPolicy> to_mdspan(
    const StridedView<T>& view) {
  const auto mapping = try_mdspan_mapping<Extents, LayoutPolicy>(view.layout());
  T* const start = view.storage().data();
  return {view.empty() ? start : start + view.offset(), mapping.value()};
}

template <std::size_t Rank, class LayoutPolicy = std::layout_stride, class T>
[[nodiscard]] constexpr std::mdspan<T, std::dextents<std::int64_t, Rank>, LayoutPolicy> to_mdspan(
    const StridedView<T>& view) {
  return to_mdspan<std::dextents<std::int64_t, Rank>, LayoutPolicy>(view);
}

}  // namespace strided::inline STRIDED_ABI

#endif  // __cpp_lib_mdspan
