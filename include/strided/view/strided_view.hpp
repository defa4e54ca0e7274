// StridedView<T>: a layout over memory that somebody else owns.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <ranges>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "strided/core/config.hpp"
#include "strided/core/dims.hpp"
#include "strided/core/result.hpp"
#include "strided/view/algebra.hpp"
#include "strided/view/iterator.hpp"
#include "strided/view/layout.hpp"
#include "strided/view/reshape.hpp"
#include "strided/view/storage.hpp"

namespace strided::inline STRIDED_ABI {

// Looks at a storage span through (shape, strides, offset), all in elements; strides are signed and
// may be 0. Copying a view copies numbers, never elements; constness is in the element type. Every
// constructor checks that no element lies outside the storage, so all that is reachable through a
// view is really there.
//
// Errors (thrown as strided::Error): length_mismatch, negative_size, overflow, out_of_bounds,
// null_data, misaligned. Semantics: a non-contiguous tensor as (shape, strides, offset).
//
//   std::vector<float> storage(100);
//   StridedView<float> v(storage, {6, 5}, {10, 1}, 22);   // v(1, 2) is storage[22 + 10 + 2]
template <class T>
class StridedView {
 public:
  using element_type = T;                  // const where elements cannot be written
  using value_type = std::remove_cv_t<T>;  // without const
  using iterator = StridedIterator<T>;     // random access, in logical order

  // Looks at what the other view looks at; copy() moves elements. A view that is gone afterwards
  // cannot be assigned to: v.select(0, 1) = w would say that something is copied.
  StridedView(const StridedView&) = default;
  StridedView& operator=(const StridedView&) & = default;

  // Rank 1, no elements, no storage.
  constexpr StridedView() noexcept : layout_(Layout::unchecked(Dims{0}, Dims{1}, 0)) {}

  // Row-major over the start of `storage`, which may be longer.
  constexpr StridedView(std::span<T> storage, const Dims& shape)
      : StridedView(try_make(storage, Layout::try_row_major(shape)).value()) {}

  // Any strides.
  constexpr StridedView(std::span<T> storage, const Dims& shape, const Dims& strides,
                        std::int64_t offset = 0)
      : StridedView(try_make(storage, Layout::try_make(shape, strides, offset)).value()) {}

  // A layout made elsewhere.
  template <std::same_as<Layout> L>  // a template, so that braces always mean a shape
  constexpr StridedView(std::span<T> storage, const L& layout)
      : StridedView(try_make(storage, layout).value()) {}

  // What is no storage. Compilers show these lines, and so what is wrong: a container that is gone
  // afterwards, and is to be given a name first; a pointer, for which there is from_pointer(), or
  // std::span(pointer, size); elements that are const, of another type, or bits.
  template <detail::OwningRvalue R>
  StridedView(R&&, const Dims&, const Dims& = {}, std::int64_t = 0) = delete;  // would dangle
  template <detail::OwningRvalue R, std::same_as<Layout> L>
  StridedView(R&&, const L&) = delete;  // would dangle
  template <detail::PointerToElements P>
  StridedView(P&&, const Dims&, const Dims& = {}, std::int64_t = 0) = delete;  // see from_pointer
  template <detail::StorageOfOthers<T> R>
  StridedView(R&&, const Dims&, const Dims& = {}, std::int64_t = 0) = delete;  // of const, not of T

  // StridedView<float> converts to StridedView<const float>.
  template <class U>
    requires(!std::is_same_v<U, T> && std::is_convertible_v<U (*)[], T (*)[]>)
  constexpr StridedView(const StridedView<U>& other) noexcept
      : layout_(other.layout()),
        storage_(other.storage().data()),
        storage_size_(static_cast<std::int64_t>(other.storage().size())) {}

  // The view, or why there is none, without exceptions.
  [[nodiscard]] static constexpr Result<StridedView> try_make(
      std::span<T> storage, const Result<Layout>& layout) noexcept {
    if (!layout) return layout.error().in("StridedView");
    if (Failure failure = detail::check_storage(storage, *layout)) return failure.in("StridedView");
    return unchecked(storage, *layout);
  }

  // Row-major.
  [[nodiscard]] static constexpr Result<StridedView> try_make(std::span<T> storage,
                                                              const Dims& shape) noexcept {
    return try_make(storage, Layout::try_row_major(shape));
  }
  // Any strides.
  [[nodiscard]] static constexpr Result<StridedView> try_make(std::span<T> storage,
                                                              const Dims& shape,
                                                              const Dims& strides,
                                                              std::int64_t offset = 0) noexcept {
    return try_make(storage, Layout::try_make(shape, strides, offset));
  }

