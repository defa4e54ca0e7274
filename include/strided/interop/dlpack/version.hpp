// What the dlpack.h at hand knows: the managed tensors of DLPack 1.0 say which version they are of,
// those before do not.
#pragma once

#include <dlpack/dlpack.h>

#include <concepts>
#include <cstdint>

#include "strided/core/config.hpp"

namespace strided::inline STRIDED_ABI {
namespace detail {

#if defined(DLPACK_MAJOR_VERSION)
inline constexpr std::uint32_t kDlpackMajor = DLPACK_MAJOR_VERSION;
inline constexpr std::uint32_t kDlpackMinor = DLPACK_MINOR_VERSION;
#else
inline constexpr std::uint32_t kDlpackMajor = 0;
inline constexpr std::uint32_t kDlpackMinor = 0;
#endif
inline constexpr std::uint64_t kDlpackReadOnly = 1;  // DLPACK_FLAG_BITMASK_READ_ONLY

// DLManagedTensor or DLManagedTensorVersioned.
template <class M>
concept DlpackManaged = requires(M& managed) {
  { managed.dl_tensor } -> std::same_as<DLTensor&>;
  managed.deleter(&managed);
};

template <class M>
concept DlpackVersioned = DlpackManaged<M> && requires(M& managed) {
  managed.version.major;
  managed.flags;
};

}  // namespace detail
}  // namespace strided::inline STRIDED_ABI
