// bitwise_equal: do two views hold the same bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "strided/core/config.hpp"
#include "strided/core/result.hpp"
#include "strided/engine/execute.hpp"
#include "strided/engine/normalize.hpp"
#include "strided/view/strided_view.hpp"

namespace strided::inline STRIDED_ABI {

// True if the shapes are equal and each pair of elements has the same bits: a NaN equals itself,
// 0.0 and -0.0 differ, padding bytes count. Never throws.
//
//   bitwise_equal(a.permute({1, 0}), b)
template <class A, class B>
[[nodiscard]] bool bitwise_equal(const StridedView<A>& a, const StridedView<B>& b) noexcept {
  static_assert(std::is_same_v<std::remove_const_t<A>, std::remove_const_t<B>>,
                "strided: the views have different element types");
  static_assert(std::is_trivially_copyable_v<A>,
                "strided: bitwise_equal compares bits; this type is not trivially copyable");
  const Result<engine::LoopNest> nest =
      engine::normalize(a.layout(), b.layout(), std::int64_t{sizeof(A)});
  if (!nest) return false;
  if (nest->run_bytes == 0) return true;
  bool equal = true;
  const auto run_bytes = static_cast<std::size_t>(nest->run_bytes);
  engine::for_each_index(*nest, nest->rank, reinterpret_cast<const std::byte*>(a.storage().data()),
                         reinterpret_cast<const std::byte*>(b.storage().data()),
                         [&](const std::byte* x, const std::byte* y) {
                           equal = equal && std::memcmp(x, y, run_bytes) == 0;
                         });
  return equal;
}

}  // namespace strided::inline STRIDED_ABI
