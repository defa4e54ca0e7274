// bitwise_equal, index by index.
#pragma once

#include <cstring>
#include <type_traits>

#include "strided/core/config.hpp"
#include "strided/core/result.hpp"
#include "strided/reference/elements.hpp"
#include "strided/view/strided_view.hpp"

namespace strided::inline STRIDED_ABI {
namespace reference {

// Whether two views have one shape and hold the same bits at every index: a NaN equals itself, 0.0
// and -0.0 differ. Elements that are not trivially copyable are compared with ==.
//
//   reference::bitwise_equal(engine_result, golden)
template <class A, class B>
  requires std::is_same_v<std::remove_const_t<A>, std::remove_const_t<B>>
bool bitwise_equal(const StridedView<A>& a, const StridedView<B>& b) {
  using T = std::remove_const_t<A>;
  if (a.shape() != b.shape()) return false;
  bool equal = true;
  detail::for_each_index(a.shape(), [&](const Dims& index) {
    const T& left = a.storage()[detail::place(a.layout(), index)];
    const T& right = b.storage()[detail::place(b.layout(), index)];
    if constexpr (std::is_trivially_copyable_v<T>) {
      equal = equal && std::memcmp(static_cast<const void*>(&left),
                                   static_cast<const void*>(&right), sizeof(T)) == 0;
    } else {
      equal = equal && left == right;
    }
  });
  return equal;
}

}  // namespace reference
}  // namespace strided::inline STRIDED_ABI
