// copy_small: copies of a few elements, for which a plan would take longer than the copy.
#pragma once

#include <cstddef>
#include <cstdint>

#include "strided/core/config.hpp"
#include "strided/engine/kernels/kernel.hpp"
#include "strided/view/layout.hpp"

namespace strided::inline STRIDED_ABI::engine {

inline constexpr std::int64_t kSmallElements = 64;
inline constexpr int kSmallRank = 3;

// Copies and returns true if the layouts are what most small copies have: one shape of rank 3 at
// most, few elements, a destination in row-major order (gaps allowed), and no byte in common. Else
// nothing is touched, and a plan has to find out what is right. The layouts fit their storages.
[[nodiscard]] inline bool copy_small(const Layout& src, const Layout& dst,
                                     std::int64_t element_bytes, const kernels::KernelSet& kernels,
                                     const std::byte* src_storage,
                                     std::byte* dst_storage) noexcept {
  const int width = kernels::width_index(element_bytes);
  if (src.size() > kSmallElements || src.empty() || src.rank() > kSmallRank || width < 0 ||
      !(src.shape() == dst.shape())) {
    return false;
  }
  std::int64_t count[kSmallRank] = {1, 1, 1};  // the innermost loop first
  std::int64_t from[kSmallRank] = {};
  std::int64_t to[kSmallRank] = {};
  std::int64_t src_lowest = src.offset();
  std::int64_t src_highest = src.offset();
  std::int64_t dst_extent = 1;  // elements from the first to behind the last
  std::int64_t run_bytes = element_bytes;
  int loops = 0;
  for (int i = src.rank(); i-- > 0;) {
    const std::int64_t n = src.shape()[i];
    if (n == 1) continue;
    if (dst.strides()[i] < dst_extent) return false;
    const std::int64_t reach = (n - 1) * src.strides()[i];
    (reach < 0 ? src_lowest : src_highest) += reach;
    dst_extent += (n - 1) * dst.strides()[i];
    if (loops == 0 && run_bytes == element_bytes && src.strides()[i] == 1 &&
        dst.strides()[i] == 1) {
      run_bytes = n * element_bytes;
      continue;
    }
    count[loops] = n;
    from[loops] = src.strides()[i] * element_bytes;
    to[loops] = dst.strides()[i] * element_bytes;
    ++loops;
  }
  const auto src_at = reinterpret_cast<std::uintptr_t>(src_storage);
  const auto dst_at = reinterpret_cast<std::uintptr_t>(dst_storage);
  const auto bytes = [&](std::int64_t elements) {
    return static_cast<std::uintptr_t>(elements * element_bytes);
  };
  if (src_at + bytes(src_lowest) < dst_at + bytes(dst.offset() + dst_extent) &&
      dst_at + bytes(dst.offset()) < src_at + bytes(src_highest + 1)) {
    return false;
  }
  kernels::Block block;
  block.columns = count[0];
  block.src_column_bytes = from[0];
  block.dst_column_bytes = to[0];
  block.rows = count[1];
  block.src_row_bytes = from[1];
  block.dst_row_bytes = to[1];
  block.run_bytes = run_bytes;
  const kernels::Kernel kernel =
      run_bytes == element_bytes ? kernels.widths[width].strided : kernels.runs;
  const std::byte* first = src_storage + src.offset() * element_bytes;
  std::byte* target = dst_storage + dst.offset() * element_bytes;
  for (std::int64_t k = 0; k < count[2]; ++k) {
    kernel(first + k * from[2], target + k * to[2], block);
  }
  return true;
}

}  // namespace strided::inline STRIDED_ABI::engine