  // For the tensor of a framework, of which only the address of element (0, 0, ...) is known: the
  // storage is taken to reach from the lowest to the highest element. Nothing can be checked
  // against memory here; the caller vouches for it.
  [[nodiscard]] static constexpr StridedView from_pointer(T* first, const Dims& shape,
                                                          const Dims& strides) {
    return try_from_pointer(first, Layout::try_make(shape, strides)).value();
  }
  // The same, row-major.
  [[nodiscard]] static constexpr StridedView from_pointer(T* first, const Dims& shape) {
    return try_from_pointer(first, Layout::try_row_major(shape)).value();
  }
  // The same, without exceptions; the offset of the layout does not matter.
  [[nodiscard]] static constexpr Result<StridedView> try_from_pointer(
      T* first, const Result<Layout>& layout) noexcept {
    if (!layout || layout->empty() || detail::is_null(first)) return try_make({}, layout);
    const Result<std::span<T>> storage = detail::storage_around(first, *layout);
    if (!storage) return storage.error().in("StridedView");
    return try_make(*storage, Layout::try_make(layout->shape(), layout->strides(),
                                               std::int64_t{first - storage->data()}));
  }

  // The layout and its numbers, as Layout has them.
  [[nodiscard]] constexpr int rank() const noexcept { return layout_.rank(); }
  [[nodiscard]] constexpr const Dims& shape() const noexcept { return layout_.shape(); }
  [[nodiscard]] constexpr const Dims& strides() const noexcept { return layout_.strides(); }
  [[nodiscard]] constexpr std::int64_t offset() const noexcept { return layout_.offset(); }
  [[nodiscard]] constexpr std::int64_t size() const noexcept { return layout_.size(); }
  [[nodiscard]] constexpr bool empty() const noexcept { return layout_.empty(); }
  [[nodiscard]] constexpr const Layout& layout() const noexcept { return layout_; }
  // All that the view was made over, its elements and what lies between and around them.
  [[nodiscard]] constexpr std::span<T> storage() const noexcept {
    return {storage_, static_cast<std::size_t>(storage_size_)};
  }
  // As those of Layout.
  [[nodiscard]] constexpr bool is_contiguous() const noexcept { return layout_.is_contiguous(); }
  [[nodiscard]] constexpr bool is_dense() const noexcept { return layout_.is_dense(); }

  // Element (i, j, ...), one index per axis, each in [0, extent). Checked in debug builds only.
  template <Integer... I>
  [[nodiscard]] constexpr T& operator()(I... index) const {
    if constexpr (STRIDED_DEBUG_CHECKS) {
      return storage_[checked_offset(Dims{detail::to_int64(index)...}, 0, "operator()")];
    } else {
      std::int64_t at = layout_.offset();
      std::size_t axis = 0;
      ((at += static_cast<std::int64_t>(index) * layout_.strides()[axis++]), ...);
      return storage_[at];
    }
  }

  // The same, always checked; a negative index counts from the end. Errors: length_mismatch,
  // index_out_of_range.
  template <Integer... I>
  [[nodiscard]] constexpr T& at(I... index) const {
    return at(Dims{detail::to_int64(index)...});
  }
  // The same for a list of indices.
  [[nodiscard]] constexpr T& at(const Dims& index) const {
    return storage_[checked_offset(index, 1, "at")];
  }

  // Iteration in logical order, for range-for, standard algorithms and ranges.
  [[nodiscard]] constexpr iterator begin() const noexcept { return {storage_, layout_, 0}; }
  [[nodiscard]] constexpr iterator end() const noexcept { return {storage_, layout_, size()}; }

  // View algebra: each returns another view of the same storage and throws what the function of the
  // same name with try_ before it refuses, in algebra.hpp and reshape.hpp.

