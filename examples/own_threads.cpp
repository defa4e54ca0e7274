// A large copy on the threads of the program itself: an executor is two functions. Prints
//
//   4 threads: the same bits as one
#include <cstdint>
#include <cstdio>
#include <functional>
#include <future>
#include <numeric>
#include <strided/strided.hpp>
#include <vector>

// Stands for the pool that a program has already: runs task(0) to task(tasks - 1), then returns.
struct Threads {
  int count;
  [[nodiscard]] int workers() const { return count; }
  template <class Task>
  void run(std::int64_t tasks, const Task& task) const {
    std::vector<std::future<void>> running;  // each is waited for, whatever happens
    for (std::int64_t i = 0; i < tasks; ++i) {
      running.push_back(std::async(std::launch::async, std::cref(task), i));
    }
  }
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
