// copy, index by index.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "strided/core/config.hpp"
#include "strided/core/result.hpp"
#include "strided/core/rules.hpp"
#include "strided/reference/elements.hpp"
#include "strided/view/strided_view.hpp"

namespace strided::inline STRIDED_ABI {
namespace reference {
namespace detail {

template <class T>
std::uintptr_t address(const StridedView<const T>& view, const Dims& index) {
  return reinterpret_cast<std::uintptr_t>(view.storage().data()) +
         place(view.layout(), index) * sizeof(T);
}

// Whether some byte belongs to an element of both views.
template <class T>
bool share_a_byte(const StridedView<const T>& a, const StridedView<const T>& b) {
  const auto first = reinterpret_cast<std::uintptr_t>(a.storage().data());
  std::vector<bool> in_a(a.storage().size_bytes());
  for_each_index(a.shape(), [&](const Dims& index) {
    for (std::size_t i = 0; i < sizeof(T); ++i) in_a[address(a, index) - first + i] = true;
  });
  bool shared = false;
  for_each_index(b.shape(), [&](const Dims& index) {
    for (std::size_t i = 0; i < sizeof(T); ++i) {
      const std::uintptr_t byte = address(b, index) + i;
      shared = shared || (byte >= first && byte - first < in_a.size() && in_a[byte - first]);
    }
  });
  return shared;
}

// Whether every index names the same element in both views.
template <class T>
bool same_elements(const StridedView<const T>& a, const StridedView<const T>& b) {
  bool same = true;
  for_each_index(a.shape(),
                 [&](const Dims& index) { same = same && address(a, index) == address(b, index); });
  return same;
}

}  // namespace detail

// Copies every element of `source` to the same index of `destination`, as if the source had been
// read completely first: here it really is. A temporary is therefore always used, whatever
// options.allow_temporary says; a promise of options.assume_disjoint is always verified (a copy of
// every element onto itself does not break it).
//
// Errors: shape_mismatch, internal_overlap, broken_promise; the destination is unchanged then.
//
//   reference::copy(a.transpose(0, 1), b);   // b(j, i) is a(i, j)
template <class S, class T>
  requires std::is_same_v<std::remove_const_t<S>, T>
void copy(const StridedView<S>& source, const StridedView<T>& destination,
          const CopyOptions& options = {}) {
  constexpr const char* kCall = "reference::copy";
  raise_if(detail::check_same_shape(source.shape(), destination.shape(), "the source").in(kCall));
  raise_if(detail::check_writable(destination, "the destination").in(kCall));
  if (options.assume_disjoint && detail::share_a_byte<T>(source, destination) &&
      !detail::same_elements<T>(source, destination)) {
    raise_if(Failure{ErrorCode::broken_promise}.in(kCall));
  }
  detail::move_all<T>(source, destination);
}

}  // namespace reference
}  // namespace strided::inline STRIDED_ABI
