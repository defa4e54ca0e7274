// Copies on several threads against one: over sizes, with the executors that are installed. Time is
// wall time, in turn, so that nothing else may run.
//
//   bench_threads --benchmark_filter='^threads/transposed/'
#include <benchmark/benchmark.h>

#include <cstdint>
#include <cstring>
#include <strided/interop/openmp.hpp>
#include <strided/strided.hpp>
#include <string>
#include <vector>

#if STRIDED_BENCH_HAS_TBB
#include <strided/interop/tbb.hpp>
#endif

#include "layouts.hpp"
#include "main.hpp"
#include "timing.hpp"

namespace bench {
namespace {

using strided::CopyPlan;
using strided::ExecutorRef;

// By the same executor: threads of another that still wait for work would be in its way.
void memcpy_on_all(const std::byte* from, std::byte* to, std::int64_t bytes,
                   const ExecutorRef& executor) {
  const std::int64_t parts = executor.workers();
  executor.run(parts, [=](std::int64_t i) {
    const std::int64_t begin = bytes / parts * i;
    const std::int64_t end = i + 1 == parts ? bytes : bytes / parts * (i + 1);
    std::memcpy(to + begin, from + begin, static_cast<std::size_t>(end - begin));
  });
}

// x_one: how many times faster than the same copy on one thread. x_memcpy: its time as a multiple
// of what a memcpy of the same bytes takes on all threads.
void register_threads(const Kind& kind, std::int64_t bytes, const char* name,
                      const ExecutorRef& executor, const Effort& effort) {
  const std::string title =
      std::string("threads/") + kind.name + "/" + std::to_string(bytes) + "/" + name;
  register_median(title, [=](benchmark::State& state) {
    Buffers& memory = buffers(bytes);
    const std::byte* from = memory.src.data();
    std::byte* to = memory.dst.data();
    const Layout src = kind.source(bytes / kFloatBytes);
    const CopyPlan plan(src, Layout(src.shape()), kFloatBytes);
    const std::int64_t payload = plan.total_bytes();
    const std::vector<double> seconds =
        median_seconds({timed<wall_seconds>([=] { plan(from, to); }),
                        timed<wall_seconds>([=] { plan(from, to, {.executor = executor}); }),
                        timed<wall_seconds>([=] { memcpy_on_all(from, to, payload, executor); })},
                       effort, 2 * bytes);
    report_median(state, seconds[1], payload);
    state.counters["x_one"] = seconds[0] / seconds[1];
    state.counters["x_memcpy"] = seconds[1] / seconds[2];
  });
}

void register_all(const Effort& effort) {
  static const strided::OpenMPExecutor openmp;
#if STRIDED_BENCH_HAS_TBB
  static const strided::TbbExecutor tbb;
#endif
  for (const Kind& kind : kKinds) {
    for (std::int64_t bytes = 64 << 10; bytes <= 256 << 20; bytes *= 2) {
      register_threads(kind, bytes, "OpenMP", openmp, effort);
#if STRIDED_BENCH_HAS_TBB
      register_threads(kind, bytes, "TBB", tbb, effort);
#endif
    }
  }
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  return bench::run(argc, argv, [](const bench::Effort& effort) {
    benchmark::AddCustomContext("threads", std::to_string(omp_get_max_threads()));
    bench::register_all(effort);
  });
}
