// Sweeps: over sizes, over transposes next to powers of two, over small copies, over plan-making.
//
//   bench_sweeps --benchmark_filter='^transpose/4B/'
#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <strided/strided.hpp>
#include <string>
#include <vector>

#include "layouts.hpp"
#include "main.hpp"
#include "peers/memcpy.hpp"
#include "timing.hpp"

namespace bench {
namespace {

using strided::CopyPlan;
using strided::StridedView;

Timed planned(const Layout& src, const Layout& dst, std::size_t width, Buffers& memory) {
  return timed([plan = CopyPlan(src, dst, width), from = memory.src.data(),
                to = memory.dst.data()] { plan(from, to); });
}

// --- Sizes from 1 KiB to 1 GiB of floats -------------------------------------------------------

void register_sizes(const Effort& effort) {
  for (const Kind& kind : kKinds) {
    for (std::int64_t bytes = 1 << 10; bytes <= 1 << 30; bytes *= 2) {
      const std::string name = std::string("size/") + kind.name + "/" + std::to_string(bytes);
      register_median(name, [=](benchmark::State& state) {
        Buffers& memory = buffers(bytes);
        const Layout src = kind.source(bytes / kFloatBytes);
        const std::vector<double> seconds = median_seconds(
            {memcpy_of(memory.src.data(), memory.dst.data(), static_cast<std::size_t>(bytes)),
             planned(src, Layout(src.shape()), kFloatBytes, memory)},
            effort, 2 * bytes);
        report_median(state, seconds[1], bytes);
        state.counters["x_memcpy"] = seconds[1] / seconds[0];
      });
    }
  }
}

// --- Transposes of n x n -----------------------------------------------------------------------

std::vector<std::int64_t> transpose_sizes() {
  std::set<std::int64_t> sizes;
  for (std::int64_t n = 1000; n <= 4200; n += 200) sizes.insert(n);
  for (const std::int64_t power : {1024, 2048, 4096}) {
    for (const std::int64_t distance : {0, 1, 8, 64}) {
      sizes.insert(power - distance);
      sizes.insert(power + distance);
    }
  }
  return {sizes.begin(), sizes.end()};
}

// Each size in turn with its neighbours. x_neighbours is its time per byte as a multiple of the
// fastest neighbour's: a cliff is a size where it is large.
void register_transpose(std::int64_t n, std::size_t width, const Effort& effort) {
  const std::string name = "transpose/" + std::to_string(width) + "B/" + std::to_string(n);
  register_median(name, [=](benchmark::State& state) {
    constexpr std::array<std::int64_t, 5> kDistances = {0, -8, -1, 1, 8};
    const auto bytes = [=](std::int64_t size) {
      return size * size * static_cast<std::int64_t>(width);
    };
    const std::int64_t most_bytes = bytes(n + kDistances.back());
    Buffers& memory = buffers(most_bytes);
    std::vector<Timed> works;
    for (const std::int64_t distance : kDistances) {
      const Layout square({n + distance, n + distance});
      works.push_back(planned(permuted(square, {1, 0}), square, width, memory));
    }
    std::vector<double> seconds = median_seconds(works, effort, 2 * most_bytes);
    report_median(state, seconds[0], bytes(n));
    for (std::size_t i = 0; i < kDistances.size(); ++i) {
      seconds[i] /= static_cast<double>(bytes(n + kDistances[i]));  // from here on: per byte
    }
    state.counters["ns_per_byte"] = seconds[0] * 1e9;
    state.counters["x_neighbours"] =
        seconds[0] / *std::min_element(seconds.begin() + 1, seconds.end());
  });
}

void register_transposes(const Effort& effort) {
  for (const std::size_t width : {1U, 2U, 4U, 8U}) {
    for (const std::int64_t n : transpose_sizes()) register_transpose(n, width, effort);
  }
}

// --- Small copies ------------------------------------------------------------------------------

// A plan that is kept, and copy() of two views, which makes one each time.
void register_small(const std::string& name, const Layout& src, const Layout& dst) {
  struct Storage {
    std::array<float, 256> src{};
    std::array<float, 256> dst{};
  };
  benchmark::RegisterBenchmark(("small/" + name + "/kept").c_str(), [=](benchmark::State& state) {
    Storage storage;
    const CopyPlan plan(src, dst, sizeof(float));
    for ([[maybe_unused]] auto iteration : state) {
      plan(storage.src.data(), storage.dst.data());
      benchmark::ClobberMemory();
    }
  });
  benchmark::RegisterBenchmark(
      ("small/" + name + "/unplanned").c_str(), [=](benchmark::State& state) {
        Storage storage;
        const StridedView<const float> from(storage.src, src.shape(), src.strides(), src.offset());
        const StridedView<float> to(storage.dst, dst.shape(), dst.strides(), dst.offset());
        for ([[maybe_unused]] auto iteration : state) {
          strided::copy(from, to);
          benchmark::ClobberMemory();
        }
      });
}

void register_small_copies() {
  for (std::int64_t count = 1; count <= 64; ++count) {
    const Layout dst(Dims{count});
    register_small("contiguous/" + std::to_string(count), dst, dst);
    register_small("step_2/" + std::to_string(count), Layout({count}, {2}), dst);
  }
  for (const std::int64_t n : {2, 3, 4, 8}) {
    const Layout square({n, n});
    register_small("turned/" + std::to_string(n) + "x" + std::to_string(n),
                   permuted(square, {1, 0}), square);
  }
}

// --- Making plans ------------------------------------------------------------------------------

// All axes reversed: nothing merges, so that every loop is sorted, classified and kept.
void register_plan_making() {
  for (std::int64_t rank = 1; rank <= 6; ++rank) {
    benchmark::RegisterBenchmark(
        ("plan/rank/" + std::to_string(rank)).c_str(), [rank](benchmark::State& state) {
          const Layout dst(Dims::filled(static_cast<std::size_t>(rank), 8));
          Dims axes;
          for (std::int64_t axis = rank; axis-- > 0;) axes.push_back(axis);
          Layout src = permuted(dst, axes);
          benchmark::DoNotOptimize(src);
          for ([[maybe_unused]] auto iteration : state) {
            const CopyPlan plan(src, dst, sizeof(float));
            benchmark::DoNotOptimize(&plan);
            benchmark::ClobberMemory();
          }
        });
  }
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  return bench::run(argc, argv, [](const bench::Effort& effort) {
    bench::register_sizes(effort);
    bench::register_transposes(effort);
    bench::register_small_copies();
    bench::register_plan_making();
  });
}
