// strided_slice and its assignment, index by index. The rules are worked out here a second time, in
// the plainest form, from the operator's document: this file is the check of the other one.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "strided/core/checked_math.hpp"
#include "strided/core/config.hpp"
#include "strided/core/dims.hpp"
#include "strided/core/result.hpp"
#include "strided/core/rules.hpp"
#include "strided/reference/elements.hpp"
#include "strided/view/layout.hpp"
#include "strided/view/strided_view.hpp"

namespace strided::inline STRIDED_ABI {
namespace reference {
namespace detail {

enum class EntryKind { range, shrink, new_axis, ellipsis };

// What the entry at a position of the spec is: an ellipsis beats a new axis beats a shrink.
inline EntryKind entry_kind(const StridedSliceSpec& spec, std::size_t position) {
  const std::uint32_t bit = std::uint32_t{1} << position;
  if ((spec.ellipsis_mask & bit) != 0) return EntryKind::ellipsis;
  if ((spec.new_axis_mask & bit) != 0) return EntryKind::new_axis;
  if ((spec.shrink_axis_mask & bit) != 0) return EntryKind::shrink;
  return EntryKind::range;
}

// What a slice takes of one dimension of the variable, or a new dimension.
struct Taken {
  EntryKind kind = EntryKind::range;
  std::int64_t axis = -1;      // of the variable; -1 for a new axis
  std::int64_t position = -1;  // of the spec; -1 where the dimension is taken whole
};

// The lists and masks alone.
inline Failure check_lists(const StridedSliceSpec& spec) {
  const auto m = static_cast<std::int64_t>(spec.begin.size());
  const auto ends = static_cast<std::int64_t>(spec.end.size());
  const auto strides = static_cast<std::int64_t>(spec.strides.size());
  if (ends != m) return Failure{ErrorCode::length_mismatch, "end", -1, ends, m};
  if (strides != m) return Failure{ErrorCode::length_mismatch, "strides", -1, strides, m};
  if (m >= 32) return Failure{ErrorCode::spec_too_long, "the spec", -1, m, 31};
  const std::int64_t ellipses = std::popcount(spec.ellipsis_mask);
  if (ellipses > 1) {
    return Failure{ErrorCode::several_ellipses, "ellipsis_mask", -1, ellipses, 1};
  }
  return {};
}

// How many dimensions the entries use of the `rank` there are, and how many they leave.
inline Failure check_entries(const StridedSliceSpec& spec, std::int64_t rank) {
  std::int64_t used = 0;
  std::int64_t final_rank = rank;
  for (std::size_t i = 0; i < spec.begin.size(); ++i) {
    const EntryKind kind = entry_kind(spec, i);
    if (kind == EntryKind::range || kind == EntryKind::shrink) ++used;
    if (kind == EntryKind::shrink) --final_rank;
    if (kind == EntryKind::new_axis) ++final_rank;
  }
  if (used > rank) return Failure{ErrorCode::too_many_entries, "begin", -1, used, rank};
  if (final_rank > kMaxRank) {
    return Failure{ErrorCode::rank_too_large, "the slice", -1, final_rank, kMaxRank};
  }
  return {};
}

inline Failure check_var(const Dims& shape, Rules rules) {
  const auto rank = static_cast<std::int64_t>(shape.size());
  if (rules == Rules::ascend && rank == 0) {
    return Failure{ErrorCode::rank_too_small, "var", -1, 0, 1};
  }
  if ((rules == Rules::ascend || rules == Rules::tensorflow) && rank > 8) {
    return Failure{ErrorCode::rank_too_large, "var", -1, rank, 8};
  }
  for (std::int64_t axis = 0; axis < rank; ++axis) {
    if (rules == Rules::ascend && shape[axis] == 0) {
      return Failure{ErrorCode::empty_var, "var", axis, 0, 1};
    }
  }
  return {};
}

// The spec written out: an entry for every dimension and every new axis, in order. Without an
// ellipsis, one stands at the end.
inline std::vector<Taken> write_out(const StridedSliceSpec& spec, std::int64_t rank) {
  const std::size_t m = spec.begin.size();
  std::vector<EntryKind> kinds;
  std::int64_t whole = rank;  // dimensions that no entry names: the ellipsis stands for them
  bool has_ellipsis = false;
  for (std::size_t i = 0; i < m; ++i) {
    kinds.push_back(entry_kind(spec, i));
    if (kinds[i] == EntryKind::range || kinds[i] == EntryKind::shrink) --whole;
    has_ellipsis = has_ellipsis || kinds[i] == EntryKind::ellipsis;
  }
  if (!has_ellipsis) kinds.push_back(EntryKind::ellipsis);

  std::vector<Taken> taken;
  std::int64_t axis = 0;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    if (kinds[i] == EntryKind::ellipsis) {
      for (std::int64_t k = 0; k < whole; ++k) taken.push_back({EntryKind::range, axis++, -1});
    } else if (kinds[i] == EntryKind::new_axis) {
      taken.push_back({EntryKind::new_axis, -1, static_cast<std::int64_t>(i)});
    } else {
      taken.push_back({kinds[i], axis++, static_cast<std::int64_t>(i)});
    }
  }
  return taken;
}

inline Failure check_stride(std::int64_t stride, const Taken& entry, bool last_axis, Rules rules) {
  const auto failure = [&](ErrorCode code, std::int64_t limit) {
    return Failure{code, "strides", entry.position, stride, limit};
  };
  const bool shrinks = entry.kind == EntryKind::shrink;
  if (rules == Rules::ascend) {
    if (stride < 1) return failure(ErrorCode::nonpositive_stride, 1).held_against("Rules::ascend");
    if (shrinks && stride != 1) return failure(ErrorCode::shrink_stride, 1);
    if (last_axis && stride != 1) return failure(ErrorCode::innermost_stride, 1);
    return {};
  }
  if (stride == 0) return failure(ErrorCode::zero_stride, 0);
  if (stride == kInt64Min) return failure(ErrorCode::overflow, 0);
  if (shrinks && stride < 1) return failure(ErrorCode::shrink_stride, 0);
  return {};
}

struct Range {
  std::int64_t first = 0;
  std::int64_t stride = 1;
  std::int64_t count = 0;
};

// begin and end as the user wrote them, brought into the dimension: negative ones count from its
// end, once; then they clamp to the places that a walk in this direction can start or stop at.
inline Range range_of(const StridedSliceSpec& spec, std::int64_t position, std::int64_t extent) {
  const std::uint32_t bit = std::uint32_t{1} << position;
  const std::int64_t stride = spec.strides[position];
  const std::int64_t low = stride > 0 ? 0 : -1;
  const std::int64_t high = stride > 0 ? extent : extent - 1;
  std::int64_t begin = spec.begin[position];
  std::int64_t end = spec.end[position];
  if (begin < 0) begin += extent;
  if (end < 0) end += extent;
  if (begin < low) begin = low;
  if (begin > high) begin = high;
  if (end < low) end = low;
  if (end > high) end = high;
  if ((spec.begin_mask & bit) != 0) begin = stride > 0 ? low : high;
  if ((spec.end_mask & bit) != 0) end = stride > 0 ? high : low;

  const std::int64_t distance = end - begin;
  std::int64_t count = 0;
  if ((distance > 0 && stride > 0) || (distance < 0 && stride < 0)) {
    count = distance / stride + (distance % stride != 0 ? 1 : 0);
  }
  return {begin, stride, count};
}

// The layout of the slice of `var`, or why there is none.
inline Result<Layout> slice_layout(const Layout& var, const StridedSliceSpec& spec, Rules rules) {
  const std::int64_t rank = var.rank();
  if (Failure failure = check_lists(spec)) return failure;
  if (Failure failure = check_var(var.shape(), rules)) return failure;
  if (Failure failure = check_entries(spec, rank)) return failure;

  Dims shape;
  Dims strides;
  std::int64_t offset = var.offset();
  bool empty = false;
  for (const Taken& entry : write_out(spec, rank)) {
    if (entry.kind == EntryKind::new_axis) {
      shape.push_back(1);
      strides.push_back(1);
      continue;
    }
    const std::int64_t extent = var.shape()[entry.axis];
    Range range{0, 1, extent};
    if (entry.position >= 0) {
      const std::int64_t stride = spec.strides[entry.position];
      if (Failure failure = check_stride(stride, entry, entry.axis == rank - 1, rules)) {
        return failure;
      }
      if (entry.kind == EntryKind::shrink) {
        const std::int64_t given = spec.begin[entry.position];
        const std::int64_t index = given < 0 ? given + extent : given;
        if (index < 0 || index >= extent) {
          Failure failure{ErrorCode::index_out_of_range, "begin", entry.position, given, extent};
          failure.needed = Dims{-extent, extent - 1};
          return failure;
        }
        range = {index, 1, 1};
      } else {
        range = range_of(spec, entry.position, extent);
      }
    }
    empty = empty || range.count == 0;
    if (range.count > 0 && !var.empty()) offset += range.first * var.strides()[entry.axis];
    if (entry.kind == EntryKind::range) {
      // From one element to the next. Where there is no next, the product could overflow.
      const std::int64_t stride = range.count < 2 || var.empty() ? 1 : range.stride;
      shape.push_back(range.count);
      strides.push_back(stride * var.strides()[entry.axis]);
    }
  }
  return Layout::unchecked(shape, strides, empty ? var.offset() : offset);
}

// Whether `value` may be written to a slice of this shape.
inline Failure check_value(const Dims& value, const Dims& slice, Rules rules) {
  if (rules == Rules::ascend) return check_same_shape(value, slice, "the value");
  for (std::int64_t extent : slice) {
    if (extent == 0) return {};  // nothing is assigned, whatever the value
  }
  if (value.size() > slice.size()) return check_same_shape(value, slice, "the value");
  const std::size_t added = slice.size() - value.size();
  for (std::size_t i = 0; i < value.size(); ++i) {
    const std::int64_t wanted = slice[added + i];
    if (value[i] != wanted && value[i] != 1) {
      return Failure{ErrorCode::not_broadcastable, "the slice's shape",
                     static_cast<std::int64_t>(added + i), wanted, value[i]};
    }
  }
  return {};
}

// `value` repeated along leading and size-1 dimensions until it has this shape.
inline Layout repeated(const Layout& value, const Dims& shape) {
  Dims strides = Dims::filled(shape.size(), 0);
  const std::size_t added = shape.size() - value.shape().size();
  for (std::size_t i = 0; i < value.shape().size(); ++i) {
    if (value.shape()[i] != 1) strides[added + i] = value.strides()[i];
  }
  return Layout::unchecked(shape, strides, value.offset());
}

}  // namespace detail

// The view of `x` that the spec describes.
//
// Errors, in the order of the checks: length_mismatch, spec_too_long, several_ellipses;
// rank_too_small, rank_too_large, empty_var; too_many_entries, rank_too_large; then position by
// position zero_stride, nonpositive_stride, overflow, shrink_stride, innermost_stride,
// index_out_of_range.
//
//   reference::strided_slice(x, {{1}, {5}, {2}})   // of 0..9: (1, 3)
template <class T>
StridedView<T> strided_slice(const StridedView<T>& x, const StridedSliceSpec& spec,
                             Rules rules = Rules::strided) {
  const Result<Layout> slice = detail::slice_layout(x.layout(), spec, rules);
  if (!slice) raise_if(slice.error().in("reference::strided_slice"));
  return StridedView<T>::unchecked(x.storage(), *slice);
}

// The operator StridedSliceAssign: the elements of `var` that the spec selects become those of
// `value`, in place. Under the ascend rules the value has exactly the shape of the slice, under the
// others it is broadcast to it.
//
// Errors: those of strided_slice; shape_mismatch, not_broadcastable of the value; internal_overlap
// of the slice. `var` is unchanged then.
//
//   reference::strided_slice_assign(var, {{0}, {2}, {1}}, value)   // var(0), var(1) are set
template <class T, class S>
  requires std::is_same_v<std::remove_const_t<S>, T>
void strided_slice_assign(const StridedView<T>& var, const StridedSliceSpec& spec,
                          const StridedView<S>& value, Rules rules = Rules::ascend) {
  constexpr const char* kCall = "reference::strided_slice_assign";
  const Result<Layout> slice = detail::slice_layout(var.layout(), spec, rules);
  if (!slice) raise_if(slice.error().in(kCall));
  raise_if(detail::check_value(value.shape(), slice->shape(), rules).in(kCall));
  if (slice->empty()) return;
  const auto destination = StridedView<T>::unchecked(var.storage(), *slice);
  raise_if(detail::check_writable(destination, "the slice of var").in(kCall));
  const Layout source = detail::repeated(value.layout(), slice->shape());
  detail::move_all<T>(StridedView<const T>::unchecked(value.storage(), source), destination);
}

}  // namespace reference
}  // namespace strided::inline STRIDED_ABI
