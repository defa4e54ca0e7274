// What copy, fill and CopyPlan say.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "messages/out_of_memory.hpp"
#include "messages/row.hpp"
#include "strided/strided.hpp"

namespace strided_test::messages {

// Of steps of about the same length, over more positions than a map of them may have.
inline const Layout kUndecided({11, 10, 9, 8, 7, 6}, {1000075311015, 1000025233250, 1000042364878,
                                                      1000084333046, 1000013139421, 1000034552428});
// The same shape, as far, each stride longer than what the smaller ones reach.
inline constexpr std::int64_t kStep = 135135137;
inline const Layout kNested({11, 10, 9, 8, 7, 6},
                            {30240 * kStep, 3024 * kStep, 336 * kStep, 42 * kStep, 6 * kStep,
                             kStep},
                            1);

// clang-format off
inline const std::vector<Row> kCopyRows{
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
    {ErrorCode::shape_mismatch, [] { copy(v.narrow(1, 0, 1), StridedView<int>(storage, {6, 5})); },
     "copy: dst has shape (6, 5), (6, 1) is needed; dimension 1 differs; src.broadcast_to(dst.shape()) repeats the source"},
    {ErrorCode::internal_overlap, [] { copy(v, StridedView<int>(storage, {6, 5}, {0, 1})); },
     "copy: dst maps more than one index to the same element (stride[0] is 0); each index needs one of its own"},
    {ErrorCode::internal_overlap, [] { fill(StridedView<int>(storage, {3, 4}, {2, -1}, 3), 1); },
     "fill: dst maps more than one index to the same element (stride[0] is 2, the smaller strides reach 3); FillOptions::allow_internal_overlap fills it all the same"},
    {ErrorCode::internal_overlap, [] { drop(CopyPlan(kUndecided, kUndecided, 4)); },
     "CopyPlan: dst could not be shown to map each index to an element of its own (stride[5] is 1000034552428, the smaller strides reach 15000305935776); a contiguous one would do"},
    {ErrorCode::temporary_forbidden, [] { copy(v, a.narrow(0, 0, 5).narrow(1, 0, 6).transpose(0, 1), {.allow_temporary = false}); },
     "copy: source and destination overlap, the copy needs a temporary of 120 bytes, and the options forbid one; leave out allow_temporary = false"},
    {ErrorCode::broken_promise, [] { copy(a.narrow(0, 0, 9), a.narrow(0, 1, 9), {.assume_disjoint = true}); },
     "copy: source and destination overlap, and the options promise that they do not; leave out assume_disjoint"},
    {ErrorCode::null_data, [] { CopyPlan(Layout({2}), Layout({2}), 4)(nullptr, storage); },
     "copy: src is null, and there are 2 elements to touch; allocate them first"},
    {ErrorCode::null_data, [] { CopyPlan(Layout({2}), Layout({2}), 4)(storage, nullptr); },
     "copy: dst is null, and there are 2 elements to touch; allocate them first"},
    {ErrorCode::shape_mismatch, [] { drop(CopyPlan(Layout({2}), Layout({2, 1}), 4)); },
     "CopyPlan: dst has shape (2, 1), (2,) is needed"},
    {ErrorCode::shape_mismatch, [] { drop(CopyPlan(Layout({5}), Layout({6, 5}), 4)); },
     "CopyPlan: dst has shape (6, 5), (5,) is needed"},
    {ErrorCode::temporary_forbidden, [] { CopyPlan(Layout({4, 4}), Layout({4, 4}, {1, 4}), 4)(storage, storage, {.allow_temporary = false}); },
     "copy: source and destination overlap, the copy needs a temporary of 64 bytes, and the options forbid one; leave out allow_temporary = false"},
    {ErrorCode::broken_promise, [] { CopyPlan(Layout({4}), Layout({4}), 4)(storage, storage + 1, {.assume_disjoint = true}); },
     "copy: source and destination overlap, and the options promise that they do not; leave out assume_disjoint"},
    {ErrorCode::internal_overlap, [] { drop(CopyPlan(v.layout(), Layout({6, 5}, {0, 1}), 4)); },
     "CopyPlan: dst maps more than one index to the same element (stride[0] is 0); each index needs one of its own"},
#if SIZE_MAX > 0xffffffff
    {ErrorCode::internal_overlap, [] { fill(StridedView<int>::from_pointer(storage, kUndecided.shape(), kUndecided.strides()), 1); },
     "fill: dst could not be shown to map each index to an element of its own (stride[5] is 1000034552428, the smaller strides reach 15000305935776); FillOptions::allow_internal_overlap fills it all the same"},
#endif
    {ErrorCode::out_of_memory, [] { raise_without_memory([] { return try_copy(a.transpose(0, 1), a); }); },
     "copy: a temporary of 400 bytes could not be allocated; a destination that does not overlap the source needs none"},
    {ErrorCode::out_of_memory, [] { raise_without_memory([] { return CopyPlan(Layout({4, 4}), Layout({4, 4}, {1, 4}), 4).try_run(storage, storage); }); },
     "copy: a temporary of 64 bytes could not be allocated; a destination that does not overlap the source needs none"},
    // Elements with an assignment of their own take another way.
    {ErrorCode::out_of_memory, [] { raise_without_memory([] { return try_copy(text().transpose(0, 1), text()); }); },
     "copy: a temporary of " + word_bytes() + " bytes could not be allocated; a destination that does not overlap the source needs none"},
    {ErrorCode::shape_mismatch, [] { copy(text().narrow(0, 0, 1), text()); },
     "copy: dst has shape (3, 3), (1, 3) is needed; dimension 0 differs; src.broadcast_to(dst.shape()) repeats the source"},
    {ErrorCode::shape_mismatch, [] { copy(text(), text().narrow(0, 0, 2)); },
     "copy: dst has shape (2, 3), (3, 3) is needed; dimension 0 differs"},
    {ErrorCode::internal_overlap, [] { copy(text(), text().narrow(0, 0, 1).broadcast_to({3, 3})); },
     "copy: dst maps more than one index to the same element (stride[0] is 0); each index needs one of its own"},
    {ErrorCode::internal_overlap, [] { fill(text().narrow(0, 0, 1).broadcast_to({3, 3}), "word"); },
     "fill: dst maps more than one index to the same element (stride[0] is 0); FillOptions::allow_internal_overlap fills it all the same"},
    {ErrorCode::temporary_forbidden, [] { copy(text().transpose(0, 1), text(), {.allow_temporary = false}); },
     "copy: source and destination overlap, the copy needs a temporary of " + word_bytes() + " bytes, and the options forbid one; leave out allow_temporary = false"},
    {ErrorCode::broken_promise, [] { copy(text().transpose(0, 1), text(), {.assume_disjoint = true}); },
     "copy: source and destination overlap, and the options promise that they do not; leave out assume_disjoint"},
#if SIZE_MAX > 0xffffffff
    // Refused before a byte of either is looked at: the memory is not there.
    {ErrorCode::temporary_forbidden, [] { CopyPlan(kUndecided, kNested, 1)(storage, storage, {.allow_temporary = false}); },
     "copy: source and destination could not be shown to be apart, the copy needs a temporary of 332640 bytes, and the options forbid one; leave out allow_temporary = false"},
#endif
};
// clang-format on

}  // namespace strided_test::messages
