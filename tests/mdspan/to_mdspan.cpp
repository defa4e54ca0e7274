// StridedView -> std::mdspan.
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <mdspan>
#include <numeric>
#include <type_traits>
#include <vector>

#include "check.hpp"
#include "strided/interop/mdspan.hpp"
#include "strided/view/strided_view.hpp"

namespace mdspan_test {
namespace {

using strided::Dims;
using strided::Layout;
using strided::StridedView;
using strided::to_mdspan;
using strided::try_mdspan_mapping;

template <std::size_t Rank>
using Extents64 = std::dextents<std::int64_t, Rank>;

std::vector<int> numbers(std::size_t count) {
  std::vector<int> values(count);
  std::iota(values.begin(), values.end(), 0);
  return values;
}

void check_elements() {
  std::vector<int> storage = numbers(100);
  const StridedView<int> v(storage, {6, 5}, {10, 1}, 22);
  const auto m = to_mdspan<2>(v);
  static_assert(
      std::is_same_v<decltype(m), const std::mdspan<int, Extents64<2>, std::layout_stride>>);
  CHECK(m.data_handle() == &v(0, 0));
  CHECK(m.extent(0) == 6 && m.extent(1) == 5 && m.stride(0) == 10 && m.stride(1) == 1);
  CHECK((m[1, 2]) == 34 && &m[5, 4] == &v(5, 4));
  CHECK(m.mapping().required_span_size() == strided::required_span_size(v.layout()));
  m[0, 0] = -1;  // the same memory
  CHECK(storage[22] == -1);

  const auto readable = to_mdspan<2>(StridedView<const int>(v));
  static_assert(std::is_same_v<decltype(readable)::element_type, const int>);
  CHECK(readable.data_handle() == m.data_handle());

  const auto turned = to_mdspan<std::dextents<int, 2>>(v.transpose(0, 1));
  static_assert(std::is_same_v<decltype(turned)::index_type, int>);
  CHECK((turned[4, 5]) == v(5, 4));

  const auto scalar = to_mdspan<0>(v.select(0, 2).select(0, 3));
  CHECK(scalar.rank() == 0 && scalar[std::array<int, 0>{}] == 45 && scalar.size() == 1);
  CHECK(to_mdspan<0, std::layout_right>(v.select(0, 0).select(0, 0)).mapping()() == 0);
}

void check_extents_and_policies() {
  std::vector<int> storage = numbers(24);
  const StridedView<int> rows(storage, {2, 3, 4});
  const StridedView<int> columns = rows.permute({2, 1, 0});

  const auto fixed = to_mdspan<std::extents<int, 2, 3, 4>, std::layout_right>(rows);
  static_assert(fixed.rank_dynamic() == 0);
  CHECK((fixed[1, 2, 3]) == 23);
  const auto mixed = to_mdspan<std::extents<unsigned, 2, std::dynamic_extent, 4>>(rows);
  CHECK(mixed.extent(1) == 3 && mixed.stride(0) == 12 && (mixed[1, 2, 3]) == 23);
  const auto left = to_mdspan<3, std::layout_left>(columns);
  CHECK((left[3, 2, 1]) == 23 && left.mapping().required_span_size() == 24);

  CHECK_REFUSED(to_mdspan<2>(rows), length_mismatch,
                "to_mdspan: the shape of the view has 3 entries, 2 are needed");
  CHECK_REFUSED(
      (to_mdspan<std::extents<int, 2, std::dynamic_extent, 5>>(rows)), shape_mismatch,
      "to_mdspan: the view has shape (2, 3, 4), (2, 3, 5) is needed; dimension 2 differs");
  CHECK_REFUSED(
      (to_mdspan<std::extents<int, 1, 3, 5>>(rows)), shape_mismatch,
      "to_mdspan: the view has shape (2, 3, 4), (1, 3, 5) is needed; dimension 0 differs");
  CHECK_REFUSED((to_mdspan<3, std::layout_right>(columns)), stride_mismatch,
                "to_mdspan: strides[2] is 12, it must be exactly 1, as in memory without gaps; "
                "copy() to such memory first");
  CHECK_REFUSED((to_mdspan<3, std::layout_left>(rows.narrow(1, 0, 2))), stride_mismatch,
                "to_mdspan: strides[0] is 12, it must be exactly 1, as in memory without gaps; "
                "copy() to such memory first");
  CHECK_REFUSED((to_mdspan<3, std::layout_right>(rows.narrow(1, 0, 2))), stride_mismatch,
                "to_mdspan: strides[0] is 12, it must be exactly 8, as in memory without gaps; "
                "copy() to such memory first");
}

void check_strides() {
  std::vector<int> storage = numbers(100);
  const StridedView<int> v(storage, {4, 5});
  CHECK_REFUSED(to_mdspan<2>(v.flip(1)), nonpositive_stride,
                "to_mdspan: strides[1] is -1, under std::layout_stride it must be at least 1; "
                "copy() to a contiguous view first");
  CHECK_REFUSED(to_mdspan<3>(v.broadcast_to({2, 4, 5})), nonpositive_stride,
                "to_mdspan: strides[0] is 0, under std::layout_stride it must be at least 1; "
                "copy() to a contiguous view first");
  CHECK_REFUSED(to_mdspan<2>(StridedView<int>(storage, {2, 3}, {5, 2})), not_nested,
                "to_mdspan: strides[0] is 5, it must be at least 6, which is a smaller stride "
                "times its size; copy() to a contiguous view first");
  CHECK_REFUSED(to_mdspan<2>(v.select(0, 0).windows(0, 3, 1)), not_nested,
                "to_mdspan: strides[0] is 1, it must be at least 3, which is a smaller stride "
                "times its size; copy() to a contiguous view first");

  // Where nothing depends on a stride, the mapping gets one that it takes.
  const auto one = to_mdspan<2>(StridedView<int>(storage, {1, 5}, {-7, 2}, 3));
  CHECK(one.stride(0) == 1 && one.stride(1) == 2 && (one[0, 4]) == 11);
  const auto inside = to_mdspan<2>(StridedView<int>(storage, {1, 5}, {3, 1}));  // 3 < 1 * 5
  CHECK(inside.stride(0) == 1 && inside.stride(1) == 1 && (inside[0, 4]) == 4);
  const auto kept = to_mdspan<2>(StridedView<int>(storage, {1, 5}, {50, 1}));
  CHECK(kept.stride(0) == 50);

  const StridedView<int> nothing(storage, {0, 3}, {0, 0});
  const auto empty = to_mdspan<2>(nothing);
  CHECK(empty.empty() && empty.stride(0) == 3 && empty.stride(1) == 1);
  CHECK(empty.mapping().required_span_size() == 0 && empty.data_handle() == storage.data());
  const StridedView<int> nowhere(std::span<int>(), {3, 0}, {-1, -1}, 1000);
  CHECK(to_mdspan<2>(nowhere).data_handle() == nullptr);
  CHECK((to_mdspan<2, std::layout_right>(nowhere).extent(0)) == 3);
  CHECK((to_mdspan<2, std::layout_left>(nowhere).empty()));
}

// The span of `layout` is exactly what Index holds, and one more element or a wider step is not.
template <class Index>
void check_index_type(std::int64_t most) {
  using One = std::dextents<Index, 1>;
  using Two = std::dextents<Index, 2>;
  CHECK(try_mdspan_mapping<One>(Layout({most}))->required_span_size() ==
        std::numeric_limits<Index>::max());
  CHECK(try_mdspan_mapping<Two>(Layout({2, 1}, {most - 1, 1}))->stride(0) ==
        static_cast<Index>(most - 1));
  const auto told = [](const auto& mapping) { return mapping.message(); };
  const std::string tail =
      ", with it the mapping no longer fits an index type of at most " + std::to_string(most);
  const std::string over = std::to_string(most + 1);
  CHECK(told(try_mdspan_mapping<One>(Layout({most + 1}))) ==
        "to_mdspan: shape[0] is " + over + tail);
  CHECK(told(try_mdspan_mapping<One, std::layout_left>(Layout({most + 1}))) ==
        "to_mdspan: shape[0] is " + over + tail);
  CHECK(told(try_mdspan_mapping<Two>(Layout({2, 2}, {1, most}))) ==
        "to_mdspan: strides[1] is " + std::to_string(most) + tail);
  CHECK(told(try_mdspan_mapping<Two>(Layout({2, 3}, {1, most + 1}))) ==
        "to_mdspan: strides[1] is " + over + tail);
  CHECK(try_mdspan_mapping<Two>(Layout({2, 1}, {1, most + 1}))->stride(1) == 1);
  CHECK(told(try_mdspan_mapping<Two>(Layout({0, most + 1}, {1, 1}))) ==
        "to_mdspan: shape[1] is " + over + tail);
  const std::string half = std::to_string(most / 2 + 1);
  CHECK(told(try_mdspan_mapping<Two, std::layout_right>(Layout({2, most / 2 + 1}))) ==
        "to_mdspan: shape[1] is " + half + tail);
}

void check_index_types() {
  check_index_type<std::int8_t>(127);
  check_index_type<std::uint8_t>(255);
  check_index_type<std::int16_t>(32767);
  check_index_type<std::int32_t>(std::numeric_limits<std::int32_t>::max());
  check_index_type<std::uint32_t>(std::numeric_limits<std::uint32_t>::max());

  // The widest index types take all that is a layout, but for the one span that is 2^63.
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  CHECK(try_mdspan_mapping<std::dextents<std::size_t, 1>>(Layout({kMost})).has_value());
  CHECK(try_mdspan_mapping<Extents64<1>>(Layout({2}, {kMost - 1})).has_value());
  CHECK(!try_mdspan_mapping<Extents64<1>>(Layout({2}, {kMost})));
  // Empty, and yet too large for its strides to be told.
  const std::int64_t huge = std::int64_t{1} << 40;
  CHECK(!try_mdspan_mapping<Extents64<3>>(Layout({0, huge, huge}, {1, 1, 1})));
  CHECK(!try_mdspan_mapping<Extents64<3>>(Layout({huge, huge, 0}, {1, 1, 1})));
  CHECK(!try_mdspan_mapping<Extents64<3>>(Layout({huge, 0, huge}, {0, 0, 0})));
  CHECK((try_mdspan_mapping<Extents64<2>, std::layout_right>(Layout({huge, 0})).has_value()));
}

constexpr bool works_in_constant_expressions() {
  std::array<int, 6> six{0, 1, 2, 3, 4, 5};
  const StridedView<int> v(six, {2, 3});
  return to_mdspan<2>(v.transpose(0, 1))[2, 1] == 5 &&
         to_mdspan<std::extents<int, 2, 3>, std::layout_right>(v)[1, 0] == 3;
}
static_assert(works_in_constant_expressions());

}  // namespace

void check_to_mdspan() {
  check_elements();
  check_extents_and_policies();
  check_strides();
  check_index_types();
}

}  // namespace mdspan_test
