// Other people's threads: the results are those of one thread, and the threads are used.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <numeric>
#include <vector>

#include "strided/strided.hpp"
#if STRIDED_TEST_OPENMP
#include "strided/interop/openmp.hpp"
#endif
#if STRIDED_TEST_TBB
#include "strided/interop/tbb.hpp"
#endif

// LLVM's OpenMP keeps what its threads have until the process ends: to the leak sanitizer, a leak.
// NOLINTNEXTLINE(bugprone-reserved-identifier): the sanitizer's name
extern "C" const char* __lsan_default_suppressions() {
  return "leak:libomp\n";
}

namespace strided_test {
namespace {

using strided::StridedView;

// Counts what another executor runs.
template <class E>
struct Counted {
  E executor;
  std::atomic<std::int64_t> tasks = 0;

  [[nodiscard]] std::int64_t workers() const { return executor.workers(); }
  template <class Task>
  void run(std::int64_t count, Task&& task) {
    executor.run(count, [&](std::int64_t i) {
      ++tasks;
      task(i);
    });
  }
};

template <class E>
void expect_the_bits_of_one_thread(E executor) {
  constexpr std::int64_t kRows = 1500;
  constexpr std::int64_t kColumns = 1001;
  std::vector<std::uint32_t> src(static_cast<std::size_t>(kRows * kColumns));
  std::iota(src.begin(), src.end(), 1U);
  std::vector<std::uint32_t> alone(src.size());
  std::vector<std::uint32_t> dst(src.size());
  const auto turned = StridedView<const std::uint32_t>(src, {kRows, kColumns}).permute({1, 0});
  strided::copy(turned, StridedView<std::uint32_t>(alone, {kColumns, kRows}));
  Counted<E> counted{executor};
  strided::copy(turned, StridedView<std::uint32_t>(dst, {kColumns, kRows}), {.executor = counted});
  EXPECT_TRUE(dst == alone);
  if (executor.workers() > 1) {
    EXPECT_GT(counted.tasks.load(), 1);
  }
}

TEST(Executors, SerialRunsEverything) {
  std::vector<std::int64_t> seen;
  strided::SerialExecutor{}.run(4, [&](std::int64_t i) { seen.push_back(i); });
  EXPECT_EQ(seen, (std::vector<std::int64_t>{0, 1, 2, 3}));
  EXPECT_EQ(strided::ExecutorRef().workers(), 1);
  EXPECT_FALSE(strided::ExecutorRef());
}

#if STRIDED_TEST_OPENMP
TEST(Executors, OpenMP) {
  expect_the_bits_of_one_thread(strided::OpenMPExecutor{});
  for (const int threads : {1, 2, 3, 4, 7, 16}) {
    EXPECT_EQ(strided::OpenMPExecutor{threads}.workers(), threads);
    expect_the_bits_of_one_thread(strided::OpenMPExecutor{threads});
  }
}

TEST(Executors, OpenMPInsideAParallelRegionStaysThere) {
  std::atomic<std::int64_t> workers = 0;
#pragma omp parallel num_threads(2)
  { workers = strided::OpenMPExecutor{4}.workers(); }
  EXPECT_EQ(workers.load(), 1);
}
#endif

#if STRIDED_TEST_TBB
TEST(Executors, Tbb) {
  expect_the_bits_of_one_thread(strided::TbbExecutor{});
  for (const int threads : {1, 2, 3, 4, 7, 16}) {
    tbb::task_arena(threads).execute([&] {
      EXPECT_EQ(strided::TbbExecutor::workers(), threads);
      expect_the_bits_of_one_thread(strided::TbbExecutor{});
    });
  }
}

TEST(Executors, TbbCopiesInACancelledGroup) {
  std::vector<int> src(400000, 3);
  std::vector<int> dst(400000);
  tbb::task_group group;
  group.run([&] {
    group.cancel();
    strided::copy(StridedView<int>(src, {400000}), StridedView<int>(dst, {400000}),
                  {.executor = strided::TbbExecutor{}});
  });
  group.wait();
  EXPECT_EQ(dst, src);
}
#endif

}  // namespace
}  // namespace strided_test
