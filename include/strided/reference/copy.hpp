// copy, index by index.
#pragma once

#include <algorithm>
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
std::vector<std::uintptr_t> all_addresses(const StridedView<const T>& view) {
  std::vector<std::uintptr_t> addresses;
  for (std::size_t k : all_places(view.layout())) {
    addresses.push_back(reinterpret_cast<std::uintptr_t>(view.storage().data()) + k * sizeof(T));
  }
  return addresses;
}

// Whether some byte belongs to an element of both views.
template <class T>
bool share_a_byte(const StridedView<const T>& a, const StridedView<const T>& b) {
  std::vector<std::uintptr_t> in_a = all_addresses(a);
  std::vector<std::uintptr_t> in_b = all_addresses(b);
  std::sort(in_a.begin(), in_a.end());
  std::sort(in_b.begin(), in_b.end());
  for (std::size_t i = 0, j = 0; i < in_a.size() && j < in_b.size();) {
    if (in_a[i] + sizeof(T) <= in_b[j]) {
      ++i;
    } else if (in_b[j] + sizeof(T) <= in_a[i]) {
      ++j;
    } else {
      return true;
    }
  }
  return false;
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
  raise_if(detail::check_writable(destination.layout(), "the destination").in(kCall));
  if (options.assume_disjoint && detail::share_a_byte<T>(source, destination) &&
      detail::all_addresses<T>(source) != detail::all_addresses<T>(destination)) {
    raise_if(Failure{ErrorCode::broken_promise}.in(kCall));
  }
  detail::move_all<T>(source, destination);
}

}  // namespace reference
}  // namespace strided::inline STRIDED_ABI
