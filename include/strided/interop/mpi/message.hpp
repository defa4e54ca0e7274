// How the elements of a view become what an MPI call takes: in place, packed, or by a datatype.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "strided/core/config.hpp"
#include "strided/core/dims.hpp"
#include "strided/core/executor.hpp"
#include "strided/core/result.hpp"
#include "strided/interop/mpi/datatype.hpp"
#include "strided/interop/mpi/error.hpp"
#include "strided/interop/mpi/pack.hpp"
#include "strided/view/layout.hpp"
#include "strided/view/overlap.hpp"
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
  MpiWay way = MpiWay::chosen;
  ExecutorRef executor = {};  // for packing and unpacking; has to outlive a request that uses it
};

// What MpiWay::chosen does with a view.
[[nodiscard]] inline MpiWay choose_mpi_way(const Layout& layout) noexcept {
  if (layout.is_contiguous()) return MpiWay::in_place;
  return MpiWay::packed;
}

namespace detail {

// Address, count and type for one call of MPI, and what they refer to. `T` is const where the
// elements are sent.
template <class T>
struct MpiMessage {
  using Element = std::remove_const_t<T>;

  StridedView<T> view;
  ExecutorRef executor{};
  PackedBuffer<Element> buffer;  // holds nothing unless packed
  MpiDatatype type;              // MPI_DATATYPE_NULL where a basic one serves
  void* address = nullptr;       // MPI reads what is sent, and takes no pointer to const for it
  int count = 0;
  MPI_Datatype sent_as = MPI_BYTE;
  MpiWay way = MpiWay::chosen;

  // Decides, allocates, and for a view to send packs.
  [[nodiscard]] Failure prepare(const StridedView<T>& whole, const MpiOptions& options) {
    view = whole;
    executor = options.executor;
    way = whole.is_contiguous()              ? MpiWay::in_place
          : options.way == MpiWay::chosen || options.way == MpiWay::in_place
              ? choose_mpi_way(whole.layout())
              : options.way;
    constexpr bool kSends = std::is_const_v<T>;
    if (!kSends && has_internal_overlap(whole)) {
      return internal_overlap_of(whole.layout(), "the view to receive into");
    }
    if (way == MpiWay::datatype) {
      address = const_cast<Element*>(first_of(whole));
      return use(whole.layout(), kSends ? MpiUse::send : MpiUse::receive);
    }
    address = const_cast<Element*>(first_of(whole));
    if (way == MpiWay::packed) {
      if (Failure failure = buffer.allocate(whole.size())) return failure;
      address = buffer.span().data();
      if constexpr (kSends) {
        if (Failure failure = try_pack(whole, buffer.span(), copy_options())) return failure;
      }
    }
    const MpiItems items = mpi_items_of<T>();
    if (whole.size() > kMpiMostCount / items.count) {
      return use(Layout::unchecked(Dims{whole.size()}, Dims{1}, 0), MpiUse::send);
    }
    count = static_cast<int>(whole.size() * items.count);
    sent_as = items.type;
    return {};
  }

  // After a receive: whether all elements came, and where they were packed, to the view with them.
  [[nodiscard]] Failure finish(const MPI_Status& status) {
    if (status.MPI_SOURCE == MPI_PROC_NULL) return {};
    MPI_Count items = 0;
    if (Failure failure = mpi_failure(MPI_Get_elements_x(&status, sent_as, &items),
                                      "MPI_Get_elements_x")) {
      return failure;
    }
    const std::int64_t came = items == MPI_UNDEFINED ? 0 : items / mpi_items_of<T>().count;
    if (came != view.size()) {
      return Failure{ErrorCode::length_mismatch, "the message", -1, came, view.size()}.held_against(
          "one for each element of the view");
    }
    if constexpr (!std::is_const_v<T>) {
      if (way == MpiWay::packed) return try_unpack(buffer.span(), view, copy_options());
    }
    return {};
  }

 private:
  [[nodiscard]] Failure use(const Layout& layout, MpiUse purpose) {
    Result<MpiDatatype> made = MpiDatatype::try_make(layout, mpi_items_of<T>(), purpose);
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
