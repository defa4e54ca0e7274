#define STRIDED_DEBUG_CHECKS 1  // broken promises are found in debug builds
#if defined(NDEBUG)
#undef STRIDED_EXTERN_KERNELS  // those of the other files are compiled without
#endif
// Every error code has a sentence that names the call, the list or dimension, the value and the
// limit. The sentences are those of real calls; only what no call can produce at will (no memory,
// files) is made by hand.
#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "core/messages.hpp"
#include "core/messages_views.hpp"
#include "strided/draw/text.hpp"
#include "strided/interop/mdspan/mapping.hpp"
#include "strided/strided.hpp"
#include "support/facts.hpp"

namespace {

using namespace strided;
using namespace strided_test::messages;

// Of steps of about the same length, over more positions than a map of them may have.
const Layout kUndecided({11, 10, 9, 8, 7, 6}, {1000075311015, 1000025233250, 1000042364878,
                                               1000084333046, 1000013139421, 1000034552428});

void slice_assign(const StridedSliceSpec& spec, const Dims& value_shape) {
  strided_slice_assign(a, spec, StridedView<const int>(storage, value_shape));
}
void raise_by_hand(ErrorCode code, const char* subject, std::int64_t value) {
  raise_if(Failure{code, subject, -1, value}.in("load"));
}

// clang-format off
const std::vector<Row> kRows{
    {ErrorCode::rank_too_large, [] { drop(Dims(std::vector<int>(33))); },
     "Dims: the list has 33 entries, at most 32 are allowed"},
    {ErrorCode::rank_too_large, [] { drop(StridedView<int>(storage, Dims::filled(32, 1)).unsqueeze(0)); },
     "unsqueeze: shape has 33 entries, at most 32 are allowed"},
    {ErrorCode::rank_too_large, [] { as_strided_copy(v, {Dims::filled(9, 1), Dims::filled(9, 1), {0}}, a); },
     "as_strided_copy: size has 9 entries, under Rules::ascend at most 8 are allowed; Rules::strided takes 32"},
    {ErrorCode::rank_too_small, [] { drop(v.broadcast_to({5})); },
     "broadcast_to: shape has rank 1, at least 2 is needed"},
    {ErrorCode::rank_too_small, [] { strided_slice_assign(a.select(0, 0).select(0, 0), {}, v); },
     "strided_slice_assign: var has rank 0, under Rules::ascend at least 1 is needed; Rules::tensorflow takes 0"},
    {ErrorCode::length_mismatch, [] { drop(StridedView<int>(storage, {6, 5}, {10, 1, 1})); },
     "StridedView: strides has 3 entries, 2 are needed, as many as shape has"},
    {ErrorCode::length_mismatch, [] { drop(v.permute({0})); },
     "permute: axes has 1 entry, 2 are needed, one for each dimension"},
    {ErrorCode::length_mismatch, [] { drop(v.at(1)); },
     "at: the index has 1 entry, 2 are needed, one for each dimension"},
    {ErrorCode::length_mismatch, [] { as_strided_copy(v, {{2, 2}, {2, 3}, {0, 1}}, a); },
     "as_strided_copy: offset has 2 entries, 1 is needed"},
    {ErrorCode::negative_size, [] { drop(StridedView<int>(storage, {6, -5})); },
     "StridedView: shape[1] is -5, it must be at least 0"},
    {ErrorCode::negative_size, [] { drop(v.narrow(0, 2, -1)); },
     "narrow: length is -1, it must be at least 0"},
    {ErrorCode::negative_size, [] { drop(v.reshape({2, -3})); },
     "reshape: shape[1] is -3, it must be at least 0, or -1 to be inferred"},
    {ErrorCode::not_inferable, [] { drop(v.reshape({-1, -1})); },
     "reshape: shape[1] is -1, only one size may be left to be inferred"},
    {ErrorCode::not_inferable, [] { drop(a.narrow(0, 0, 0).reshape({0, -1})); },
     "reshape: shape[1] is -1, and beside a size of 0 it could be any number"},
    {ErrorCode::nonpositive_size, [] { as_strided_copy(v, {{2, 0}, {2, 3}, {0}}, a); },
     "as_strided_copy: size[1] is 0, under Rules::ascend it must be at least 1; Rules::strided takes 0"},
    {ErrorCode::nonpositive_size, [] { as_strided_copy(v, {{2, -1}, {2, 3}, {0}}, a); },
     "as_strided_copy: size[1] is -1, under Rules::ascend it must be at least 1"},
    {ErrorCode::negative_stride, [] { as_strided_copy(v, {{2, 2}, {-2, 3}, {9}}, a); },
     "as_strided_copy: stride[0] is -2, under Rules::ascend it must be at least 0; Rules::strided takes negative ones"},
    {ErrorCode::nonpositive_stride, [] { drop(v.windows(0, 3, 0)); },
     "windows: step is 0, it must be at least 1"},
    {ErrorCode::nonpositive_stride, [] { slice_assign({{9, 0}, {0, 9}, {-1, 1}}, {9, 9}); },
     "strided_slice_assign: strides[0] is -1, under Rules::ascend it must be at least 1; Rules::strided takes negative ones"},
    {ErrorCode::zero_stride, [] { drop(v.slice(0, 0, 6, 0)); },
     "slice: step is 0, a slice needs a step other than 0"},
    {ErrorCode::zero_stride, [] { drop(strided_slice(v, {{0, 0}, {6, 5}, {1, 0}})); },
     "strided_slice: strides[1] is 0, a slice needs a step other than 0"},
    {ErrorCode::innermost_stride, [] { slice_assign({{0, 0}, {9, 9}, {2, 2}}, {5, 5}); },
     "strided_slice_assign: strides[1] is 2, under Rules::ascend the stride of the last dimension must be 1; Rules::tensorflow takes any but 0"},
    {ErrorCode::shrink_stride, [] { slice_assign({{0}, {9}, {2}, 0, 0, 0, 0, 1}, {10}); },
     "strided_slice_assign: strides[0] is 2, under Rules::ascend a shrunk dimension needs a stride of 1; Rules::tensorflow takes any of at least 1"},
    {ErrorCode::shrink_stride, [] { drop(strided_slice(v, {{0}, {9}, {-2}, 0, 0, 0, 0, 1})); },
     "strided_slice: strides[0] is -2, a shrunk dimension needs a stride of at least 1"},
    {ErrorCode::stride_mismatch, [] { drop(try_layout_right(v.layout()).value()); },
     "strides[0] is 10, it must be exactly 5, as in memory without gaps"},
    {ErrorCode::not_nested, [] { drop(try_layout_stride(Layout({2, 3}, {5, 2})).value()); },
     "strides[0] is 5, it must be at least 6, which is a smaller stride times its size"},
    {ErrorCode::negative_offset, [] { as_strided_copy(v, {{2, 2}, {2, 3}, {-1}}, a); },
     "as_strided_copy: offset is -1, it must be at least 0"},
    {ErrorCode::overflow, [] { drop(StridedView<int>(storage, {kInt64Max, 2})); },
     "StridedView: shape[1] is 2, with it the number of elements no longer fits 64 bits"},
    {ErrorCode::overflow, [] { drop(StridedView<int>(storage, {3}, {kInt64Max})); },
     "StridedView: strides[0] is 9223372036854775807, with it an offset no longer fits 64 bits"},
    {ErrorCode::overflow, [] { drop(v.slice(0, 5, 0, kInt64Min)); },
     "slice: step is -9223372036854775808, with it an offset no longer fits 64 bits"},
    {ErrorCode::overflow, [] { drop(try_layout_stride(v.layout(), 50).value()); },
     "strides[0] is 10, with it the mapping no longer fits an index type of at most 50"},
    {ErrorCode::out_of_bounds, [] { drop(StridedView<int>(storage, {6, 5}, {20, 1}, 22)); },
     "StridedView: the view reaches index 126 of the storage (dimension 0), which has 100 elements: 0 to 99"},
    {ErrorCode::out_of_bounds, [] { drop(StridedView<int>(storage, {6, 5}, {10, -9}, 22)); },
     "StridedView: the view reaches index -14 (dimension 1), before the start of the storage: the offset is too small by 14"},
    {ErrorCode::out_of_bounds, [] { drop(StridedView<int>(storage, {}, {}, 100)); },
     "StridedView: offset is 100, behind the storage of 100 elements: 0 to 99"},
    {ErrorCode::out_of_bounds, [] { as_strided_copy(v, {{2, 2}, {28, 3}, {0}}, a); },
     "as_strided_copy: the view reaches index 31 of x (dimension 1), which has 30 elements: 0 to 29"},
    {ErrorCode::out_of_bounds, [] { drop(StridedView<int>(std::span<int>(storage, 1), {2})); },
     "StridedView: the view reaches index 1 of the storage (dimension 0), which has 1 element"},
    {ErrorCode::out_of_bounds, [] { drop(StridedView<int>(std::span<int>(storage, std::size_t{0}), {2})); },
     "StridedView: offset is 0, behind the storage of 0 elements"},
    {ErrorCode::null_data, [] { drop(StridedView<int>::from_pointer(nullptr, {2, 3})); },
     "StridedView: storage is null, and there are 6 elements to touch"},
    {ErrorCode::misaligned, [] { drop(StridedView<Wide>::from_pointer(reinterpret_cast<Wide*>(storage + 1), {2})); },
     "StridedView: the address of storage is 4 bytes past a multiple of 8, the alignment of the element type"},
    {ErrorCode::element_size, [] { drop(CopyPlan(Layout({2}), Layout({2}), 0)); },
     "CopyPlan: element_bytes is 0, it must be at least 1 and at most 9223372036854775807"},
#if SIZE_MAX > 0xffffffff
    {ErrorCode::element_size, [] { drop(CopyPlan(Layout({2}), Layout({2}), std::size_t{kInt64Max} + 2)); },
     "CopyPlan: element_bytes is 9223372036854775809, it must be at least 1 and at most 9223372036854775807"},
    {ErrorCode::overflow, [] { drop(CopyPlan(Layout({2}), Layout({2}), kInt64Max)); },
     "CopyPlan: element_bytes is 9223372036854775807, with it an offset no longer fits 64 bits"},
#endif
    {ErrorCode::shape_mismatch, [] { copy(v, a); },
     "copy: dst has shape (10, 10), (6, 5) is needed; dimension 0 differs"},
    {ErrorCode::shape_mismatch, [] { slice_assign({{0, 0}, {2, 3}, {1, 1}}, {1, 3}); },
     "strided_slice_assign: value has shape (1, 3), (2, 3) is needed; under Rules::ascend the shapes must be equal, Rules::tensorflow broadcasts"},
    {ErrorCode::axis_out_of_range, [] { drop(v.flip(2)); },
     "flip: axis is 2, it must be at least -2 and less than 2"},
    {ErrorCode::axis_out_of_range, [] { drop(v.permute({0, -3})); },
     "permute: axes[1] is -3, it must be at least -2 and less than 2"},
    {ErrorCode::repeated_axis, [] { drop(v.permute({1, -1})); },
     "permute: axes[1] is -1, an axis named before; each may be named once"},
    {ErrorCode::index_out_of_range, [] { drop(v.at(0, 5)); },
     "at: index[1] is 5, it must be at least -5 and less than 5"},
    {ErrorCode::index_out_of_range, [] { drop(v.select(0, -7)); },
     "select: index is -7, it must be at least -6 and less than 6 (dimension 0 has 6 elements)"},
    {ErrorCode::index_out_of_range, [] { slice_assign({{-11}, {0}, {1}, 0, 0, 0, 0, 1}, {10}); },
     "strided_slice_assign: begin[0] is -11, it must be at least -10 and less than 10"},
    {ErrorCode::size_mismatch, [] { drop(v.reshape({31})); },
     "reshape: shape makes 31 elements, 30 are needed"},
    {ErrorCode::size_mismatch, [] { drop(v.split(1, {2, 2})); },
     "split: sizes add up to 4, dimension 1 has 5 elements"},
    {ErrorCode::needs_copy, [] { drop(v.reshape({30})); },
     "reshape: shape (30,) is no view of these strides (dimension 0); copy() to a contiguous view first"},
    {ErrorCode::needs_copy, [] { drop(as_strided(v, {2}, {1}, 0, Rules::ascend)); },
     "as_strided: the row-major vector of shape (6, 5) is no view of these strides; copy() to a contiguous view first"},
    {ErrorCode::not_broadcastable, [] { drop(v.broadcast_to({6, 10})); },
     "broadcast_to: shape[1] is 10, a dimension of size 5 does not broadcast to it; one of size 1 or 10 would"},
    {ErrorCode::too_many_entries, [] { slice_assign({{0, 0, 0}, {1, 1, 1}, {1, 1, 1}}, {1}); },
     "strided_slice_assign: begin has 3 entries that take a dimension each, var has 2 dimensions"},
    {ErrorCode::several_ellipses, [] { slice_assign({{0}, {1}, {1}, 0, 0, 5}, {1}); },
     "strided_slice_assign: ellipsis_mask has 2 bits set, at most 1 is allowed"},
    {ErrorCode::spec_too_long, [] { const Dims ones = Dims::filled(32, 1); slice_assign({ones, ones, ones}, {1}); },
     "strided_slice_assign: begin has 32 entries, at most 31 are allowed"},
    {ErrorCode::empty_var, [] { strided_slice_assign(a.narrow(1, 0, 0), {}, v); },
     "strided_slice_assign: var has size 0 in dimension 1, under Rules::ascend every dimension must be at least 1; Rules::tensorflow takes 0"},
    {ErrorCode::internal_overlap, [] { copy(v, StridedView<int>(storage, {6, 5}, {0, 1})); },
     "copy: dst maps more than one index to the same element (stride[0] is 0)"},
    {ErrorCode::internal_overlap, [] { fill(StridedView<int>(storage, {3, 4}, {2, -1}, 3), 1); },
     "fill: dst maps more than one index to the same element (stride[0] is 2, the smaller strides reach 3)"},
    {ErrorCode::internal_overlap, [] { drop(CopyPlan(kUndecided, kUndecided, 4)); },
     "CopyPlan: dst could not be shown to map each index to an element of its own (stride[5] is 1000034552428, the smaller strides reach 15000305935776)"},
    {ErrorCode::temporary_forbidden, [] { copy(v, a.narrow(0, 0, 5).narrow(1, 0, 6).transpose(0, 1), {.allow_temporary = false}); },
     "copy: source and destination overlap, the copy needs a temporary of 120 bytes, and the options forbid one"},
    {ErrorCode::broken_promise, [] { copy(a.narrow(0, 0, 9), a.narrow(0, 1, 9), {.assume_disjoint = true}); },
     "copy: source and destination overlap, and the options promise that they do not; leave out assume_disjoint"},
    {ErrorCode::out_of_memory, [] { raise_by_hand(ErrorCode::out_of_memory, "", 4096); },
     "load: a temporary of 4096 bytes could not be allocated"},
    {ErrorCode::file_access, [] { raise_by_hand(ErrorCode::file_access, "x.npy cannot be opened", 0); },
     "load: x.npy cannot be opened"},
    {ErrorCode::file_format, [] { raise_by_hand(ErrorCode::file_format, "x.npy has no header", 0); },
     "load: x.npy has no header"},
    {ErrorCode::unsupported, [] { raise_by_hand(ErrorCode::unsupported, "x.npy holds objects", 0); },
     "load: x.npy holds objects"},
    {ErrorCode::unsupported, [] { Failure f{ErrorCode::unsupported, "the element type is float", -1, 64, 32}; f.against = "int"; raise_if(f.in("load")); },
     "load: the element type is float64, int32 is needed"},
    {ErrorCode::unsupported, [] { Failure f{ErrorCode::unsupported, "the device is ", -1, 2}; f.against = "the CPU"; raise_if(f.in("load")); },
     "load: the device is 2, the CPU is needed"},
    {ErrorCode::mpi_error, [] { raise_by_hand(ErrorCode::mpi_error, "MPI_Send", 6); },
     "load: MPI_Send failed with MPI's error code 6"},
    {ErrorCode::too_large_to_draw, [] { drop(draw(Layout({101, 100}))); },
     "draw: the storage has 10100 elements, at most 10000 are drawn; draw a part"},
    {ErrorCode::too_large_to_draw, [] { drop(draw(Layout({2000000}, {0}))); },
     "draw: the view has 2000000 elements, at most 1000000 are drawn; draw a part"},
    {ErrorCode::too_many_entries, [] { drop(strided_slice(v.select(0, 0).select(0, 0), {{0}, {1}, {1}})); },
     "strided_slice: begin has 1 entry that takes a dimension, x has 0 dimensions"},
    // The operators and the copies, each with what it refuses beyond the above.
    {ErrorCode::length_mismatch, [] { slice_assign({{0, 0}, {1}, {1, 1}}, {1}); },
     "strided_slice_assign: end has 1 entry, 2 are needed, as many as begin has"},
    {ErrorCode::length_mismatch, [] { drop(strided_slice(v, {{0, 0}, {1, 1}, {1}})); },
     "strided_slice: strides has 1 entry, 2 are needed, as many as begin has"},
    {ErrorCode::length_mismatch, [] { as_strided_copy(v, {{2, 2}, {2}, {0}}, a); },
     "as_strided_copy: stride has 1 entry, 2 are needed, as many as size has"},
    {ErrorCode::rank_too_large, [] { strided_slice_assign(StridedView<int>(storage, Dims::filled(9, 1)), {}, v); },
     "strided_slice_assign: the shape has 9 entries, under Rules::ascend at most 8 are allowed; Rules::strided takes 32"},
    {ErrorCode::rank_too_large, [] { const Dims ones = Dims::filled(31, 1); drop(strided_slice(a, {ones, ones, ones, 0, 0, 0, 0x7fffffff})); },
     "strided_slice: the final shape has 33 entries, at most 32 are allowed"},
    {ErrorCode::shrink_stride, [] { slice_assign({{0, 0}, {9, 9}, {1, 3}, 0, 0, 0, 0, 2}, {9}); },
     "strided_slice_assign: strides[1] is 3, under Rules::ascend a shrunk dimension needs a stride of 1; Rules::tensorflow takes any of at least 1"},
    {ErrorCode::index_out_of_range, [] { drop(strided_slice(v, {{0, 5}, {1, 6}, {1, 1}, 0, 0, 0, 0, 2})); },
     "strided_slice: begin[1] is 5, it must be at least -5 and less than 5"},
    {ErrorCode::overflow, [] { drop(strided_slice(v, {{0}, {1}, {kInt64Min}})); },
     "strided_slice: strides[0] is -9223372036854775808, with it an offset no longer fits 64 bits"},
    {ErrorCode::not_broadcastable, [] { strided_slice_assign(a, {{0, 0}, {2, 3}, {1, 1}}, StridedView<const int>(storage, {2, 2}), Rules::tensorflow); },
     "strided_slice_assign: the slice shape[1] is 3, a dimension of size 2 does not broadcast to it; one of size 1 or 3 would"},
    {ErrorCode::shape_mismatch, [] { strided_slice_assign(a, {{0, 0}, {2, 3}, {1, 1}}, StridedView<const int>(storage, {1, 2, 3}), Rules::tensorflow); },
     "strided_slice_assign: value has shape (1, 2, 3), (2, 3) is needed"},
    {ErrorCode::shape_mismatch, [] { as_strided_copy(v, {{2, 2}, {2, 3}, {0}}, a); },
     "as_strided_copy: y has shape (10, 10), (2, 2) is needed"},
    {ErrorCode::shape_mismatch, [] { as_strided_scatter(a, {2, 2}, {10, 1}, 0, v); },
     "as_strided_scatter: value has shape (6, 5), (2, 2) is needed"},
    {ErrorCode::internal_overlap, [] { as_strided_scatter(a, {6, 5}, {4, 1}, 0, v); },
     "as_strided_scatter: the strided view maps more than one index to the same element (stride[0] is 4, the smaller strides reach 4)"},
    {ErrorCode::internal_overlap, [] { as_strided_copy(v, {{2, 2}, {2, 3}, {0}}, StridedView<int>(storage, {2, 2}, {1, 1})); },
     "as_strided_copy: y maps more than one index to the same element (stride[0] is 1, the smaller strides reach 1)"},
    {ErrorCode::internal_overlap, [] { strided_slice_assign(StridedView<int>(storage, {2, 5}, {0, 1}), {}, StridedView<const int>(storage, {2, 5})); },
     "strided_slice_assign: the slice of var maps more than one index to the same element (stride[0] is 0)"},
    {ErrorCode::negative_stride, [] { drop(as_strided(v, {2}, {-1}, 5, Rules::torch)); },
     "as_strided: stride[0] is -1, under Rules::torch it must be at least 0; Rules::strided takes negative ones"},
    {ErrorCode::negative_size, [] { drop(as_strided(v, {-2}, {1}, 5)); },
     "as_strided: size[0] is -2, it must be at least 0"},
    {ErrorCode::negative_offset, [] { drop(as_strided(v, {2}, {1}, -5)); },
     "as_strided: offset is -5, it must be at least 0"},
    {ErrorCode::overflow, [] { drop(as_strided(v, {kInt64Max, 2}, {0, 0}, 0)); },
     "as_strided: size[1] is 2, with it the number of elements no longer fits 64 bits"},
    {ErrorCode::overflow, [] { drop(as_strided(v, {3}, {kInt64Max}, 0)); },
     "as_strided: stride[0] is 9223372036854775807, with it an offset no longer fits 64 bits"},
    {ErrorCode::out_of_bounds, [] { drop(as_strided(v, {101}, {1}, 0)); },
     "as_strided: the view reaches index 100 of the storage (dimension 0), which has 100 elements: 0 to 99"},
    {ErrorCode::out_of_bounds, [] { drop(as_strided(v, {4}, {-2}, 5)); },
     "as_strided: the view reaches index -1 (dimension 0), before the start of the storage: the offset is too small by 1"},
    {ErrorCode::out_of_bounds, [] { as_strided_scatter(a, {2, 2}, {99, 2}, 0, v); },
     "as_strided_scatter: the view reaches index 101 of the storage (dimension 1), which has 100 elements: 0 to 99"},
    {ErrorCode::null_data, [] { CopyPlan(Layout({2}), Layout({2}), 4)(nullptr, storage); },
     "copy: src is null, and there are 2 elements to touch"},
    {ErrorCode::null_data, [] { CopyPlan(Layout({2}), Layout({2}), 4)(storage, nullptr); },
     "copy: dst is null, and there are 2 elements to touch"},
    {ErrorCode::shape_mismatch, [] { drop(CopyPlan(Layout({2}), Layout({2, 1}), 4)); },
     "CopyPlan: dst has shape (2, 1), (2,) is needed"},
    {ErrorCode::temporary_forbidden, [] { CopyPlan(Layout({4, 4}), Layout({4, 4}, {1, 4}), 4)(storage, storage, {.allow_temporary = false}); },
     "copy: source and destination overlap, the copy needs a temporary of 64 bytes, and the options forbid one"},
    {ErrorCode::broken_promise, [] { CopyPlan(Layout({4}), Layout({4}), 4)(storage, storage + 1, {.assume_disjoint = true}); },
     "copy: source and destination overlap, and the options promise that they do not; leave out assume_disjoint"},
};
// clang-format on

std::vector<Row> all_rows() {
  std::vector<Row> rows = kRows;
  rows.insert(rows.end(), kViewRows.begin(), kViewRows.end());
  return rows;
}

TEST(Messages, NameTheCallTheDimensionTheValueAndTheLimit) {
  for (const Row& row : all_rows()) {
    const strided_test::Thrown thrown = strided_test::thrown_by(row.call);
    EXPECT_EQ(thrown.what, row.sentence);
    EXPECT_EQ(static_cast<int>(thrown.code), static_cast<int>(row.code)) << row.sentence;
  }
}

TEST(Messages, EveryCodeHasOne) {
  std::set<ErrorCode> told;
  for (const Row& row : all_rows()) told.insert(row.code);
  for (int code = 1; code <= static_cast<int>(ErrorCode::too_large_to_draw); ++code) {
    EXPECT_TRUE(told.count(static_cast<ErrorCode>(code)) == 1) << "no row for code " << code;
  }
}

}  // namespace
