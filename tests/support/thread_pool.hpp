// Executors as callers may have them.
#pragma once

#include <atomic>
#include <cstdint>
#include <system_error>
#include <thread>
#include <vector>

namespace strided_test {

// So many threads for each run, which take the next task until there is none.
class Threads {
 public:
  explicit Threads(int workers) : workers_(workers) {}

  [[nodiscard]] int workers() const { return workers_; }
  // Less than is worth it, so that copies of a test need not be large.
  [[nodiscard]] static std::int64_t least_task_bytes() { return std::int64_t{1} << 18; }

  template <class Task>
  void run(std::int64_t tasks, Task&& task) {
    std::atomic<std::int64_t> next = 0;
    std::vector<std::thread> threads;  // not std::jthread, which libc++ 19 does not have yet
    for (int i = 0; i < workers_; ++i) {
      threads.emplace_back([&] {
        for (std::int64_t k = next++; k < tasks; k = next++) task(k);
      });
    }
    for (std::thread& thread : threads) thread.join();
    tasks_ += tasks;
  }

  [[nodiscard]] std::int64_t tasks() const { return tasks_; }

 private:
  int workers_;
  std::int64_t tasks_ = 0;
};

// The system has no thread left after some of the tasks.
struct NoThreads {
  std::int64_t tasks_before = 0;

  [[nodiscard]] static int workers() { return 8; }
  template <class Task>
  void run(std::int64_t tasks, Task&& task) const {
    for (std::int64_t i = 0; i < tasks && i < tasks_before; ++i) task(i);
    throw std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again));
  }
};

}  // namespace strided_test
