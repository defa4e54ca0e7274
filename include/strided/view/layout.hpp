// Layout: shape, strides and offset, in elements, without memory.
#pragma once

#include <cstdint>

#include "strided/core/checked_math.hpp"
#include "strided/core/config.hpp"
#include "strided/core/dims.hpp"
#include "strided/core/result.hpp"

namespace strided::inline STRIDED_ABI {

// The lowest and the highest offset that a layout touches; both kept, since strides are signed.
struct Bounds {
  std::int64_t lowest = 0;    // elements from the start of the storage, as `highest`
  std::int64_t highest = -1;  // below `lowest`: no element at all

  // Whether no element is touched.
  [[nodiscard]] constexpr bool empty() const noexcept { return highest < lowest; }
};

// Element (i, j, ...) is at offset + i * strides[0] + j * strides[1] + ... elements from the start
// of the storage. Any two layouts of one shape can be copied to each other.
//
// A Layout always holds what its constructor checked: the two lists have one length of at most
// kMaxRank, no size is negative, and the number of elements, every offset and the distance between
// any two fit 64 bits. A layout with a zero size touches nothing, whatever its strides and offset.
//
//   Layout({6, 5}, {10, 1}, 22)   is rows 2..7, columns 2..6 of a 10 x 10 array
class Layout {
 public:
  constexpr Layout() noexcept {
  }  // rank 0, one element at offset 0; not defaulted, which would zero it

  // Row-major (the last index moves fastest). Throws as try_make.
  constexpr explicit Layout(const Dims& shape) : Layout(try_row_major(shape).value("Layout")) {}
  template <Integer I>  // a template, so that braces always mean strides: Layout({4}, {2})
  constexpr Layout(const Dims& shape, I offset)
      : Layout(try_row_major(shape, detail::to_int64(offset)).value("Layout")) {}

  // Any strides. Throws as try_make.
  constexpr Layout(const Dims& shape, const Dims& strides, std::int64_t offset = 0)
      : Layout(try_make(shape, strides, offset).value("Layout")) {}

  // Any strides. Errors: length_mismatch, negative_size, overflow.
  [[nodiscard]] static constexpr Result<Layout> try_make(const Dims& shape, const Dims& strides,
                                                         std::int64_t offset = 0) noexcept;
  // Row-major. Errors: negative_size, overflow.
  [[nodiscard]] static constexpr Result<Layout> try_row_major(const Dims& shape,
                                                              std::int64_t offset = 0) noexcept;

  // rank() counts axes, size() elements: 1 at rank 0. Strides and offset are in elements.
  [[nodiscard]] constexpr int rank() const noexcept { return static_cast<int>(shape_.size()); }
  [[nodiscard]] constexpr const Dims& shape() const noexcept { return shape_; }
  [[nodiscard]] constexpr const Dims& strides() const noexcept { return strides_; }
  [[nodiscard]] constexpr std::int64_t offset() const noexcept { return offset_; }
  [[nodiscard]] constexpr std::int64_t size() const noexcept { return size_; }
  [[nodiscard]] constexpr bool empty() const noexcept { return size_ == 0; }

  // The range of offsets touched: Layout({4}, {-2}, 6) has {0, 6}.
  [[nodiscard]] constexpr Bounds bounds() const noexcept {
    if (empty()) return {};
    Bounds bounds{offset_, offset_};
    for (std::size_t i = 0; i < shape_.size(); ++i) {
      if (shape_[i] == 1) continue;
      const std::int64_t reach = (shape_[i] - 1) * strides_[i];
      (reach < 0 ? bounds.lowest : bounds.highest) += reach;
    }
    return bounds;
  }

  // The offset of one element; the index has rank() entries, each in range.
  [[nodiscard]] constexpr std::int64_t offset_of(const Dims& index) const noexcept {
    std::int64_t at = offset_;
    for (std::size_t i = 0; i < index.size(); ++i) at += index[i] * strides_[i];
    return at;
  }

  // The offset of the k-th element in logical order (the last index moves fastest).
  [[nodiscard]] constexpr std::int64_t offset_of_position(std::int64_t k) const noexcept {
    std::int64_t at = offset_;
    for (std::size_t i = shape_.size(); i-- > 0;) {
      at += k % shape_[i] * strides_[i];
      k /= shape_[i];
    }
    return at;
  }

