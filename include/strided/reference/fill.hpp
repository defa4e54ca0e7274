// fill, index by index.
#pragma once

#include <span>
#include <type_traits>

#include "strided/core/config.hpp"
#include "strided/core/result.hpp"
#include "strided/core/rules.hpp"
#include "strided/reference/elements.hpp"
#include "strided/view/strided_view.hpp"

namespace strided::inline STRIDED_ABI {
namespace reference {

// Sets every element of `destination` to `value`, which may itself be one of them.
//
// Errors: internal_overlap, unless the options allow it.
//
//   reference::fill(v.select(1, 0), 0.0F);   // zeroes the first column
template <class T>
  requires(!std::is_const_v<T>)
void fill(const StridedView<T>& destination, const std::type_identity_t<T>& value,
          const FillOptions& options = {}) {
  if (!options.allow_internal_overlap) {
    raise_if(detail::check_writable(destination, "the destination").in("reference::fill"));
  }
  const detail::Held<T> held = detail::hold(value);
  const std::span<T> storage = destination.storage();
  detail::for_each_index(destination.shape(), [&](const Dims& index) {
    detail::put<T>(held, storage[detail::place(destination.layout(), index)]);
  });
}

}  // namespace reference
}  // namespace strided::inline STRIDED_ABI
