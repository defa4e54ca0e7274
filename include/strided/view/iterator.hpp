// Random-access iteration over a view in logical order (the last index moves fastest).
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>  // std::iterator_traits, at a quarter of the cost of <iterator>
#include <type_traits>

#include "strided/core/config.hpp"
#include "strided/view/layout.hpp"

namespace strided::inline STRIDED_ABI {

// Steps along the last axis are one addition; at the end of a row the place is computed afresh. The
// iterator refers to the view's layout: the view must outlive it.
template <class T>
class StridedIterator {
 public:
  // As std::iterator_traits names them.
  using value_type = std::remove_cv_t<T>;
  using difference_type = std::ptrdiff_t;
  using reference = T&;
  using pointer = T*;
  using iterator_category = typename std::iterator_traits<T*>::iterator_category;  // random access

  constexpr StridedIterator() noexcept = default;  // of no view: to be assigned to
  // At the element of that position in logical order, from 0 to layout.size(), which is the end.
  constexpr StridedIterator(T* storage, const Layout& layout, std::int64_t position) noexcept
      : storage_(storage), layout_(&layout), position_(position) {
    const int rank = layout.rank();
    row_length_ = rank == 0 ? 1 : layout.shape()[rank - 1];
    row_stride_ = rank == 0 ? 0 : layout.strides()[rank - 1];
    seek();
  }

  // The element here, and `n` further on. Whether there is one is not checked.
  constexpr reference operator*() const noexcept { return storage_[at_]; }
  constexpr pointer operator->() const noexcept { return storage_ + at_; }
  constexpr reference operator[](difference_type n) const noexcept { return *(*this + n); }

  // In logical order, by 1 or by `n`. Positions that have no element may be held.
  constexpr StridedIterator& operator++() noexcept {
    ++position_;
    if (--left_in_row_ > 0) {
      at_ += row_stride_;
    } else {
      seek();
    }
    return *this;
  }
  constexpr StridedIterator operator++(int) noexcept {
    StridedIterator before = *this;
    ++*this;
    return before;
  }
  constexpr StridedIterator& operator--() noexcept { return *this += -1; }
  constexpr StridedIterator operator--(int) noexcept {
    StridedIterator before = *this;
    --*this;
    return before;
  }
  constexpr StridedIterator& operator+=(difference_type n) noexcept {
    position_ += n;
    seek();
    return *this;
  }
  constexpr StridedIterator& operator-=(difference_type n) noexcept { return *this += -n; }

  // By position; two iterators are of the same view.
  friend constexpr StridedIterator operator+(StridedIterator it, difference_type n) noexcept {
    return it += n;
  }
  friend constexpr StridedIterator operator+(difference_type n, StridedIterator it) noexcept {
    return it += n;
  }
  friend constexpr StridedIterator operator-(StridedIterator it, difference_type n) noexcept {
    return it -= n;
  }
  friend constexpr difference_type operator-(const StridedIterator& a,
                                             const StridedIterator& b) noexcept {
    return static_cast<difference_type>(a.position_ - b.position_);
  }
  friend constexpr bool operator==(const StridedIterator& a, const StridedIterator& b) noexcept {
    return a.position_ == b.position_;
  }
  friend constexpr auto operator<=>(const StridedIterator& a, const StridedIterator& b) noexcept {
    return a.position_ <=> b.position_;
  }

 private:
  // Positions outside [0, size) are legal to hold (end, or before the start) and have no place.
  constexpr void seek() noexcept {
    if (position_ < 0 || position_ >= layout_->size()) {
      left_in_row_ = 0;
      return;
    }
    at_ = layout_->offset_of_position(position_);
    left_in_row_ = row_length_ - position_ % row_length_;
  }

  T* storage_ = nullptr;
  const Layout* layout_ = nullptr;
  std::int64_t position_ = 0;
  std::int64_t at_ = 0;
  std::int64_t left_in_row_ = 0;
  std::int64_t row_length_ = 1;
  std::int64_t row_stride_ = 0;
};

}  // namespace strided::inline STRIDED_ABI
