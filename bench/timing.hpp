// Timing things against each other: in turn, batch by batch, in one process.
#pragma once

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bench {

// Processor time of this process: it does not run while others have the processor, and a peer that
// starts threads pays for all of them.
[[nodiscard]] inline double processor_seconds() {
  std::timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Time as people wait for it: what several threads are measured by, which needs an idle machine.
[[nodiscard]] inline double wall_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// A piece of work: does it `count` times and returns the seconds that took.
using Timed = std::function<double(std::int64_t count)>;

// The loop is part of what is returned: a call through std::function would count in small copies.
template <double (*Clock)() = processor_seconds, class Work>
[[nodiscard]] Timed timed(Work work) {
  return [work = std::move(work)](std::int64_t count) mutable {
    const double start = Clock();
    for (std::int64_t i = 0; i < count; ++i) {
      work();
      benchmark::ClobberMemory();
    }
    return Clock() - start;
  };
}

// What a batch must last so that reading the clock does not matter.
inline constexpr double kBatchSeconds = 100e-6;

// Up to this many bytes, a repeated copy may find its data in a cache.
inline constexpr std::int64_t kCachedBytes = std::int64_t{64} << 20;

struct Effort {
  double seconds = 0.5;  // for one benchmark, all that it compares with included
  int least_rounds = 5;
  int most_rounds = 301;
};

// Runs all works in turn, round after round, and returns the median seconds of one run of each.
// Where the data fit a cache, every batch follows an untimed run of the same work, or it would
// pay for what the work before it has evicted.
[[nodiscard]] inline std::vector<double> median_seconds(const std::vector<Timed>& works,
                                                        const Effort& effort,
                                                        std::int64_t touched_bytes) {
  std::vector<std::int64_t> batches;
  for (const Timed& work : works) {
    work(1);
    std::int64_t batch = 1;
    while (work(batch) < kBatchSeconds) batch *= 2;
    batches.push_back(batch);
  }

  std::vector<std::vector<double>> samples(works.size());
  const auto start = std::chrono::steady_clock::now();
  for (int round = 0; round < effort.most_rounds; ++round) {
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
    if (round >= effort.least_rounds && spent.count() > effort.seconds) break;
    for (std::size_t i = 0; i < works.size(); ++i) {
      if (touched_bytes <= kCachedBytes) works[i](4);
      samples[i].push_back(works[i](batches[i]) / static_cast<double>(batches[i]));
    }
  }

  std::vector<double> medians;
  for (std::vector<double>& times : samples) {
    const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
    std::nth_element(times.begin(), middle, times.end());
    medians.push_back(*middle);
  }
  return medians;
}

// Takes --seconds=<number> out of the arguments; the rest is for Google Benchmark.
inline Effort take_effort(int* argc, char** argv) {
  constexpr std::string_view kFlag = "--seconds=";
  Effort effort;
  int kept = 1;
  for (int i = 1; i < *argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument.substr(0, kFlag.size()) == kFlag) {
      effort.seconds = std::stod(std::string(argument.substr(kFlag.size())));
    } else {
      argv[kept++] = argv[i];
    }
  }
  *argc = kept;
  return effort;
}

// Google Benchmark sees one iteration whose manual time is the median, so that its columns and
// its JSON show medians, and bytes per second of the median run.
inline void report_median(benchmark::State& state, double seconds, std::int64_t payload_bytes) {
  for ([[maybe_unused]] auto iteration : state) state.SetIterationTime(seconds);
  state.SetBytesProcessed(payload_bytes);
}

// Registers `run` the way report_median needs it.
template <class Run>
void register_median(const std::string& name, Run run) {
  benchmark::RegisterBenchmark(name.c_str(), std::move(run))
      ->Iterations(1)
      ->UseManualTime()
      ->Unit(benchmark::kMicrosecond);
}

}  // namespace bench
