// MpiDatatype: MPI's derived datatype of a view, and MPI's basic types for those of C++.
#pragma once

#include <mpi.h>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include "strided/core/checked_math.hpp"
#include "strided/core/config.hpp"
#include "strided/core/dims.hpp"
#include "strided/core/result.hpp"
#include "strided/interop/mpi/error.hpp"
#include "strided/view/layout.hpp"
#include "strided/view/overlap.hpp"
#include "strided/view/reshape.hpp"
#include "strided/view/strided_view.hpp"

namespace strided::inline STRIDED_ABI {

// What a message may consist of.
template <class T>
concept MpiElement = std::is_trivially_copyable_v<T>;

// An element as MPI sees it: `count` items of the basic type `type`, each of `bytes` bytes.
struct MpiItems {
  MPI_Datatype type = MPI_BYTE;  // a basic one
  std::int64_t count = 1;        // items in an element
  std::int64_t bytes = 1;        // in an item
};

// How elements of type T travel: integers, floating-point numbers, bool and std::complex as the
// basic type of that name, everything else (std::byte, char8_t, structs) as sizeof(T) times
// MPI_BYTE. Both sides of a message must use element types of one basic type: MPI does not allow
// float to be received as bytes.
template <MpiElement T>
[[nodiscard]] MpiItems mpi_items_of() noexcept {
  const auto one = [](MPI_Datatype type) { return MpiItems{type, 1, std::int64_t{sizeof(T)}}; };
  using U = std::remove_cv_t<T>;
  if constexpr (std::is_same_v<U, bool>) return one(MPI_C_BOOL);
  if constexpr (std::is_same_v<U, char>) return one(MPI_CHAR);
  if constexpr (std::is_same_v<U, signed char>) return one(MPI_SIGNED_CHAR);
  if constexpr (std::is_same_v<U, unsigned char>) return one(MPI_UNSIGNED_CHAR);
  if constexpr (std::is_same_v<U, wchar_t>) return one(MPI_WCHAR);
  if constexpr (std::is_same_v<U, short>) return one(MPI_SHORT);
  if constexpr (std::is_same_v<U, unsigned short>) return one(MPI_UNSIGNED_SHORT);
  if constexpr (std::is_same_v<U, int>) return one(MPI_INT);
  if constexpr (std::is_same_v<U, unsigned>) return one(MPI_UNSIGNED);
  if constexpr (std::is_same_v<U, long>) return one(MPI_LONG);
  if constexpr (std::is_same_v<U, unsigned long>) return one(MPI_UNSIGNED_LONG);
  if constexpr (std::is_same_v<U, long long>) return one(MPI_LONG_LONG);
  if constexpr (std::is_same_v<U, unsigned long long>) return one(MPI_UNSIGNED_LONG_LONG);
  if constexpr (std::is_same_v<U, float>) return one(MPI_FLOAT);
  if constexpr (std::is_same_v<U, double>) return one(MPI_DOUBLE);
  if constexpr (std::is_same_v<U, long double>) return one(MPI_LONG_DOUBLE);
  if constexpr (std::is_same_v<U, std::complex<float>>) return one(MPI_C_FLOAT_COMPLEX);
  if constexpr (std::is_same_v<U, std::complex<double>>) return one(MPI_C_DOUBLE_COMPLEX);
  if constexpr (std::is_same_v<U, std::complex<long double>>) return one(MPI_C_LONG_DOUBLE_COMPLEX);
  return {MPI_BYTE, std::int64_t{sizeof(T)}, 1};
}

// What a datatype is for. A view that maps two indices to one element may be sent, and must not be
// received into.
enum class MpiUse : std::uint8_t { send, receive };

namespace detail {

// The largest count that MPI's functions take.
inline constexpr std::int64_t kMpiMostCount = std::numeric_limits<int>::max();

}  // namespace detail

// The derived datatype of a view, committed, and freed with its last owner by move. It describes
// the elements in logical (row-major) order, relative to the address of element (0, 0, ...), which
// mpi_address(view) gives: sent with the type of a view and received with that of another one of
// the same shape, elements arrive where copy() would put them. Strides may be negative or 0, any
// rank and any sizes will do, past 2^31 too; an empty view has a type of size 0. Use it with a
// count of 1: its extent is whatever its elements span.
//
// It is a nest of hvectors, of which vectors and subarrays are special cases, after neighbouring
// dimensions that are one run have been merged; where a count does not fit an int, a struct of
// hvectors.
//
// Errors: internal_overlap (MpiUse::receive and a view that maps two indices to one element);
// overflow, where bytes do not fit MPI_Aint; mpi_error. MPI must be initialized. Semantics: MPI
// 3.1, chapter 4.
//
//   const MpiDatatype column(matrix.select(1, 2));            // a vector
//   MPI_Bcast(mpi_address(matrix.select(1, 2)), 1, column.get(), 0, MPI_COMM_WORLD);
class MpiDatatype {
 public:
  MpiDatatype() noexcept = default;  // MPI_DATATYPE_NULL

