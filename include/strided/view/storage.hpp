// What a view asks of the memory it looks at: that it stays, is there, is aligned and large enough.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <ranges>
#include <span>
#include <type_traits>

#include "strided/core/config.hpp"
#include "strided/core/result.hpp"
#include "strided/view/layout.hpp"

namespace strided::inline STRIDED_ABI {
namespace detail {

// A container that its expression owns, as one that a function returns: a range that takes more
// than its bytes to copy, or std::array. What is copied as plain bytes, as the ArrayRef classes of
// LLVM and PyTorch, looks at elements that somebody else owns.
template <class R>
concept OwningRvalue =
    !std::is_lvalue_reference_v<R> && std::ranges::range<R> && !std::ranges::borrowed_range<R> &&
    (!std::is_trivially_copyable_v<R> || std::is_aggregate_v<R>);

// A pointer does not tell how many elements there are.
template <class P>
concept PointerToElements = std::is_pointer_v<std::decay_t<P>> && !std::ranges::range<P>;

// A named container whose elements no std::span<T> can be of: they are const and T is not (it would
// be StridedView<const T>), have another type, or are bits, as those of std::vector<bool>.
template <class R, class T>
concept StorageOfOthers =
    std::ranges::range<R> && !OwningRvalue<R> && !std::is_convertible_v<R, std::span<T>>;

// Addresses are no constants: g++ with sanitizers refuses even to compare them to null.
[[nodiscard]] constexpr bool is_null(const void* address) noexcept {
  return !std::is_constant_evaluated() && address == nullptr;
}

// Why no view of this layout can look at this storage, or no failure.
template <class T>
[[nodiscard]] constexpr Failure check_storage(std::span<T> storage, const Layout& layout) noexcept {
  if (layout.size() > 0 && is_null(storage.data())) {
    return Failure{ErrorCode::null_data, "storage", -1, layout.size()};
  }
  const auto have = static_cast<std::int64_t>(storage.size());
  if (Failure failure = check_within(layout, have, "the view")) {
    failure.needed = strides_of_bytes(layout, std::int64_t{sizeof(T)}, have);
    return failure;
  }
  if (!std::is_constant_evaluated()) {
    const auto past =
        static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(storage.data()) % alignof(T));
    if (past != 0) {
      return Failure{ErrorCode::misaligned, "storage", -1, past, std::int64_t{alignof(T)}};
    }
  }
  return {};
}

// From the lowest to the highest element of a tensor that is not empty, of which the address of
// element (0, 0, ...) is known. Errors: overflow, where it would leave the address space.
template <class T>
[[nodiscard]] constexpr Result<std::span<T>> storage_around(T* first,
                                                            const Layout& layout) noexcept {
  const Bounds bounds = layout.bounds();
  const std::int64_t reach = bounds.highest - bounds.lowest;
  constexpr auto kMostBytes = std::int64_t{std::numeric_limits<std::ptrdiff_t>::max()};
  if (reach >= kMostBytes / std::int64_t{sizeof(T)}) {
    return Failure{ErrorCode::overflow, "the reach of the strides", -1, reach, kMostBytes}
        .held_against("in bytes it");
  }
  const std::int64_t before = layout.offset() - bounds.lowest;  // of `first`, as reach counts
  if (!std::is_constant_evaluated()) {
    const auto address = reinterpret_cast<std::uintptr_t>(first);
    const auto below = static_cast<std::uintptr_t>(before) * sizeof(T);
    const auto above = static_cast<std::uintptr_t>(reach - before + 1) * sizeof(T);
    if (below >= address || above > std::numeric_limits<std::uintptr_t>::max() - address) {
      return Failure{ErrorCode::overflow, "the reach of the strides", -1, reach, 0}.held_against(
          "around this address it leaves the address space");
    }
  }
  return std::span<T>(first - before, static_cast<std::size_t>(reach + 1));
}

}  // namespace detail
}  // namespace strided::inline STRIDED_ABI
