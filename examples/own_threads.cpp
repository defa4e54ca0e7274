// A large copy on the threads of the program itself: an executor is two functions, or three. Prints
//
//   4 threads: the same bits as one
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <strided/strided.hpp>
#include <thread>
#include <vector>

// Stands for the pool that a program has already: runs task(0) to task(tasks - 1), then returns.
struct Threads {
  int count;

  [[nodiscard]] int workers() const { return count; }
  // Optional. These threads are started for each run: less than this is done sooner by one.
  [[nodiscard]] static std::int64_t least_task_bytes() { return std::int64_t{2} << 20; }

  template <class Task>
  void run(std::int64_t tasks, const Task& task) const {
    std::atomic<std::int64_t> next = 0;
    std::vector<std::jthread> threads;
    for (int i = 0; i < count; ++i) {
      threads.emplace_back([&] {
        for (std::int64_t k = next++; k < tasks; k = next++) task(k);
      });
    }
  }  // joined here
};

int main() {
  std::vector<float> storage(3000 * 2000);
  std::iota(storage.begin(), storage.end(), 0.0F);
  const strided::StridedView<const float> rows(storage, {3000, 2000});

  std::vector<float> alone(storage.size());
  strided::copy(rows.permute({1, 0}), strided::StridedView<float>(alone, {2000, 3000}));

  std::vector<float> together(storage.size());
  const Threads threads{4};
  strided::copy(rows.permute({1, 0}), strided::StridedView<float>(together, {2000, 3000}),
                {.executor = threads});

  std::printf("%d threads: %s\n", threads.count,
              alone == together ? "the same bits as one" : "DIFFERENT");
}
