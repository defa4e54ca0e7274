// dispatch: which instruction set runs, decided once.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "strided/core/config.hpp"
#include "strided/core/result.hpp"
#include "strided/engine/kernels/avx2.hpp"
#include "strided/engine/kernels/avx512.hpp"
#include "strided/engine/kernels/kernel.hpp"
#include "strided/engine/kernels/neon.hpp"
#include "strided/engine/kernels/portable.hpp"
#include "strided/engine/kernels/sse2.hpp"

namespace strided::inline STRIDED_ABI {

// Instruction sets with kernels of their own, in ascending order of preference.
enum class Isa : std::uint8_t { scalar, sse2, avx2, avx512, neon };

inline constexpr Isa kAllIsas[] = {Isa::scalar, Isa::sse2, Isa::avx2, Isa::avx512, Isa::neon};

[[nodiscard]] constexpr const char* to_string(Isa isa) noexcept {
  constexpr const char* kNames[] = {"scalar", "sse2", "avx2", "avx512", "neon"};
  return kNames[static_cast<int>(isa)];
}

namespace engine {

// Templates from here on, so that only a file that copies compiles the kernels.

// What a linker says where no file does: undefined reference to `kernels_of<TheFileThat...>'.
struct TheFileThatDefines_STRIDED_DEFINE_KERNELS;

// The kernels of an instruction set, or null where this processor, compiler or machine has none.
template <class = TheFileThatDefines_STRIDED_DEFINE_KERNELS>
[[nodiscard]] const kernels::KernelSet* kernels_of(Isa isa) noexcept {
  switch (isa) {
    case Isa::scalar:
      return &kernels::portable::kernel_set();
#if STRIDED_HAS_X86_VECTORS
    case Isa::sse2:
      // unreachable: never false where this machine has them
      return __builtin_cpu_supports("sse2") ? &kernels::sse2::kernel_set() : nullptr;
    case Isa::avx2:
      // unreachable: never false where this machine has them
      return __builtin_cpu_supports("avx2") ? &kernels::avx2::kernel_set() : nullptr;
    case Isa::avx512:
      // unreachable: never false where this machine has them
      return __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
                     __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vbmi") &&
                     __builtin_cpu_supports("avx512vbmi2")
                 ? &kernels::avx512::kernel_set()
                 : nullptr;
#endif
#if STRIDED_HAS_NEON
    case Isa::neon:
      return &kernels::neon::kernel_set();
#endif
    default:
      return nullptr;
  }
}

#if defined(STRIDED_DEFINE_KERNELS)
template const kernels::KernelSet* kernels_of<>(Isa) noexcept;
#elif defined(STRIDED_EXTERN_KERNELS)
extern template const kernels::KernelSet* kernels_of<>(Isa) noexcept;
#endif

// The instruction set in use and its kernels; a failure if STRIDED_FORCE_ISA asks for what is not
// there.
struct Dispatch {
  Isa isa = Isa::scalar;
  const kernels::KernelSet* kernels = nullptr;
  Failure failure{};
};

template <class = void>
[[nodiscard]] Dispatch choose_isa() noexcept {
  Dispatch chosen{Isa::scalar, kernels_of(Isa::scalar), {}};
  const char* forced = std::getenv("STRIDED_FORCE_ISA");
  bool known = forced == nullptr || *forced == '\0';
  const bool free = known;
  for (const Isa isa : kAllIsas) {
    if (!free && std::strcmp(forced, to_string(isa)) != 0) continue;
    known = true;
    const kernels::KernelSet* kernels = kernels_of(isa);
    if (kernels != nullptr) {
      chosen.isa = isa;
      chosen.kernels = kernels;
    } else if (!free) {
      chosen.failure = Failure{ErrorCode::unsupported,
                               "STRIDED_FORCE_ISA asks for an instruction set that this machine "
                               "does not have; without it the best one is taken"};
    }
  }
  if (!known) {
    chosen.failure = Failure{ErrorCode::unsupported,
                             "STRIDED_FORCE_ISA is none of scalar, sse2, avx2, avx512, neon"};
  }
  return chosen;
}

template <class = void>
[[nodiscard]] const Dispatch& dispatch() noexcept {
  static const Dispatch chosen = choose_isa();
  return chosen;
}

}  // namespace engine

// The instruction set that copies run on: the best one of this processor, or what the environment
// variable STRIDED_FORCE_ISA names (scalar, sse2, avx2, avx512, neon). A name that is unknown, or
// that the machine lacks, makes every copy fail with ErrorCode::unsupported.
template <class = void>
[[nodiscard]] Isa active_isa() noexcept {
  return engine::dispatch().isa;
}

}  // namespace strided::inline STRIDED_ABI
