// oneTBB's threads as an executor. Link with tbb.
#pragma once

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <cstdint>

#include "strided/core/config.hpp"

namespace strided::inline STRIDED_ABI {

// Runs the parts of large copies in the task arena that the caller is in, which says how many
// threads there are. Errors: what oneTBB throws, upon which the copy stays on its thread.
//
//   tbb::task_arena(4).execute([&] { copy(src, dst, {.executor = TbbExecutor{}}); });
struct TbbExecutor {
  // The threads that the caller's arena has room for.
  [[nodiscard]] static std::int64_t workers() noexcept {
    return tbb::this_task_arena::max_concurrency();
  }
  // Its threads sleep until there is work, and take long to wake (bench/README.md).
  [[nodiscard]] static constexpr std::int64_t least_task_bytes() noexcept {
    return std::int64_t{1} << 20;
  }

  // Calls task(i) for every i of [0, tasks), each as a task of oneTBB.
  template <class Task>
  void run(std::int64_t tasks, Task&& task) const {
    // Of its own: one that the caller's tasks are cancelled with would leave the copy half done.
    tbb::task_group_context context(tbb::task_group_context::isolated);
    tbb::parallel_for(
        std::int64_t{0}, tasks, [&](std::int64_t i) { task(i); }, tbb::simple_partitioner(),
        context);
  }
};

}  // namespace strided::inline STRIDED_ABI
