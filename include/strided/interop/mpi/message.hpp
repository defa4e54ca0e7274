// How the elements of a view become what an MPI call takes: in place, packed, or by a datatype.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

#include "strided/core/config.hpp"
#include "strided/core/dims.hpp"
#include "strided/core/executor.hpp"
#include "strided/core/result.hpp"
#include "strided/interop/mpi/buffers.hpp"
#include "strided/interop/mpi/datatype.hpp"
#include "strided/interop/mpi/error.hpp"
#include "strided/interop/mpi/pack.hpp"
#include "strided/view/layout.hpp"
#include "strided/view/overlap.hpp"
#include "strided/view/reshape.hpp"
#include "strided/view/strided_view.hpp"

namespace strided::inline STRIDED_ABI {

// How elements get from a view to the network and back. Both sides of a message choose for
// themselves: a packed message and that of a datatype are the same elements of one basic type.
enum class MpiWay : std::uint8_t {
  chosen,    // what choose_mpi_way says
  in_place,  // contiguous: the elements themselves, by their basic type
  packed,    // through a buffer, by this library's kernels
  datatype,  // MPI walks over the view
};

// For the calls that send and receive views. Contiguous views go in place, whatever the way.
struct MpiOptions {
  MpiWay way = MpiWay::chosen;    // of views that are not contiguous
  MpiBuffers* buffers = nullptr;  // where packed elements get their memory; null: from the heap
  ExecutorRef executor = {};      // packs and unpacks large views; both have to outlive a request
};

// Where MPI's own walk is about as fast as a buffer on the way, or faster, and takes no memory:
// runs of at least so many contiguous bytes, in messages of at least so many. Below, Open MPI 4.1
// walks at 0.6 (elements of 1 byte) to 5 (of 8 bytes) GB/s, and a datatype takes longer to make
// than a short message to pack; bench/README.md has the measurements, bench/mpi_bench.cpp repeats
// them on other machines.
inline constexpr std::int64_t kMpiDatatypeRunBytes = 64;
inline constexpr std::int64_t kMpiDatatypeBytes = 4096;

// What MpiWay::chosen does with a view.
//
//   rows of 64 doubles out of 66: datatype;  a column of doubles: packed
[[nodiscard]] inline MpiWay choose_mpi_way(const Layout& layout,
                                           std::int64_t element_bytes) noexcept {
  if (layout.is_contiguous()) return MpiWay::in_place;
  const Layout folded = collapse(layout);
  const int last = folded.rank() - 1;  // there is one, or the view would be contiguous
  const std::int64_t run = folded.strides()[last] == 1 ? folded.shape()[last] : 1;
  const bool is_long = run >= (kMpiDatatypeRunBytes + element_bytes - 1) / element_bytes;
  const bool is_large = layout.size() >= (kMpiDatatypeBytes + element_bytes - 1) / element_bytes;
  return is_long && is_large ? MpiWay::datatype : MpiWay::packed;
}

namespace detail {

// Address, count and type for one call of MPI, and what they refer to. `T` is const where the
// elements are sent.
template <class T>
struct MpiMessage {
  using Element = std::remove_const_t<T>;

  StridedView<T> view;
  ExecutorRef executor{};
  MpiPacked packed;         // holds nothing unless packed
  MpiDatatype type;         // MPI_DATATYPE_NULL where a basic one serves
  void* address = nullptr;  // MPI reads what is sent, and takes no pointer to const for it
  int count = 0;
  MPI_Datatype sent_as = MPI_BYTE;
  MpiWay way = MpiWay::chosen;
  bool from_nobody = false;  // MPI_PROC_NULL: nothing will come

  // Decides, allocates, and packs a view that is sent. Once.
  [[nodiscard]] Failure prepare(const StridedView<T>& whole, const MpiOptions& options) {
    constexpr bool kSends = std::is_const_v<T>;
    view = whole;
    executor = options.executor;
    address = const_cast<Element*>(first_of(whole));
    if (!kSends && has_internal_overlap(whole)) {
      return internal_overlap_of(whole.layout(), "the view to receive into");
    }
    way = choose_mpi_way(whole.layout(), std::int64_t{sizeof(T)});
    if (way != MpiWay::in_place &&
        (options.way == MpiWay::packed || options.way == MpiWay::datatype)) {
      way = options.way;
    }
    // No buffer is aligned like that.
    if (way == MpiWay::packed && alignof(T) > MpiPacked::kAlignment) way = MpiWay::datatype;
    if (way == MpiWay::datatype) return use(whole.layout());
    if (way == MpiWay::packed) {
      if (Failure failure = packed.allocate<Element>(whole.size(), options.buffers)) return failure;
      const std::span<Element> elements = packed.elements<Element>(whole.size());
      address = elements.data();
      if constexpr (kSends) {
        if (Failure failure = try_pack(whole, elements, copy_options())) return failure;
      }
    }
    const MpiItems items = mpi_items_of<T>();
    if (whole.size() > kMpiMostCount / items.count) {
      return use(Layout::unchecked(Dims{whole.size()}, Dims{1}, 0));
    }
    count = static_cast<int>(whole.size() * items.count);
    sent_as = items.type;
    return {};
  }

  // After a receive: whether all elements came, and where they were packed, to the view with them.
  [[nodiscard]] Failure finish(const MPI_Status& status) {
    // The status does not tell: that of MPI_Irecv names rank 0 in MPICH 4.0.
    if (from_nobody) return {};
    MPI_Count items = 0;
    if (Failure failure =
            mpi_failure(MPI_Get_elements_x(&status, sent_as, &items), "MPI_Get_elements_x")) {
      return failure;
    }
    const std::int64_t came = items == MPI_UNDEFINED ? 0 : items / mpi_items_of<T>().count;
    if (came != view.size()) {
      return Failure{ErrorCode::length_mismatch, "the message", -1, came, view.size()}.held_against(
          "one for each element of the view");
    }
    if constexpr (!std::is_const_v<T>) {
      if (way == MpiWay::packed) {
        return try_unpack(packed.elements<const T>(view.size()), view, copy_options());
      }
    }
    return {};
  }

 private:
  // Whether it may be received into was answered before.
  [[nodiscard]] Failure use(const Layout& layout) {
    Result<MpiDatatype> made = MpiDatatype::try_make(layout, mpi_items_of<T>(), MpiUse::send);
    if (!made) return made.error();
    type = std::move(*made);
    sent_as = type.get();
    count = 1;
    return {};
  }

  // The buffer is ours alone.
  [[nodiscard]] CopyOptions copy_options() const noexcept {
    return {.assume_disjoint = true, .executor = executor};
  }
};

}  // namespace detail
}  // namespace strided::inline STRIDED_ABI
