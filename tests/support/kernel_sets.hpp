// Every set of kernels that this machine can run.
#pragma once

#include <vector>

#include "strided/engine/kernels/kernel.hpp"

namespace strided_test {

std::vector<const strided::kernels::KernelSet*> all_kernel_sets();

}  // namespace strided_test