  // Row-major and without gaps, wherever it starts. Axes of size 1 do not matter, and an empty
  // layout is contiguous (as NumPy's C_CONTIGUOUS).
  [[nodiscard]] constexpr bool is_contiguous() const noexcept {
    if (empty()) return true;
    std::int64_t expected = 1;
    for (std::size_t i = shape_.size(); i-- > 0;) {
      if (shape_[i] == 1) continue;
      if (strides_[i] != expected) return false;
      expected *= shape_[i];
    }
    return true;
  }

  // Covers its range of offsets exactly once, in any order and direction: a permuted or flipped
  // contiguous layout is dense.
  [[nodiscard]] constexpr bool is_dense() const noexcept {
    if (empty()) return true;
    std::int64_t covered = 1;
    for (bool grown = true; grown;) {  // find the axis that continues what is covered so far
      grown = false;
      for (std::size_t i = 0; i < shape_.size(); ++i) {
        if (shape_[i] == 1 || detail::magnitude(strides_[i]) != detail::magnitude(covered))
          continue;
        covered *= shape_[i];
        grown = true;
        break;
      }
    }
    return covered == size_;
  }

  // Equal shapes, strides and offsets.
  friend constexpr bool operator==(const Layout& a, const Layout& b) noexcept {
    return a.offset_ == b.offset_ && a.shape_ == b.shape_ && a.strides_ == b.strides_;
  }

  // For code that derives a layout from a valid one and knows that the result is valid.
  [[nodiscard]] static constexpr Layout unchecked(const Dims& shape, const Dims& strides,
                                                  std::int64_t offset) noexcept {
    Layout layout;
    layout.shape_ = shape;
    layout.strides_ = strides;
    layout.offset_ = offset;
    std::uint64_t size = 1;  // wraps where a zero follows huge extents, and is 0 in the end
    for (std::int64_t n : shape) size *= static_cast<std::uint64_t>(n);
    layout.size_ = static_cast<std::int64_t>(size);
    return layout;
  }

 private:
  Dims shape_{};
  Dims strides_{};
  std::int64_t offset_ = 0;
  std::int64_t size_ = 1;
};

namespace detail {

// The number of elements of `shape`; a zero anywhere makes it 0, however large the others are.
[[nodiscard]] constexpr Result<std::int64_t> count_elements(const Dims& shape,
                                                            const char* subject) noexcept {
  bool empty = false;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const auto axis = static_cast<std::int64_t>(i);
    if (shape[i] < 0) return Failure{ErrorCode::negative_size, subject, axis, shape[i], 0};
    empty = empty || shape[i] == 0;
  }
  if (empty) return std::int64_t{0};
  std::int64_t count = 1;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (multiply_overflows(count, shape[i], count)) {
      return Failure{ErrorCode::overflow, subject, static_cast<std::int64_t>(i), shape[i], 1};
    }
  }
  return count;
}

// Row-major strides; a size of 0 counts as 1, so that they stay meaningful for empty shapes. A
// product past 64 bits can only be that of an empty shape, where no stride is ever used.
[[nodiscard]] constexpr Dims row_major_strides(const Dims& shape) noexcept {
  Dims strides = shape;
  std::int64_t next = 1;
  for (std::size_t i = shape.size(); i-- > 0;) {
    strides[i] = next;
    std::int64_t product = 0;
    const std::int64_t extent = shape[i] > 0 ? shape[i] : 1;
    next = multiply_overflows(next, extent, product) ? 1 : product;
  }
  return strides;
}

// The axis over which offsets move the farthest; -1 if the first offset itself is farther away.
[[nodiscard]] constexpr std::int64_t farthest_axis(const Dims& shape, const Dims& strides,
                                                   std::int64_t offset) noexcept {
  constexpr std::uint64_t kMost = ~std::uint64_t{0};
  std::int64_t axis = -1;
  std::uint64_t farthest = magnitude(offset);
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const auto steps = static_cast<std::uint64_t>(shape[i]) - 1;
    const std::uint64_t step = magnitude(strides[i]);
    const std::uint64_t reach = step != 0 && steps > kMost / step ? kMost : steps * step;
    if (reach < farthest || (reach == farthest && axis >= 0)) continue;
    farthest = reach;
    axis = static_cast<std::int64_t>(i);
  }
  return axis;
}

