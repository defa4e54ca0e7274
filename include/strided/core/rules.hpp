// The operators' parameters and the rule sets that say which values they may have.
#pragma once

#include <cstdint>

#include "strided/core/config.hpp"
#include "strided/core/dims.hpp"
#include "strided/core/executor.hpp"

namespace strided::inline STRIDED_ABI {

// Whose rules an operator follows. They differ in what they refuse, and in one answer: of an x that
// is not contiguous as_strided_copy reads the row-major vector under `ascend`, else the storage.
enum class Rules : std::uint8_t {
  strided,  // the general one: signed strides, empty shapes, everything checked against the storage
  ascend,   // the Ascend operators AsStrided and StridedSliceAssign, as their documents define them
  tensorflow,  // tf.strided_slice and its assignment
  torch,       // torch.as_strided
};

namespace detail {

// As messages name it.
[[nodiscard]] constexpr const char* name_of(Rules rules) noexcept {
  switch (rules) {              // unreachable: there are no others
    case Rules::strided:        // unreachable: what it refuses, all do
      return "Rules::strided";  // unreachable: what it refuses, all do
    case Rules::ascend:
      return "Rules::ascend";
    case Rules::tensorflow:
      return "Rules::tensorflow";
    case Rules::torch:
      return "Rules::torch";
  }
  return "";
}

}  // namespace detail

// The bounds of a strided slice, an entry a position: position i takes begin[i]:end[i]:strides[i]
// of the next dimension. The masks change what position i means (bit i). At one position an
// ellipsis beats a new axis beats a shrink. Dimensions without a position are taken whole.
struct StridedSliceSpec {
  Dims begin;                          // the first index; negative: counted from the end
  Dims end;                            // the index to stop before; negative: counted from the end
  Dims strides;                        // from an index to the next; negative: backwards
  std::uint32_t begin_mask = 0;        // bit i: begins at the edge, whatever begin[i] is
  std::uint32_t end_mask = 0;          // bit i: goes on to the edge, whatever end[i] is
  std::uint32_t ellipsis_mask = 0;     // bit i: as many whole dimensions as are left over
  std::uint32_t new_axis_mask = 0;     // bit i: a new dimension of size 1
  std::uint32_t shrink_axis_mask = 0;  // bit i: index begin[i] alone, and the dimension is dropped
};

// The parameters of AsStrided; `offset` is a list of exactly one.
struct AsStridedParam {
  Dims size;    // the shape of the result
  Dims stride;  // one for each dimension, in elements
  Dims offset;  // of element (0, 0, ...), in elements
};

// How a copy may treat source and destination that share memory.
struct CopyOptions {
  bool allow_temporary = true;  // false: a copy that needs one fails with temporary_forbidden
  bool assume_disjoint =
      false;  // the caller promises that nothing overlaps; debug builds verify it
  // Runs the parts of a large copy; without one, or where the copy is too small for its threads
  // (half a MiB, if it says nothing else), everything stays on the calling thread. The result is
  // the same for any number of workers.
  ExecutorRef executor = {};
};

// How a fill may treat a destination that overlaps itself, and who does it.
struct FillOptions {
  bool allow_internal_overlap = false;  // true: writing an element more than once is accepted
  ExecutorRef executor = {};            // as in CopyOptions
};

}  // namespace strided::inline STRIDED_ABI
