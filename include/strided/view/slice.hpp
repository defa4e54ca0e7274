// Strided slices with masks, and as_strided: layouts from an operator's parameters.
#pragma once

#include <cstdint>

#include "strided/core/checked_math.hpp"
#include "strided/core/config.hpp"
#include "strided/core/dims.hpp"
#include "strided/core/result.hpp"
#include "strided/core/rules.hpp"
#include "strided/view/algebra.hpp"
#include "strided/view/layout.hpp"

namespace strided::inline STRIDED_ABI {

// The Ascend operators and TensorFlow's kernels stop at eight dimensions.
inline constexpr int kMaxOperatorRank = 8;

namespace detail {

[[nodiscard]] constexpr bool has_bit(std::uint32_t mask, std::size_t position) noexcept {
  return (mask >> position & 1U) != 0;
}

[[nodiscard]] constexpr Failure check_length(const Dims& list, const char* subject,
                                             std::size_t needed, const char* whose) noexcept {
  if (list.size() == needed) return {};
  return Failure{ErrorCode::length_mismatch, subject, -1, static_cast<std::int64_t>(list.size()),
                 static_cast<std::int64_t>(needed)}
      .held_against(whose);
}

// What one position of a spec stands for.
enum class Entry : std::uint8_t { range, ellipsis, new_axis, shrink };

[[nodiscard]] constexpr Entry entry_at(const StridedSliceSpec& spec, std::size_t i) noexcept {
  if (has_bit(spec.ellipsis_mask, i)) return Entry::ellipsis;
  if (has_bit(spec.new_axis_mask, i)) return Entry::new_axis;
  return has_bit(spec.shrink_axis_mask, i) ? Entry::shrink : Entry::range;
}

// How many dimensions a spec takes and makes.
struct EntryCounts {
  std::int64_t taken = 0;  // ranges and shrinks
  std::int64_t shrunk = 0;
  std::int64_t added = 0;
};

[[nodiscard]] constexpr EntryCounts count_entries(const StridedSliceSpec& spec) noexcept {
  EntryCounts counts;
  for (std::size_t i = 0; i < spec.begin.size(); ++i) {
    const Entry entry = entry_at(spec, i);
    counts.taken += entry == Entry::range || entry == Entry::shrink ? 1 : 0;
    counts.shrunk += entry == Entry::shrink ? 1 : 0;
    counts.added += entry == Entry::new_axis ? 1 : 0;
  }
  return counts;
}

// Everything that can be said before a single bound is read.
[[nodiscard]] constexpr Failure check_spec(const Layout& x, const StridedSliceSpec& spec,
                                           Rules rules, const char* name) noexcept {
  constexpr const char* kAsBegin = "as many as begin has";
  const std::size_t length = spec.begin.size();
  if (Failure failure = check_length(spec.end, "end", length, kAsBegin)) return failure;
  if (Failure failure = check_length(spec.strides, "strides", length, kAsBegin)) return failure;
  if (length > 31) {
    return Failure{ErrorCode::spec_too_long, "begin", -1, static_cast<std::int64_t>(length), 31};
  }
  std::int64_t ellipses = 0;
  for (std::size_t bit = 0; bit < 32; ++bit) ellipses += has_bit(spec.ellipsis_mask, bit) ? 1 : 0;
  if (ellipses > 1) return Failure{ErrorCode::several_ellipses, "ellipsis_mask", -1, ellipses, 1};

  const bool limited = rules == Rules::ascend || rules == Rules::tensorflow;
  if (limited && x.rank() > kMaxOperatorRank) {
    return Failure{ErrorCode::rank_too_large, "the shape", -1, x.rank(), kMaxOperatorRank}
        .held_against(name_of(rules));
  }
  if (rules == Rules::ascend) {
    if (x.rank() < 1) {
      return Failure{ErrorCode::rank_too_small, name, -1, x.rank(), 1}.held_against(
          "Rules::ascend");
    }
    for (std::int64_t i = 0; i < x.rank(); ++i) {
      if (x.shape()[i] == 0) return Failure{ErrorCode::empty_var, name, i, 0, 1};
    }
  }
  const EntryCounts counts = count_entries(spec);
  if (counts.taken > x.rank()) {
    return Failure{ErrorCode::too_many_entries, "begin", -1, counts.taken, x.rank()}.held_against(
        name);
  }
  const std::int64_t final_rank = x.rank() - counts.shrunk + counts.added;
  if (final_rank > kMaxRank) {
    return Failure{ErrorCode::rank_too_large, "the final shape", -1, final_rank, kMaxRank};
  }
  return {};
}

// The rule sets differ in the strides they allow. `innermost`: the entry addresses the last
// dimension.
[[nodiscard]] constexpr Failure check_entry_stride(std::int64_t stride, std::int64_t position,
                                                   bool shrink, bool innermost,
                                                   Rules rules) noexcept {
  const bool ascend = rules == Rules::ascend;
  if (ascend && stride < 1) {
    return Failure{ErrorCode::nonpositive_stride, "strides", position, stride, 1}.held_against(
        "Rules::ascend");
  }
  if (Failure failure = check_step(stride, "strides", position)) return failure;
  if (shrink && (ascend ? stride != 1 : stride < 1)) {
    return Failure{ErrorCode::shrink_stride, "strides", position, stride, ascend ? 1 : 0};
  }
  if (ascend && innermost && stride != 1) {
    return Failure{ErrorCode::innermost_stride, "strides", position, stride, 1};
  }
  return {};
}

}  // namespace detail

// The layout of x[begin:end:strides] with the five masks (see StridedSliceSpec). Bounds may be any
// 64-bit number: negative ones count from the end once, then they clamp; the begin of a shrunk
// dimension does not clamp. The final shape has the ranges in the order of the spec, 1 for each new
// axis, and no shrunk dimension. Semantics: tf.strided_slice, and the Ascend operator
// StridedSliceAssign under Rules::ascend. Failures call x by its `name`.
//
// Errors: length_mismatch, spec_too_long, several_ellipses, too_many_entries, rank_too_large,
// zero_stride, overflow (a stride of INT64_MIN), shrink_stride, index_out_of_range; for ascend also
// rank_too_small, empty_var, nonpositive_stride, innermost_stride.
//
//   x of shape (3, 4), {begin {0, 1}, end {0, 3}, strides {1, 1}, shrink_axis_mask 1}: x[0, 1:3]
[[nodiscard]] constexpr Result<Layout> try_strided_slice(const Layout& x,
                                                         const StridedSliceSpec& spec,
                                                         Rules rules = Rules::strided,
                                                         const char* name = "x") noexcept {
  using detail::Entry;
  if (Failure failure = detail::check_spec(x, spec, rules, name)) return failure;
  const std::int64_t untaken = x.rank() - detail::count_entries(spec).taken;
  Dims shape;
  Dims strides;
  std::int64_t offset = x.offset();
  std::int64_t axis = 0;  // the dimension of x that comes next
  const auto take_whole = [&](std::int64_t count) {
    for (const std::int64_t last = axis + count; axis < last; ++axis) {
      shape.push_back(x.shape()[axis]);
      strides.push_back(x.strides()[axis]);
    }
  };
  for (std::size_t i = 0; i < spec.begin.size(); ++i) {
    const auto position = static_cast<std::int64_t>(i);
    const Entry entry = detail::entry_at(spec, i);
    if (entry == Entry::ellipsis) {
      take_whole(untaken);
      continue;
    }
    if (entry == Entry::new_axis) {
      shape.push_back(1);
      strides.push_back(1);
      continue;
    }
    const std::int64_t extent = x.shape()[axis];
    const std::int64_t step = spec.strides[i];
    const bool shrink = entry == Entry::shrink;
    if (Failure failure =
            detail::check_entry_stride(step, position, shrink, axis + 1 == x.rank(), rules)) {
      return failure;
    }
    const std::int64_t begin = spec.begin[i];
    if (shrink && (begin < -extent || begin >= extent)) {
      return detail::outside_dimension("begin", position, begin, extent, -extent, extent - 1)
          .held_against("");
    }
    const bool from_edge = !shrink && detail::has_bit(spec.begin_mask, i);
    const bool to_edge = !shrink && detail::has_bit(spec.end_mask, i);
    const std::int64_t low = step > 0 ? kBegin : kEnd;
    const std::int64_t high = step > 0 ? kEnd : kBegin;
    detail::SliceRange range =
        detail::slice_range(from_edge ? low : begin, to_edge ? high : spec.end[i], step, extent);
    if (shrink) range = {begin < 0 ? begin + extent : begin, 1};
    if (!x.empty() && range.count > 0) offset += range.first * x.strides()[axis];
    if (!shrink) {
      shape.push_back(range.count);
      strides.push_back(detail::step_stride(x.strides()[axis], step));
    }
    ++axis;
  }
  take_whole(x.rank() - axis);  // without an ellipsis, one is implied at the end
  const Layout slice = Layout::unchecked(shape, strides, offset);
  return slice.empty() ? Layout::unchecked(shape, strides, x.offset()) : slice;
}

// The layout of as_strided over a storage of `storage_elements`: element (i, j, ...) is at
// offset + i * stride[0] + j * stride[1] + ... The rule sets differ in what they refuse: all
// but strided want strides of at least 0, ascend also sizes of at least 1 and at most 8 dimensions.
//
// Errors: length_mismatch, rank_too_large, negative_size, nonpositive_size, negative_stride,
// negative_offset, overflow, out_of_bounds.
[[nodiscard]] constexpr Result<Layout> try_as_strided(std::int64_t storage_elements,
                                                      const Dims& size, const Dims& stride,
                                                      std::int64_t offset,
                                                      Rules rules = Rules::strided) noexcept {
  const bool ascend = rules == Rules::ascend;
  if (ascend && size.size() > static_cast<std::size_t>(kMaxOperatorRank)) {
    return Failure{ErrorCode::rank_too_large, "size", -1, static_cast<std::int64_t>(size.size()),
                   kMaxOperatorRank}
        .held_against("Rules::ascend");
  }
  if (Failure failure = detail::check_length(stride, "stride", size.size(), "as many as size has"))
    return failure;
  for (std::size_t i = 0; i < size.size(); ++i) {
    const auto axis = static_cast<std::int64_t>(i);
    if (ascend && size[i] < 1) {
      return Failure{ErrorCode::nonpositive_size, "size", axis, size[i], 1}.held_against(
          "Rules::ascend");
    }
    if (size[i] < 0) return Failure{ErrorCode::negative_size, "size", axis, size[i], 0};
  }
  for (std::size_t i = 0; i < stride.size(); ++i) {
    if (rules != Rules::strided && stride[i] < 0) {
      return Failure{ErrorCode::negative_stride, "stride", static_cast<std::int64_t>(i), stride[i],
                     0}
          .held_against(detail::name_of(rules));
    }
  }
  if (offset < 0) return Failure{ErrorCode::negative_offset, "offset", -1, offset, 0};
  const Result<std::int64_t> count = detail::count_elements(size, "size");
  if (!count) return count.error();
  if (*count > 0) {
    if (Failure failure = detail::check_reach(size, stride, offset, "stride")) return failure;
  }
  const Layout layout = Layout::unchecked(size, stride, offset);
  if (Failure failure = check_within(layout, storage_elements, "the view")) {
    if (ascend) failure.against = "x";  // its elements in row-major order, wherever they are stored
    return failure;
  }
  return layout;
}

}  // namespace strided::inline STRIDED_ABI