// Whether every offset, and the distance between any two, fits 64 bits; if not, the stride over
// which they move the farthest is blamed. `subject` names the list of strides.
[[nodiscard]] constexpr Failure check_reach(const Dims& shape, const Dims& strides,
                                            std::int64_t offset, const char* subject) noexcept {
  std::int64_t lowest = offset;
  std::int64_t highest = offset;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] == 1) continue;
    std::int64_t reach = 0;
    std::int64_t& bound = strides[i] < 0 ? lowest : highest;
    if (strides[i] == kInt64Min || multiply_overflows(shape[i] - 1, strides[i], reach) ||
        add_overflows(bound, reach, bound) ||
        static_cast<std::uint64_t>(highest) - static_cast<std::uint64_t>(lowest) >
            static_cast<std::uint64_t>(kInt64Max)) {
      // Strides that are too much by themselves are to blame wherever they start.
      const bool alone = offset == 0 || check_reach(shape, strides, 0, subject);
      const std::int64_t axis = farthest_axis(shape, strides, alone ? 0 : offset);
      if (axis < 0) return Failure{ErrorCode::overflow, "offset", -1, offset, 0};
      return Failure{ErrorCode::overflow, subject, axis, strides[axis], 0};
    }
  }
  return {};
}

}  // namespace detail

constexpr Result<Layout> Layout::try_make(const Dims& shape, const Dims& strides,
                                          std::int64_t offset) noexcept {
  if (strides.size() != shape.size()) {
    return Failure{ErrorCode::length_mismatch, "strides", -1,
                   static_cast<std::int64_t>(strides.size()),
                   static_cast<std::int64_t>(shape.size())}
        .held_against("as many as shape has");
  }
  const Result<std::int64_t> count = detail::count_elements(shape, "shape");
  if (!count) return count.error();
  if (*count > 0) {
    if (Failure failure = detail::check_reach(shape, strides, offset, "strides")) return failure;
  }
  return unchecked(shape, strides, offset);
}

constexpr Result<Layout> Layout::try_row_major(const Dims& shape, std::int64_t offset) noexcept {
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] < 0) {
      return Failure{ErrorCode::negative_size, "shape", static_cast<std::int64_t>(i), shape[i], 0};
    }
  }
  return try_make(shape, detail::row_major_strides(shape), offset);
}

// Refuses a layout that touches an element outside [0, storage_elements). An empty one touches
// none. The failure names the first dimension that leaves the storage, or the offset if that alone
// is behind it.
[[nodiscard]] constexpr Failure check_within(const Layout& layout, std::int64_t storage_elements,
                                             const char* subject) noexcept {
  if (layout.empty()) return {};
  const Bounds all = layout.bounds();
  if (all.lowest >= 0 && all.highest < storage_elements) return {};
  std::int64_t lowest = layout.offset();
  std::int64_t highest = layout.offset();
  if (highest >= storage_elements && highest > 0) {
    return Failure{ErrorCode::out_of_bounds, "offset", -1, highest, storage_elements};
  }
  std::int64_t axis = -1;
  for (; lowest >= 0 && highest < storage_elements;) {
    ++axis;
    if (layout.shape()[axis] == 1) continue;
    const std::int64_t reach = (layout.shape()[axis] - 1) * layout.strides()[axis];
    (reach < 0 ? lowest : highest) += reach;
  }
  return Failure{ErrorCode::out_of_bounds, subject, axis, lowest < 0 ? all.lowest : all.highest,
                 storage_elements};
}

namespace detail {

// The strides in elements, where the layout fits the storage if its own are taken for bytes, as
// NumPy counts them; otherwise none.
[[nodiscard]] constexpr Dims strides_of_bytes(const Layout& layout, std::int64_t element_bytes,
                                              std::int64_t storage_elements) noexcept {
  Dims strides = layout.strides();
  for (std::int64_t& stride : strides) {
    if (stride % element_bytes != 0) return {};
    stride /= element_bytes;
  }
  const Layout meant = Layout::unchecked(layout.shape(), strides, layout.offset());
  return check_within(meant, storage_elements, "") ? Dims{} : strides;
}

}  // namespace detail

}  // namespace strided::inline STRIDED_ABI
