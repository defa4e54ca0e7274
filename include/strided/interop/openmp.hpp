// OpenMP's threads as an executor. Compile with -fopenmp.
#pragma once

#if !defined(_OPENMP)
#error "strided/interop/openmp.hpp: compile with OpenMP, as by -fopenmp"
#endif
#include <omp.h>

#include <algorithm>
#include <cstdint>

#include "strided/core/config.hpp"

namespace strided::inline STRIDED_ABI {

// Runs the parts of large copies on OpenMP's threads: so many, or as many as a parallel region gets
// (OMP_NUM_THREADS). Inside a parallel region, where OpenMP by default starts no other, the parts
// run on the thread that copies. Errors: none; OpenMP itself ends the process where the system has
// no more threads.
//
//   copy(image.permute({2, 0, 1}), planes, {.executor = OpenMPExecutor{}});
struct OpenMPExecutor {
  int threads = 0;  // 0: as many as OpenMP gives

  // `threads`, or as many as OpenMP gives; 1 where a parallel region would have no other.
  [[nodiscard]] std::int64_t workers() const noexcept {
    if (omp_in_parallel() != 0 && omp_get_active_level() >= omp_get_max_active_levels()) return 1;
    return threads > 0 ? threads : omp_get_max_threads();
  }

  // Calls task(i) for every i of [0, tasks), which are cut into one run of them for each thread.
  template <class Task>
  void run(std::int64_t tasks, Task&& task) const noexcept {
    const int team = static_cast<int>(std::min<std::int64_t>(workers(), tasks));
    // The same parts to the same threads each time, so that they find them in their caches.
#pragma omp parallel for schedule(static) num_threads(team)
    for (std::int64_t i = 0; i < tasks; ++i) task(i);
  }
};

}  // namespace strided::inline STRIDED_ABI
