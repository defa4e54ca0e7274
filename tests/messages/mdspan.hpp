// What the mappings of std::mdspan say, and std::mdspan itself where there is <mdspan>.
#pragma once

#include <version>
#if defined(__cpp_lib_mdspan)
#include <mdspan>
#endif

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "messages/row.hpp"
#include "strided/core/dims.hpp"
#include "strided/interop/mdspan/mapping.hpp"
#if defined(__cpp_lib_mdspan)
#include "mdspan/layouts.hpp"
#include "strided/interop/mdspan.hpp"
#endif

namespace strided_test::messages {

// clang-format off
inline const std::vector<Row> kMappingRows{
    {ErrorCode::nonpositive_stride, [] { drop(try_layout_stride(Layout({3}, {-1}, 2)).value()); },
     "strides[0] is -1, under std::layout_stride it must be at least 1; copy() to a contiguous view first"},
    {ErrorCode::stride_mismatch, [] { drop(try_layout_right(v.layout()).value()); },
     "strides[0] is 10, it must be exactly 5, as in memory without gaps; copy() to such memory first"},
    {ErrorCode::not_nested, [] { drop(try_layout_stride(Layout({2, 3}, {5, 2})).value()); },
     "strides[0] is 5, it must be at least 6, which is a smaller stride times its size; copy() to a contiguous view first"},
    {ErrorCode::overflow, [] { drop(try_layout_stride(v.layout(), 50).value()); },
     "strides[0] is 10, with it the mapping no longer fits an index type of at most 50"},
    {ErrorCode::overflow, [] { drop(try_layout_left(Layout({64, 2}, {1, 64}), 127).value()); },
     "shape[1] is 2, with it the mapping no longer fits an index type of at most 127"},
};

#if defined(__cpp_lib_mdspan)
inline auto one_dimension(std::uint64_t extent) {
  return std::mdspan(storage, std::dextents<std::uint64_t, 1>(extent));
}
inline auto in_blocks(int rows, int columns) {
  using Extents = std::dextents<int, 2>;
  return std::mdspan(storage, mdspan_test::LayoutBlocks::mapping<Extents>(Extents(rows, columns)));
}
inline auto backwards(int extent, int claims) {
  using Extents = std::dextents<int, 1>;
  return std::mdspan(storage, mdspan_test::LayoutReverse::mapping<Extents>(Extents(extent), claims));
}
inline auto stepping_by(std::uint64_t stride) {
  using Extents = std::dextents<std::uint64_t, 1>;
  return std::mdspan(storage, std::layout_stride::mapping<Extents>(
                                  Extents(2), std::array<std::uint64_t, 1>{stride}));
}

inline const std::vector<Row> kMdspanRows{
    {ErrorCode::unsupported, [] { drop(from_mdspan(in_blocks(2, 3))); },
     "from_mdspan: the mapping of the mdspan is not strided; copy its elements to one that is"},
    {ErrorCode::overflow, [] { drop(from_mdspan(one_dimension(std::uint64_t{1} << 63))); },
     "from_mdspan: shape[0] is 9223372036854775807, with it the number of elements no longer fits 64 bits"},
    {ErrorCode::overflow, [] { drop(from_mdspan(one_dimension(std::uint64_t{1} << 62))); },
     "from_mdspan: required_span_size() is 4611686018427387904, in bytes it exceeds " + most_bytes()},
    {ErrorCode::overflow, [] { drop(from_mdspan(stepping_by(std::uint64_t{1} << 63))); },
     "from_mdspan: strides[0] is 9223372036854775807, with it an offset no longer fits 64 bits"},
    {ErrorCode::out_of_bounds, [] { drop(from_mdspan(backwards(5, 3))); },
     "from_mdspan: offset is 4, behind the storage of 3 elements: 0 to 2"},
    {ErrorCode::null_data, [] { drop(from_mdspan(std::mdspan<int, std::dextents<int, 2>>(nullptr, 2, 3))); },
     "from_mdspan: storage is null, and there are 6 elements to touch; allocate them first"},
    {ErrorCode::misaligned, [] { drop(from_mdspan(std::mdspan(reinterpret_cast<int*>(reinterpret_cast<char*>(storage) + 1), 3))); },
     "from_mdspan: the address of storage is 1 byte past a multiple of 4, the alignment of the element type; copy the bytes to aligned memory first"},
    {ErrorCode::length_mismatch, [] { drop(to_mdspan<3>(v)); },
     "to_mdspan: the shape of the view has 2 entries, 3 are needed"},
    {ErrorCode::shape_mismatch, [] { drop(to_mdspan<std::extents<int, 6, 7>>(v)); },
     "to_mdspan: the view has shape (6, 5), (6, 7) is needed; dimension 1 differs"},
    {ErrorCode::stride_mismatch, [] { drop(to_mdspan<2, std::layout_right>(v)); },
     "to_mdspan: strides[0] is 10, it must be exactly 5, as in memory without gaps; copy() to such memory first"},
    {ErrorCode::nonpositive_stride, [] { drop(to_mdspan<2>(v.flip(1))); },
     "to_mdspan: strides[1] is -1, under std::layout_stride it must be at least 1; copy() to a contiguous view first"},
    {ErrorCode::not_nested, [] { drop(to_mdspan<2>(v.select(0, 0).windows(0, 3, 1))); },
     "to_mdspan: strides[0] is 1, it must be at least 3, which is a smaller stride times its size; copy() to a contiguous view first"},
    {ErrorCode::overflow, [] { drop(try_mdspan_mapping<std::dextents<std::int8_t, 2>>(Layout({2, 5}, {123, 1})).value()); },
     "to_mdspan: strides[1] is 1, with it the mapping no longer fits an index type of at most 127"},
};
#endif
// clang-format on

}  // namespace strided_test::messages