  // To send elements that are const, to receive others, if `use` does not say otherwise.
  template <MpiElement T>
  explicit MpiDatatype(const StridedView<T>& view, MpiUse use = default_use<T>()) {
    Result<MpiDatatype> made = try_make(view, use);
    detail::mpi_raise_if(made.error());
    swap(*made);
  }

  // The same, without exceptions.
  template <MpiElement T>
  [[nodiscard]] static Result<MpiDatatype> try_make(const StridedView<T>& view,
                                                    MpiUse use = default_use<T>()) noexcept {
    return try_make(view.layout(), mpi_items_of<T>(), use);
  }

  // For elements whose type is known only at run time. The offset of the layout does not matter.
  // No count that MPI gets is larger than `most_count`, which tests of that make small, 2 at
  // least.
  [[nodiscard]] static Result<MpiDatatype> try_make(
      const Layout& layout, const MpiItems& element, MpiUse use,
      std::int64_t most_count = detail::kMpiMostCount) noexcept {
    Result<MpiDatatype> made{std::in_place};
    Failure failure;
    if (use == MpiUse::receive && has_internal_overlap(layout)) {
      failure = detail::internal_overlap_of(layout, "the view to receive into");
    } else {
      failure = (*made).build(layout, element, most_count);
    }
    if (failure) made.fail(failure.in("MpiDatatype"));
    return made;
  }

  // Moves the datatype; the other has MPI_DATATYPE_NULL then.
  MpiDatatype(MpiDatatype&& other) noexcept { swap(other); }
  MpiDatatype& operator=(MpiDatatype&& other) noexcept {
    MpiDatatype taken(std::move(other));
    swap(taken);
    return *this;
  }
  // Frees the datatype, unless MPI is finalized.
  ~MpiDatatype() {
    if (type_ != MPI_DATATYPE_NULL && !detail::mpi_is_over()) MPI_Type_free(&type_);
  }

  // The datatype, for MPI's functions; stays owned. MPI_DATATYPE_NULL where there is none.
  [[nodiscard]] MPI_Datatype get() const noexcept { return type_; }

  // What a const element type is received into is no question.
  template <class T>
  [[nodiscard]] static constexpr MpiUse default_use() noexcept {
    return std::is_const_v<T> ? MpiUse::send : MpiUse::receive;
  }

 private:
  void swap(MpiDatatype& other) noexcept { std::swap(type_, other.type_); }

  [[nodiscard]] Failure build(const Layout& layout, const MpiItems& element,
                              std::int64_t most) noexcept {
    const Layout folded = collapse(layout);
    if (Failure failure = check_bytes(layout, element)) return failure;
    const std::int64_t element_bytes = element.count * element.bytes;
    int left = folded.rank();
    std::int64_t run = layout.empty() ? 0 : element.count;
    if (left > 0 && folded.strides()[left - 1] == 1) run *= folded.shape()[--left];

    // The innermost loop takes the run as its block; a lone run is a loop of one.
    if (left == 0) {
      if (Failure failure = repeat(1, run, 0, element.type, element.bytes, most)) return failure;
    }
    MpiDatatype inner;
    for (bool first = true; left-- > 0; first = false) {
      inner = std::move(*this);  // and frees the one before
      const std::int64_t stride_bytes = folded.strides()[left] * element_bytes;
      if (Failure failure =
              repeat(folded.shape()[left], first ? run : 1, stride_bytes,
                     first ? element.type : inner.get(), first ? element.bytes : 0, most)) {
        return failure;
      }
    }
    return detail::mpi_failure(MPI_Type_commit(&type_), "MPI_Type_commit");
  }