  // Axis i of the result is axis axes[i] of this one; see try_permute.
  [[nodiscard]] constexpr StridedView permute(const Dims& axes) const {
    return with(try_permute(layout_, axes), "permute");
  }
  // Exchanges two axes; see try_transpose.
  [[nodiscard]] constexpr StridedView transpose(std::int64_t axis_a, std::int64_t axis_b) const {
    return with(try_transpose(layout_, axis_a, axis_b), "transpose");
  }
  // Reverses an axis; see try_flip.
  [[nodiscard]] constexpr StridedView flip(std::int64_t axis) const {
    return with(try_flip(layout_, axis), "flip");
  }
  // begin:end:step of an axis, as in Python: bounds clamp; see try_slice.
  [[nodiscard]] constexpr StridedView slice(std::int64_t axis, std::int64_t begin, std::int64_t end,
                                            std::int64_t step = 1) const {
    return with(try_slice(layout_, axis, begin, end, step), "slice");
  }
  // `length` elements of an axis from `start`; nothing clamps; see try_narrow.
  [[nodiscard]] constexpr StridedView narrow(std::int64_t axis, std::int64_t start,
                                             std::int64_t length) const {
    return with(try_narrow(layout_, axis, start, length), "narrow");
  }
  // One index of an axis, which is dropped; see try_select.
  [[nodiscard]] constexpr StridedView select(std::int64_t axis, std::int64_t index) const {
    return with(try_select(layout_, axis, index), "select");
  }
  // Repeats axes of size 1 and new leading ones; see try_broadcast_to.
  [[nodiscard]] constexpr StridedView broadcast_to(const Dims& wanted) const {
    return with(try_broadcast_to(layout_, wanted), "broadcast_to");
  }
  // Drops every axis of size 1.
  [[nodiscard]] constexpr StridedView squeeze() const noexcept {
    return unchecked(storage(), strided::squeeze(layout_));
  }
  // Drops one axis of size 1; see try_squeeze.
  [[nodiscard]] constexpr StridedView squeeze(std::int64_t axis) const {
    return with(try_squeeze(layout_, axis), "squeeze");
  }
  // Inserts an axis of size 1; see try_unsqueeze.
  [[nodiscard]] constexpr StridedView unsqueeze(std::int64_t axis) const {
    return with(try_unsqueeze(layout_, axis), "unsqueeze");
  }
  // The same elements in another shape, where strides can say so; see try_reshape.
  [[nodiscard]] constexpr StridedView reshape(const Dims& wanted) const {
    return with(try_reshape(layout_, wanted), "reshape");
  }
  // As few axes as the strides allow; see strided::collapse.
  [[nodiscard]] constexpr StridedView collapse() const noexcept {
    return unchecked(storage(), strided::collapse(layout_));
  }
  // All windows along an axis, as a new last axis; see try_windows.
  [[nodiscard]] constexpr StridedView windows(std::int64_t axis, std::int64_t extent,
                                              std::int64_t step) const {
    return with(try_windows(layout_, axis, extent, step), "windows");
  }
  // Where two axes have equal indices, as a new last axis; see try_diagonal.
  [[nodiscard]] constexpr StridedView diagonal(std::int64_t axis_a, std::int64_t axis_b,
                                               std::int64_t shift = 0) const {
    return with(try_diagonal(layout_, axis_a, axis_b, shift), "diagonal");
  }
  // Consecutive pieces along an axis; the sizes must add up to its extent (size_mismatch).
  [[nodiscard]] constexpr std::vector<StridedView> split(std::int64_t axis,
                                                         const Dims& sizes) const {
    raise_if(check_split(layout_, axis, sizes).in("split"));
    std::vector<StridedView> pieces;
    std::int64_t start = 0;
    for (std::int64_t extent : sizes) {
      pieces.push_back(with(try_narrow(layout_, axis, start, extent), "split"));
      start += extent;
    }
    return pieces;
  }

  // For code that derives a layout from that of a valid view and knows that it stays inside.
  [[nodiscard]] static constexpr StridedView unchecked(std::span<T> storage,
                                                       const Layout& layout) noexcept {
    StridedView view;
    view.layout_ = layout;
    view.storage_ = storage.data();
    view.storage_size_ = static_cast<std::int64_t>(storage.size());
    return view;
  }

 private:
  [[nodiscard]] constexpr StridedView with(const Result<Layout>& layout, const char* call) const {
    if (!layout) raise_if(layout.error().in(call));
    return unchecked(storage(), *layout);
  }

  // `wrap` 1 lets a negative index count from the end, 0 does not.
  [[nodiscard]] constexpr std::int64_t checked_offset(Dims index, std::int64_t wrap,
                                                      const char* call) const {
    if (index.size() != shape().size()) {
      raise_if(Failure{ErrorCode::length_mismatch, "the index", -1,
                       static_cast<std::int64_t>(index.size()), rank()}
                   .held_against("one for each dimension")
                   .in(call));
    }
    for (std::size_t i = 0; i < index.size(); ++i) {
      const std::int64_t extent = shape()[i];
      if (index[i] < -extent * wrap || index[i] >= extent) {
        raise_if(detail::outside_dimension("index", static_cast<std::int64_t>(i), index[i], extent,
                                           -extent * wrap, extent - 1)
                     .held_against("")
                     .in(call));
      }
      if (index[i] < 0) index[i] += extent;
    }
    return layout_.offset_of(index);
  }

  Layout layout_{};
  T* storage_ = nullptr;
  std::int64_t storage_size_ = 0;
};

// StridedView v(storage, {2, 3}) finds T from the storage.
template <class R>
using StorageElement = std::remove_pointer_t<decltype(std::data(std::declval<R&>()))>;
template <class R>
StridedView(R&&, const Dims&) -> StridedView<StorageElement<R>>;
template <class R>
StridedView(R&&, const Dims&, const Dims&, std::int64_t = 0) -> StridedView<StorageElement<R>>;
template <class R, std::same_as<Layout> L>
StridedView(R&&, const L&) -> StridedView<StorageElement<R>>;

namespace detail {

// The address of element (0, 0, ...), which is what neighbours count from; of an empty view that of
// the storage.
template <class T>
[[nodiscard]] constexpr T* first_of(const StridedView<T>& view) noexcept {
  return view.empty() ? view.storage().data() : view.storage().data() + view.offset();
}

}  // namespace detail

}  // namespace strided::inline STRIDED_ABI
