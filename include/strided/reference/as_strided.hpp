// as_strided, its copying form and its scattering form, index by index.
#pragma once

#include <cstdint>
#include <span>
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

// The number of elements, the lowest and the highest place and the distance between these must fit
// 64 bits, and the places must lie in [0, have). A size of 0 anywhere leaves nothing to check.
inline Failure check_reach_inside(const Dims& size, const Dims& stride, std::int64_t offset,
                                  std::int64_t have) {
  for (std::int64_t extent : size) {
    if (extent == 0) return {};
  }
  std::int64_t count = 1;
  for (std::size_t i = 0; i < size.size(); ++i) {
    if (strided::detail::multiply_overflows(count, size[i], count)) {
      return Failure{ErrorCode::overflow, "size", static_cast<std::int64_t>(i), size[i], 1};
    }
  }
  std::int64_t lowest = offset;
  std::int64_t highest = offset;
  for (std::size_t i = 0; i < size.size(); ++i) {
    if (size[i] == 1) continue;  // its stride is never used
    const Failure overflow{ErrorCode::overflow, "stride", static_cast<std::int64_t>(i), stride[i]};
    std::int64_t distance = 0;
    if (stride[i] == kInt64Min) return overflow;
    if (strided::detail::multiply_overflows(size[i] - 1, stride[i], distance)) return overflow;
    std::int64_t& bound = distance < 0 ? lowest : highest;
    if (strided::detail::add_overflows(bound, distance, bound)) return overflow;
    if (lowest < 0 && highest > kInt64Max + lowest) return overflow;
  }
  if (lowest < 0) return Failure{ErrorCode::out_of_bounds, "the view", -1, lowest, have};
  if (highest >= have) return Failure{ErrorCode::out_of_bounds, "the view", -1, highest, have};
  return {};
}

// `offset` is the list that the operator takes; the view form makes it a list of one.
inline Failure check_as_strided(const Dims& size, const Dims& stride, const Dims& offset,
                                std::int64_t have, Rules rules) {
  const auto rank = static_cast<std::int64_t>(size.size());
  const auto strides = static_cast<std::int64_t>(stride.size());
  const auto offsets = static_cast<std::int64_t>(offset.size());
  const bool ascend = rules == Rules::ascend;
  if (offsets != 1) return Failure{ErrorCode::length_mismatch, "offset", -1, offsets, 1};
  if (ascend && rank > 8) return Failure{ErrorCode::rank_too_large, "size", -1, rank, 8};
  if (strides != rank) return Failure{ErrorCode::length_mismatch, "stride", -1, strides, rank};
  for (std::size_t i = 0; i < size.size(); ++i) {
    const auto axis = static_cast<std::int64_t>(i);
    if (ascend && size[i] < 1) {
      return Failure{ErrorCode::nonpositive_size, "size", axis, size[i], 1}.held_against(
          "Rules::ascend");
    }
    if (size[i] < 0) return Failure{ErrorCode::negative_size, "size", axis, size[i], 0};
  }
  if (rules != Rules::strided) {
    for (std::size_t i = 0; i < stride.size(); ++i) {
      const auto axis = static_cast<std::int64_t>(i);
      if (stride[i] < 0) {
        return Failure{ErrorCode::negative_stride, "stride", axis, stride[i], 0}.held_against(
            strided::detail::name_of(rules));
      }
    }
  }
  if (offset[0] < 0) return Failure{ErrorCode::negative_offset, "offset", 0, offset[0], 0};
  return check_reach_inside(size, stride, offset[0], have);
}

// The distance from each element of `v` to the next one in row-major order, if it is the same all
// the way: only then do strides over that vector translate to strides over the storage.
template <class T>
Result<std::int64_t> common_step(const StridedView<T>& v) {
  const std::vector<std::size_t> places = all_places(v.layout());
  if (places.size() < 2) return std::int64_t{1};
  const auto distance = [&](std::size_t k) {
    return static_cast<std::int64_t>(places[k]) - static_cast<std::int64_t>(places[k - 1]);
  };
  const std::int64_t step = distance(1);
  for (std::size_t k = 2; k < places.size(); ++k) {
    if (distance(k) == step) continue;
    Failure failure{ErrorCode::needs_copy, "the row-major vector of shape"};
    failure.given = v.shape();
    return failure;
  }
  return step;
}

