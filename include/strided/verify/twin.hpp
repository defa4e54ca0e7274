// Twin: a source and a destination view on storages of their own, related as the given ones are.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "strided/core/config.hpp"
#include "strided/view/strided_view.hpp"

namespace strided::inline STRIDED_ABI::detail {

// Copies the storage of the destination and, where the two storages share memory, that of the
// source with it: the copies then overlap exactly as the originals do. A source elsewhere is used
// as it is. The copy lies at the same distance from a 64-byte line as the original, so that the
// engine takes the same way, or from a multiple of the alignment where that is more.
template <class T>
class Twin {
 public:
  Twin(const StridedView<const T>& source, const StridedView<T>& destination) {
    const std::uintptr_t src = address(source.storage().data());
    const std::uintptr_t dst = address(destination.storage().data());
    const std::uintptr_t src_end = src + source.storage().size_bytes();
    const std::uintptr_t dst_end = dst + destination.storage().size_bytes();
    const bool shared = src < dst_end && dst < src_end;
    const std::uintptr_t low = shared ? std::min(src, dst) : dst;
    const std::uintptr_t end = shared ? std::max(src_end, dst_end) : dst_end;

    bytes_.resize(static_cast<std::size_t>(end - low) + 2 * kLine);
    const std::uintptr_t start = address(bytes_.data());
    std::byte* const copy = bytes_.data() + (kLine - start % kLine) + low % kLine;
    if (shared) copy_bytes(copy + (src - low), source.storage());
    copy_bytes<const T>(copy + (dst - low), destination.storage());

    destination_ = StridedView<T>::unchecked(
        {reinterpret_cast<T*>(copy + (dst - low)), destination.storage().size()},
        destination.layout());
    source_ = !shared
                  ? source
                  : StridedView<const T>::unchecked(
                        {reinterpret_cast<const T*>(copy + (src - low)), source.storage().size()},
                        source.layout());
  }
  Twin(const Twin&) = delete;
  Twin& operator=(const Twin&) = delete;

  [[nodiscard]] const StridedView<const T>& source() const noexcept { return source_; }
  [[nodiscard]] const StridedView<T>& destination() const noexcept { return destination_; }

 private:
  static constexpr std::size_t kLine = alignof(T) > 64 ? alignof(T) : 64;

  [[nodiscard]] static std::uintptr_t address(const void* pointer) noexcept {
    return reinterpret_cast<std::uintptr_t>(pointer);
  }
  template <class U>
  static void copy_bytes(std::byte* to, std::span<U> from) {
    if (!from.empty()) std::memcpy(to, static_cast<const void*>(from.data()), from.size_bytes());
  }

  std::vector<std::byte> bytes_;
  StridedView<const T> source_;
  StridedView<T> destination_;
};

}  // namespace strided::inline STRIDED_ABI::detail
