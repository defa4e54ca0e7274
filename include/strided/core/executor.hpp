// Executors: what runs the parts of a large copy, on whatever threads the caller has.
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <type_traits>

#include "strided/core/config.hpp"

namespace strided::inline STRIDED_ABI {

// Anything with two members: `workers()`, how many tasks may run at the same time, and
// `run(tasks, task)`, which calls task(i) once for every i of [0, tasks), on any threads and in any
// order, and returns when all of these calls have. It may throw, once none of them runs any more:
// what was to be done is then done on the calling thread. The library starts no thread of its own.
//
// A third member is optional: `least_task_bytes()`, how many bytes a task has to move before it is
// worth waking a thread; 512 KiB where there is none, which suits threads that wait awake, as
// OpenMP's. A copy of less than two such tasks stays on the calling thread.
//
//   struct Pool { int workers() const; template <class F> void run(std::int64_t tasks, F&& task);
//   };
template <class E>
concept Executor = requires(E& executor, void (&task)(std::int64_t)) {
  { executor.workers() } -> std::convertible_to<std::int64_t>;
  executor.run(std::int64_t{1}, task);
};

// One after the other, on the calling thread.
struct SerialExecutor {
  // One worker: task(0), task(1) and so on up to task(tasks - 1).
  [[nodiscard]] constexpr std::int64_t workers() const noexcept { return 1; }
  template <class Task>
  constexpr void run(std::int64_t tasks, Task&& task) const {
    for (std::int64_t i = 0; i < tasks; ++i) task(i);
  }
};

// Refers to an executor of any type, which has to outlive it, or to none. As an option of a call it
// is made from the executor itself: copy(src, dst, {.executor = pool}). One that is made in the
// call lives as long as the call; options that are kept need an executor that is kept.
class ExecutorRef {
 public:
  constexpr ExecutorRef() noexcept = default;  // none: the call stays on its thread

  // Refers to `executor`, of which no copy is made.
  template <class E>
    requires(!std::same_as<std::remove_cvref_t<E>, ExecutorRef> &&
             Executor<std::remove_reference_t<E>>)
  // NOLINTNEXTLINE(google-explicit-constructor, bugprone-forwarding-reference-overload)
  constexpr ExecutorRef(E&& executor) noexcept
      : executor_(const_cast<void*>(static_cast<const void*>(std::addressof(executor)))),
        workers_([](void* self) -> std::int64_t { return typed<E>(self).workers(); }),
        least_task_bytes_([](void* self) -> std::int64_t {
          if constexpr (requires { typed<E>(self).least_task_bytes(); }) {
            return typed<E>(self).least_task_bytes();
          } else {
            return kLeastTaskBytes;
          }
        }),
        run_([](void* self, std::int64_t tasks, Call call, const void* task) {
          typed<E>(self).run(tasks, [call, task](std::int64_t i) noexcept { call(task, i); });
        }) {}

  // Anything else, to say so in one sentence.
  template <class E>
    requires(!std::same_as<std::remove_cvref_t<E>, ExecutorRef> &&
             !Executor<std::remove_reference_t<E>>)
  // NOLINTNEXTLINE(google-explicit-constructor, bugprone-forwarding-reference-overload)
  constexpr ExecutorRef(E&&) noexcept {
    static_assert(Executor<std::remove_reference_t<E>>,
                  "strided: an executor has workers(), which returns a number, and "
                  "run(tasks, task), which calls task(i) for every i of [0, tasks) and waits");
  }

  // Whether there is an executor.
  [[nodiscard]] constexpr explicit operator bool() const noexcept { return executor_ != nullptr; }

  // 1 where there is none, or where one says that it has less.
  [[nodiscard]] std::int64_t workers() const {
    const std::int64_t count = executor_ == nullptr ? 1 : workers_(executor_);
    return count < 1 ? 1 : count;
  }

  // The bytes that a task has to move to be worth a thread; there has to be an executor.
  [[nodiscard]] std::int64_t least_task_bytes() const {
    const std::int64_t bytes = least_task_bytes_(executor_);
    return bytes < 1 ? 1 : bytes;
  }

  // As the executor does it; there has to be one.
  template <class Task>
  void run(std::int64_t tasks, const Task& task) const {
    run_(
        executor_, tasks,
        [](const void* held, std::int64_t i) noexcept { (*static_cast<const Task*>(held))(i); },
        std::addressof(task));
  }

 private:
  // A task of less is done before another thread has noticed that there is one.
  static constexpr std::int64_t kLeastTaskBytes = std::int64_t{512} << 10;

  using Call = void (*)(const void* task, std::int64_t index) noexcept;

  template <class E>
  [[nodiscard]] static std::remove_reference_t<E>& typed(void* self) noexcept {
    return *static_cast<std::remove_reference_t<E>*>(self);
  }

  void* executor_ = nullptr;
  std::int64_t (*workers_)(void*) = nullptr;
  std::int64_t (*least_task_bytes_)(void*) = nullptr;
  void (*run_)(void*, std::int64_t, Call, const void*) = nullptr;
};

}  // namespace strided::inline STRIDED_ABI
