// dispatch: pattern and run width -> the kernel that serves them on this machine.
#pragma once

#include <cstdint>

#include "strided/core/config.hpp"
#include "strided/engine/kernels/kernel.hpp"
#include "strided/engine/kernels/portable.hpp"

namespace strided::inline STRIDED_ABI::engine {

// A kernel and the name that explain() gives it.
struct KernelChoice {
  kernels::Kernel run = &kernels::portable::move_runs;
  const char* name = "runs";
};

// The kernels of one run width.
struct WidthKernels {
  KernelChoice strided;
  KernelChoice broadcast;
  KernelChoice transpose;
};

template <std::size_t W>
inline constexpr WidthKernels kPortableKernels{
    {&kernels::portable::move_strided<W>, "strided"},
    {&kernels::portable::broadcast<W>, "broadcast"},
    {&kernels::portable::transpose<W>, "transpose"},
};

// The kernels for runs of `run_bytes`, or null where only the general one serves.
[[nodiscard]] inline const WidthKernels* kernels_for_width(std::int64_t run_bytes) noexcept {
  switch (run_bytes) {
    case 1:
      return &kPortableKernels<1>;
    case 2:
      return &kPortableKernels<2>;
    case 3:
      return &kPortableKernels<3>;
    case 4:
      return &kPortableKernels<4>;
    case 6:
      return &kPortableKernels<6>;
    case 8:
      return &kPortableKernels<8>;
    case 12:
      return &kPortableKernels<12>;
    case 16:
      return &kPortableKernels<16>;
    case 24:
      return &kPortableKernels<24>;
    case 32:
      return &kPortableKernels<32>;
    default:
      return nullptr;
  }
}

[[nodiscard]] inline KernelChoice choose_kernel(kernels::Pattern pattern,
                                                std::int64_t run_bytes) noexcept {
  const WidthKernels* width = kernels_for_width(run_bytes);
  if (width == nullptr || pattern == kernels::Pattern::runs) return {};
  if (pattern == kernels::Pattern::broadcast) return width->broadcast;
  return pattern == kernels::Pattern::transpose ? width->transpose : width->strided;
}

}  // namespace strided::inline STRIDED_ABI::engine