template <class T>
Result<Layout> as_strided_layout(const StridedView<T>& v, const Dims& size, const Dims& stride,
                                 std::int64_t offset, Rules rules) {
  const bool logical = rules == Rules::ascend;
  const std::int64_t have = logical ? v.size() : static_cast<std::int64_t>(v.storage().size());
  if (Failure failure = check_as_strided(size, stride, Dims{offset}, have, rules)) return failure;
  if (!logical) return Layout::unchecked(size, stride, offset);
  const Result<std::int64_t> step = common_step(v);
  if (!step) return step.error();
  Dims strides = stride;
  for (std::size_t i = 0; i < size.size(); ++i) {
    strides[i] = size[i] == 1 ? 1 : stride[i] * *step;  // the stride of one element is never used
  }
  return Layout::unchecked(size, strides, v.offset() + offset * *step);
}

}  // namespace detail

// A view of the storage of `v`: element (i, j, ...) is storage[offset + i * stride[0] + ...]. Under
// the ascend rules offset and strides count in v's elements in row-major order instead, which only
// works where these have one distance (needs_copy otherwise).
//
// Errors: rank_too_large, length_mismatch, negative_size, nonpositive_size, negative_stride,
// negative_offset, overflow, out_of_bounds, needs_copy.
//
//   reference::as_strided(v, {2, 2}, {2, 3}, 0)   // of 1..9: ((1, 4), (3, 6))
template <class T>
StridedView<T> as_strided(const StridedView<T>& v, const Dims& size, const Dims& stride,
                          std::int64_t offset, Rules rules = Rules::strided) {
  const Result<Layout> layout = detail::as_strided_layout(v, size, stride, offset, rules);
  if (!layout) raise_if(layout.error().in("reference::as_strided"));
  return StridedView<T>::unchecked(v.storage(), *layout);
}

// The same from v's own offset.
template <class T>
StridedView<T> as_strided(const StridedView<T>& v, const Dims& size, const Dims& stride) {
  return reference::as_strided(v, size, stride, v.offset());
}

// The operator AsStrided: y[i][j]... = v[offset + i * stride[0] + j * stride[1] + ...], where v is,
// under the ascend rules, the vector of x's elements in row-major order (whatever x's strides), and
// under the others the storage of x.
//
// Errors: those of as_strided; length_mismatch for an offset list not of length one; shape_mismatch
// and internal_overlap of y.
//
//   reference::as_strided_copy(x, {{2, 2}, {2, 3}, {2}}, y)   // x = 1..9: y = ((3, 6), (5, 8))
template <class S, class T>
  requires std::is_same_v<std::remove_const_t<S>, T>
void as_strided_copy(const StridedView<S>& x, const AsStridedParam& param, const StridedView<T>& y,
                     Rules rules = Rules::ascend) {
  constexpr const char* kCall = "reference::as_strided_copy";
  const bool logical = rules == Rules::ascend;
  const auto have = logical ? x.size() : static_cast<std::int64_t>(x.storage().size());
  raise_if(detail::check_as_strided(param.size, param.stride, param.offset, have, rules).in(kCall));
  raise_if(detail::check_same_shape(y.shape(), param.size, "y").in(kCall));
  raise_if(detail::check_writable(y, "y").in(kCall));

  const std::vector<std::size_t> vector =
      logical ? detail::all_places(x.layout()) : std::vector<std::size_t>();
  const Layout wanted = Layout::unchecked(param.size, param.stride, param.offset[0]);
  std::vector<detail::Held<T>> picked;
  detail::for_each_index(param.size, [&](const Dims& index) {
    const std::size_t k = detail::place(wanted, index);
    picked.push_back(detail::hold<T>(x.storage()[logical ? vector[k] : k]));
  });
  detail::write_all<T>(picked, y);
}

// Writes `value` to the elements that as_strided would view; the others keep their values.
//
// Errors: those of as_strided; shape_mismatch of the value; internal_overlap of the places.
//
//   reference::as_strided_scatter(v, {2}, {3}, 1, value)   // v's storage[1], [4] are set
template <class T, class S>
  requires std::is_same_v<std::remove_const_t<S>, T>
void as_strided_scatter(const StridedView<T>& v, const Dims& size, const Dims& stride,
                        std::int64_t offset, const StridedView<S>& value,
                        Rules rules = Rules::strided) {
  constexpr const char* kCall = "reference::as_strided_scatter";
  const Result<Layout> target = detail::as_strided_layout(v, size, stride, offset, rules);
  if (!target) raise_if(target.error().in(kCall));
  raise_if(detail::check_same_shape(value.shape(), size, "the value").in(kCall));
  const auto destination = StridedView<T>::unchecked(v.storage(), *target);
  raise_if(detail::check_writable(destination, "the destination").in(kCall));
  detail::move_all<T>(value, destination);
}

}  // namespace reference
}  // namespace strided::inline STRIDED_ABI
