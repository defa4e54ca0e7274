// How much stack a copy takes: measured on a thread whose stack is painted before.
#if __has_include(<pthread.h>) && __has_include(<sys/mman.h>)
#include <gtest/gtest.h>
#include <pthread.h>

#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <utility>
#include <vector>

#include "strided/strided.hpp"
#include "support/guarded.hpp"

namespace strided_test {
namespace {

using strided::Layout;
using strided::StridedView;

constexpr std::size_t kStackBytes = std::size_t{1} << 20;
constexpr int kPaint = 0xa5;

// The bytes of the stack of a thread that `work` wrote to.
std::size_t stack_of(const std::function<void()>& work) {
  const Guarded stack(kStackBytes);
  std::memset(stack.begin(), kPaint, stack.size());
  pthread_attr_t attributes;
  pthread_t thread{};
  pthread_attr_init(&attributes);
  EXPECT_EQ(pthread_attr_setstack(&attributes, stack.begin(), stack.size()), 0);
  const auto run = [](void* what) -> void* {
    (*static_cast<const std::function<void()>*>(what))();
    return nullptr;
  };
  EXPECT_EQ(pthread_create(&thread, &attributes, run, const_cast<std::function<void()>*>(&work)),
            0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
  const auto* const touched = std::find_if(
      stack.begin(), stack.end(), [](std::byte b) { return b != static_cast<std::byte>(kPaint); });
  return static_cast<std::size_t>(stack.end() - touched);
}

// Turned squares and images of all kinds that buffer most: on one place of the caches, past them,
// rows that lie differently to the lines.
std::vector<std::pair<Layout, Layout>> hungry_copies() {
  std::vector<std::pair<Layout, Layout>> copies;
  for (const std::int64_t n : {64, 1000, 1024}) {
    for (const std::int64_t m : {64, 1000, 1024, 1025}) {
      copies.emplace_back(Layout({n, m}, {1, n}), Layout({n, m}));
      copies.emplace_back(Layout({n, m}, {1, n}), Layout({n, m}, {m + 3, 1}));
      copies.emplace_back(Layout({n, m}), Layout({n, m}, {1, n}));
    }
  }
  copies.emplace_back(Layout({16, 100, 100}, {100, 1600, 1}), Layout({16, 100, 100}));
  copies.emplace_back(Layout({24, 24, 24, 24}, {1, 24, 576, 13824}), Layout({24, 24, 24, 24}));
  copies.emplace_back(Layout({3, 300, 1000}, {1, 3000, 3}), Layout({3, 300, 1000}));
  return copies;
}

// Other builds, and those with sanitizers, keep what a function holds far apart.
#if defined(NDEBUG) && defined(__OPTIMIZE__)
constexpr bool kIsMeasured = true;
#else
constexpr bool kIsMeasured = false;
#endif

TEST(Stack, KernelsTakeAtMost112KiB) {
  if (!kIsMeasured) GTEST_SKIP() << "the stack of release builds is what is promised";
  constexpr std::size_t kMost = std::size_t{112} << 10;
  constexpr std::int64_t kWidest = 16;
  const auto copies = hungry_copies();
  std::int64_t elements = 0;
  for (const auto& [src, dst] : copies) {
    elements = std::max({elements, src.bounds().highest + 1, dst.bounds().highest + 1});
  }
  std::vector<std::byte> source(static_cast<std::size_t>(elements * kWidest));
  std::vector<std::byte> target(source.size());
  const std::size_t nothing = stack_of([] {});
  for (const strided::Isa isa : strided::kAllIsas) {
    const strided::kernels::KernelSet* const set = strided::engine::kernels_of(isa);
    if (set == nullptr) continue;
    std::size_t most = 0;
    for (const auto& [src, dst] : copies) {
      for (std::int64_t width = 1; width <= kWidest; width *= 2) {
        const auto nest = strided::engine::normalize(src, dst, width);
        strided::engine::Plan plan = strided::engine::make_plan(nest.value(), *set);
        for (const bool streaming : {false, true}) {  // as past the caches
          plan.block.streaming = streaming;
          most = std::max(most, stack_of([&, &from = source, &to = target] {
                            strided::engine::execute(plan, from.data(), to.data());
                          }));
        }
      }
    }
    EXPECT_LE(most - nothing, kMost) << set->name;
    std::printf("%s: %zu copies take at most %zu bytes of stack\n", set->name, 10 * copies.size(),
                most - nothing);
  }
}

// Runs tasks one after the other on the caller's stack.
struct OneByOne {
  [[nodiscard]] static int workers() { return 2; }
  [[nodiscard]] static std::int64_t least_task_bytes() { return 4096; }
  template <class Task>
  static void run(std::int64_t tasks, const Task& task) {
    for (std::int64_t i = 0; i < tasks; ++i) task(i);
  }
};

template <class T>
std::size_t most_of_calls() {
  std::size_t most = 0;
  for (const auto& [from, to] : hungry_copies()) {
    const auto elements_of = [](const Layout& layout) {
      return static_cast<std::size_t>(layout.bounds().highest + 1);
    };
    std::vector<T> source(std::max(elements_of(from), elements_of(to)));
    std::vector<T> target(source.size());
    const StridedView<const T> src(source, from);
    const StridedView<T> dst(target, to);
    const StridedView<T> itself(source, to);  // by way of a temporary
    const OneByOne executor;
    most = std::max({most, stack_of([&] { strided::copy(src, dst); }),
                     stack_of([&] { strided::copy(src, dst, {.executor = executor}); }),
                     stack_of([&] { strided::copy(src, itself, {.executor = executor}); })});
  }
  return most;
}

// All that the caller sees: checks, the plan, the parts, and what the kernel takes.
TEST(Stack, CallsTakeAtMost144KiB) {
  if (!kIsMeasured) GTEST_SKIP() << "the stack of release builds is what is promised";
  constexpr std::size_t kMost = std::size_t{144} << 10;
  const std::size_t nothing = stack_of([] {});
  const std::size_t most = std::max({most_of_calls<std::uint8_t>(), most_of_calls<std::uint16_t>(),
                                     most_of_calls<std::uint32_t>(), most_of_calls<std::uint64_t>(),
                                     most_of_calls<std::complex<double>>()}) -
                           nothing;
  EXPECT_LE(most, kMost);
  std::printf("%zu copies, by an executor, onto themselves: at most %zu bytes of stack\n",
              5 * hungry_copies().size(), most);
}

}  // namespace
}  // namespace strided_test
#endif
