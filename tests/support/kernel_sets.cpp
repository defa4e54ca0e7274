#include "support/kernel_sets.hpp"

#include "strided/engine/dispatch.hpp"
#include "support/wide_kernels.hpp"

namespace strided_test {

std::vector<const strided::kernels::KernelSet*> all_kernel_sets() {
  std::vector<const strided::kernels::KernelSet*> sets;
  for (const strided::Isa isa : strided::kAllIsas) {
    if (const auto* set = strided::engine::kernels_of(isa)) sets.push_back(set);
  }
#if STRIDED_HAS_X86_VECTORS
  if (__builtin_cpu_supports("avx2")) sets.push_back(&strided::kernels::wide::kernel_set());
#endif
  return sets;
}

}  // namespace strided_test
