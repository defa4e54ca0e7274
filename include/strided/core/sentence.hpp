// What a Failure says: one sentence for each kind of fault, all in one switch.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "strided/core/config.hpp"
#include "strided/core/dims.hpp"
#include "strided/core/error.hpp"
#include "strided/core/failure.hpp"

namespace strided::inline STRIDED_ABI {

namespace detail {

inline constexpr const char kCopyFirst[] = "; copy() to a contiguous view first";

// "size[1] is -3", or "offset is -3" where no position applies.
[[nodiscard]] inline std::string named_value(const Failure& f) {
  std::string text = f.subject;
  if (f.axis >= 0) text.append("[").append(std::to_string(f.axis)).append("]");
  return text.append(" is ").append(std::to_string(f.value));
}

[[nodiscard]] inline std::string at_dimension(const Failure& f) {
  if (f.axis < 0) return {};
  return std::string(" (dimension ").append(std::to_string(f.axis)).append(")");
}

[[nodiscard]] inline std::string against_or(const Failure& f, const char* otherwise) {
  return *f.against == '\0' ? otherwise : f.against;
}

// " under Rules::ascend", if not under all rule sets.
[[nodiscard]] inline std::string under_rules(const Failure& f) {
  return *f.against == '\0' ? "" : std::string(" under ") + f.against;
}

// ", it must be at least 1", under which rule set or mapping, if not under all, and what takes
// less.
[[nodiscard]] inline std::string at_least(const Failure& f) {
  const std::string text =
      std::string(",") + under_rules(f) + " it must be at least " + std::to_string(f.limit);
  if (*f.against == '\0') return text;
  if (!std::string_view(f.against).starts_with("Rules::")) return text + kCopyFirst;
  if (f.code == ErrorCode::nonpositive_size) {
    return text + (f.value == 0 ? "; Rules::strided takes 0" : "");
  }
  return text + (f.value < 0 ? "; Rules::strided takes negative ones" : "");
}

// "31 elements", "1 element"
[[nodiscard]] inline std::string counted(std::int64_t count, const char* one, const char* many) {
  return std::to_string(count) + (count == 1 ? one : many);
}

// "; strides count elements, not bytes: (10, 1) would fit"
[[nodiscard]] inline std::string in_elements(const Failure& f) {
  if (f.needed.empty()) return {};
  return std::string("; strides count elements, not bytes: ") + to_string(f.needed) + " would fit";
}

// "reaches index 100 of the storage (dimension 0), which has 100 elements: 0 to 99"
[[nodiscard]] inline std::string outside_storage(const Failure& f) {
  const std::string subject = f.subject;
  const std::string value = std::to_string(f.value);
  const std::string storage = against_or(f, "the storage");
  const std::string elements =
      counted(f.limit, " element", " elements") +
      (f.limit > 1 ? std::string(": 0 to ") + std::to_string(f.limit - 1) : "");
  if (f.value < 0) {
    return subject + " reaches index " + value + at_dimension(f) + ", before the start of " +
           storage + ": the offset is too small by " +
           std::to_string(0 - static_cast<std::uint64_t>(f.value)) + in_elements(f);
  }
  if (subject == "offset") return named_value(f) + ", behind " + storage + " of " + elements;
  return subject + " reaches index " + value + " of " + storage + at_dimension(f) + ", which has " +
         elements + in_elements(f);
}

// "index[0] is -4, it must be at least -3 and less than 3"
[[nodiscard]] inline std::string outside_dimension(const Failure& f) {
  const bool in_list = *f.against == '\0';
  const std::string dimension =
      in_list ? "the dimension" : std::string(f.against) + " " + std::to_string(f.axis);
  const std::string named =
      in_list ? named_value(f) : std::string(f.subject) + " is " + std::to_string(f.value);
  if (f.needed.size() != 2 || f.needed[1] < f.needed[0]) {
    return named + ", and " + dimension + " has " + counted(f.limit, " element", " elements");
  }
  return named + ", it must be at least " + std::to_string(f.needed[0]) +
         (f.needed[1] < f.limit ? " and less than " : " and at most ") + std::to_string(f.limit) +
         (in_list ? ""
                  : " (" + dimension + " has " + counted(f.limit, " element", " elements") + ")");
}

// Sizes that must add up (split: `against` says to what), be 1 (squeeze: `axis` says which) or
// multiply (reshape; `axis` is the size left to be inferred, if there is one).
[[nodiscard]] inline std::string mismatched_sizes(const Failure& f) {
  const std::string axis = std::to_string(f.axis);
  const std::string subject = f.subject;
  const std::string value = std::to_string(f.value);
  if (*f.against != '\0') {
    return subject + " add up to " + value + ", " + f.against + " " + axis + " has " +
           counted(f.limit, " element", " elements");
  }
  if (f.axis < 0) {
    return subject + " makes " + counted(f.value, " element", " elements") + ", " +
           counted(f.limit, " is needed", " are needed");
  }
  if (f.limit == 1 && subject == "dimension") {
    return subject + " " + axis + " has size " + value +
           ", only a size of 1 can be dropped; select() takes one index";
  }
  return subject + "[" + axis + "] cannot be inferred, " +
         counted(f.limit, " element is", " elements are") + " no multiple of " + value;
}

// " (stride[0] is 2, the smaller strides reach 3)".
[[nodiscard]] inline std::string overlapping_strides(const Failure& f) {
  if (f.axis < 0) return {};
  const std::string stride =
      std::string(" (stride[") + std::to_string(f.axis) + "] is " + std::to_string(f.value);
  if (f.value == 0) return stride + ")";
  return stride + ", the smaller strides reach " + std::to_string(f.limit) + ")";
}

// What an index needs that meets another one's element, or might.
[[nodiscard]] inline std::string instead_of_overlap(const Failure& f) {
  if (*f.against != '\0') return std::string("; ") + f.against;
  return f.proven ? "; each index needs one of its own" : "; a contiguous one would do";
}

[[nodiscard]] inline std::string mismatched_shapes(const Failure& f) {
  std::string told = std::string(f.subject) + " has shape " + to_string(f.given) + ", " +
                     to_string(f.needed) + " is needed";
  if (f.axis >= 0) told.append("; dimension ").append(std::to_string(f.axis)).append(" differs");
  if (std::string_view(f.against).starts_with("Rules::")) {
    told.append(";").append(under_rules(f));
    return told.append(" the shapes must be equal, Rules::tensorflow broadcasts");
  }
  return *f.against == '\0' ? told : told.append("; ").append(f.against);
}

[[nodiscard]] inline std::string sentence(const Failure& f) {
  const std::string subject = f.subject;
  const std::string value = std::to_string(f.value);
  const std::string limit = std::to_string(f.limit);
  switch (f.code) {
    case ErrorCode::ok:
      return "no error";
    case ErrorCode::rank_too_large:
      return subject + " has " + value + " entries," + under_rules(f) + " at most " + limit +
             " are allowed" +
             (*f.against == '\0'
                  ? ""
                  : std::string("; Rules::strided takes ") + std::to_string(kMaxRank));
    case ErrorCode::rank_too_small:
      return subject + " has rank " + value + "," + under_rules(f) + " at least " + limit +
             " is needed" + (*f.against == '\0' ? "" : "; Rules::tensorflow takes 0");
    case ErrorCode::length_mismatch:
      if (f.value < 0) {
        return subject + " is null, " + counted(f.limit, " entry is", " entries are") + " needed" +
               (*f.against == '\0' ? "" : std::string("; ") + f.against);
      }
      return subject + " has " + counted(f.value, " entry, ", " entries, ") +
             counted(f.limit, " is needed", " are needed") +
             (*f.against == '\0' ? "" : std::string(", ") + f.against);
    case ErrorCode::negative_size:
      // Of reshape, which infers a size of -1.
      if (f.limit == -1) return named_value(f) + ", it must be at least 0, or -1 to be inferred";
      return named_value(f) + at_least(f);
    case ErrorCode::nonpositive_size:
    case ErrorCode::negative_stride:
    case ErrorCode::nonpositive_stride:
    case ErrorCode::negative_offset:
      return named_value(f) + at_least(f);
    case ErrorCode::zero_stride:
      return named_value(f) + ", a slice needs a step other than 0";
    case ErrorCode::innermost_stride:
      return named_value(f) +
             ", under Rules::ascend the stride of the last dimension must be 1; "
             "Rules::tensorflow takes any but 0";
    case ErrorCode::shrink_stride:
      return named_value(f) +
             (f.limit == 1 ? ", under Rules::ascend a shrunk dimension needs a stride of 1; "
                             "Rules::tensorflow takes any of at least 1"
                           : ", a shrunk dimension needs a stride of at least 1");
    case ErrorCode::stride_mismatch:
      return named_value(f) + ", it must be exactly " + limit +
             ", as in memory without gaps; copy() to such memory first";
    case ErrorCode::not_nested:
      return named_value(f) + ", it must be at least " + limit +
             ", which is a smaller stride times its size" + kCopyFirst;
    case ErrorCode::overflow:
      if (*f.against != '\0') {
        return named_value(f) + ", " + f.against +
               (f.limit == 0 ? std::string() : std::string(" exceeds ") + limit);
      }
      if (f.limit > 1) {
        return named_value(f) + ", with it the mapping no longer fits an index type of at most " +
               limit;
      }
      return named_value(f) + ", with it " +
             (f.limit == 0 ? "an offset" : "the number of elements") + " no longer fits 64 bits";
    case ErrorCode::out_of_bounds:
      return outside_storage(f);
    case ErrorCode::null_data:
      return subject + " is null, and there " +
             (f.value == 1 ? "is 1 element to touch; allocate it"
                           : "are " + value + " elements to touch; allocate them") +
             " first";
    case ErrorCode::misaligned:
      return "the address of " + subject + " is " + counted(f.value, " byte", " bytes") +
             " past a multiple of " + limit +
             ", the alignment of the element type; copy the bytes to aligned memory first";
    case ErrorCode::element_size:
      return subject + " is " + std::to_string(static_cast<std::uint64_t>(f.value)) +
             ", it must be at least 1 and at most " + limit;
    case ErrorCode::shape_mismatch:
      return mismatched_shapes(f);
    case ErrorCode::axis_out_of_range:
      if (f.limit == 0) return named_value(f) + ", and there are no axes";
      return named_value(f) + ", it must be at least " + std::to_string(-f.limit) +
             " and less than " + limit;
    case ErrorCode::repeated_axis:
      return named_value(f) + ", an axis named before; each may be named once";
    case ErrorCode::index_out_of_range:
      return outside_dimension(f);
    case ErrorCode::size_mismatch:
      return mismatched_sizes(f);
    case ErrorCode::needs_copy:
      return subject + " " + to_string(f.given) + " is no view of these strides" + at_dimension(f) +
             kCopyFirst;
    case ErrorCode::not_broadcastable:
      return named_value(f) + ", a dimension of size " + limit +
             " does not broadcast to it; one of size 1 " +
             (f.value == 1 ? "" : "or " + value + " ") + "would";
    case ErrorCode::too_many_entries:
      return subject + " has " +
             counted(f.value, " entry that takes a dimension, ",
                     " entries that take a dimension each, ") +
             against_or(f, "the array") + " has " + counted(f.limit, " dimension", " dimensions");
    case ErrorCode::several_ellipses:
      return subject + " has " + value + " bits set, at most 1 is allowed";
    case ErrorCode::spec_too_long:
      return subject + " has " + value + " entries, at most " + limit + " are allowed";
    case ErrorCode::empty_var:
      return subject + " has size 0 in dimension " + std::to_string(f.axis) +
             ", under Rules::ascend every dimension must be at least 1; Rules::tensorflow takes 0";
    case ErrorCode::not_inferable:
      return named_value(f) +
             (f.limit == 0
                  ? ", and beside a size of 0 it could be any number; name the one that is meant"
                  : ", only one size may be left to be inferred");
    case ErrorCode::internal_overlap:
      return subject +
             (f.proven ? " maps more than one index to the same element"
                       : " could not be shown to map each index to an element of its own") +
             overlapping_strides(f) + instead_of_overlap(f);
    case ErrorCode::temporary_forbidden:
      return std::string(f.proven ? "source and destination overlap"
                                  : "source and destination could not be shown to be apart") +
             ", the copy needs a temporary of " + value +
             " bytes, and the options forbid one; leave out allow_temporary = false";
    case ErrorCode::broken_promise:
      return "source and destination overlap, and the options promise that they do not; leave out "
             "assume_disjoint";
    case ErrorCode::out_of_memory:
      return subject + " of " + value + " bytes could not be allocated" +
             (*f.against == '\0' ? "" : std::string("; ") + f.against);
    case ErrorCode::unsupported:
      // "the element type is float" 64, "int" 32: the texts end where the numbers stand.
      if (*f.against == '\0') return subject;
      return subject + value + ", " + f.against + (f.limit < 0 ? "" : limit) + " is needed";
    case ErrorCode::mpi_error:
      return subject + " failed with MPI's error code " + value;
    case ErrorCode::file_access:
    case ErrorCode::file_format:
      return subject;
    case ErrorCode::too_large_to_draw:
      return subject + " has " + value + " elements, at most " + limit + " are drawn; draw a part";
  }
  return subject;
}

}  // namespace detail

inline std::string Failure::message() const {
  return (*call == '\0' ? std::string() : std::string(call) + ": ") + detail::sentence(*this);
}

}  // namespace strided::inline STRIDED_ABI