  // Whether the size and the reach, in bytes, are numbers that MPI can take.
  [[nodiscard]] static Failure check_bytes(const Layout& layout, const MpiItems& element) noexcept {
    const std::int64_t element_bytes = element.count * element.bytes;
    std::int64_t bytes = 0;
    constexpr auto kMost = std::int64_t{std::numeric_limits<MPI_Aint>::max()};
    if (detail::multiply_overflows(layout.size(), element_bytes, bytes)) {
      return Failure{ErrorCode::overflow, "the number of elements", -1, layout.size(), kMost}
          .held_against("with it the number of bytes");
    }
    const Bounds bounds = layout.bounds();
    const std::int64_t reach = bounds.empty() ? 0 : bounds.highest - bounds.lowest;
    if (reach >= kMost / element_bytes) {
      return Failure{ErrorCode::overflow, "the reach of the strides", -1, reach, kMost}
          .held_against("in bytes it");
    }
    return {};
  }

  // Becomes `count` blocks, `stride_bytes` apart, of `block` items of `item` each. Items of more
  // than one to the block follow each other, `item_bytes` bytes each.
  [[nodiscard]] Failure repeat(std::int64_t count, std::int64_t block, std::int64_t stride_bytes,
                               MPI_Datatype item, std::int64_t item_bytes,
                               std::int64_t most) noexcept {
    if (block > most) {
      MpiDatatype run;
      if (Failure failure = run.repeat(block, 1, item_bytes, item, 0, most)) return failure;
      return repeat(count, 1, stride_bytes, run.get(), 0, most);
    }
    // A stride of -1 means the extent of the item to Open MPI 4.1, inside of its functions: those
    // steps go in pairs.
    const bool steps_back_a_byte = stride_bytes == -1 && count > 1;
    const std::int64_t many = steps_back_a_byte ? 2 : most;
    if (count <= most && !steps_back_a_byte) {
      return detail::mpi_failure(
          MPI_Type_create_hvector(static_cast<int>(count), static_cast<int>(block),
                                  static_cast<MPI_Aint>(stride_bytes), item, &type_),
          "MPI_Type_create_hvector");
    }
    // So many full chunks, and what is left.
    const std::int64_t full = count / many;
    const std::int64_t left = count % many;
    const std::int64_t step = many * stride_bytes;
    MpiDatatype chunk;
    MpiDatatype chunks;
    MpiDatatype rest;
    Failure failure;
    if (steps_back_a_byte) {
      const MPI_Aint places[] = {0, -1};
      failure = detail::mpi_failure(
          MPI_Type_create_hindexed_block(2, static_cast<int>(block), places, item, &chunk.type_),
          "MPI_Type_create_hindexed_block");
    } else {
      failure = chunk.repeat(many, block, stride_bytes, item, item_bytes, most);
    }
    if (!failure) failure = chunks.repeat(full, 1, step, chunk.get(), 0, most);
    if (!failure && left == 0) {  // MPI_Get_elements of MPICH 4.0 stops at a member without any
      swap(chunks);
      return failure;
    }
    if (!failure) failure = rest.repeat(left, block, stride_bytes, item, item_bytes, most);
    if (failure) return failure;
    const int ones[] = {1, 1};
    const MPI_Aint places[] = {0, static_cast<MPI_Aint>(full * step)};
    const MPI_Datatype types[] = {chunks.get(), rest.get()};
    return detail::mpi_failure(MPI_Type_create_struct(2, ones, places, types, &type_),
                               "MPI_Type_create_struct");
  }

  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

// The address that the MpiDatatype of a view counts from, for MPI's functions.
template <MpiElement T>
[[nodiscard]] T* mpi_address(const StridedView<T>& view) noexcept {
  return detail::first_of(view);
}

}  // namespace strided::inline STRIDED_ABI
