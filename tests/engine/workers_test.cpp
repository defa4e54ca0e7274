// Whoever runs the parts of a copy, and however many of them: the bits are those of one thread.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "strided/strided.hpp"
#include "support/thread_pool.hpp"

namespace strided_test {
namespace {

using strided::Layout;
using strided::StridedView;

struct Large {
  const char* name;
  Layout src;
  Layout dst;
};

// Several MiB each, so that they are cut.
std::vector<Large> large_copies() {
  return {{"dense", Layout({1200000}), Layout({1200000})},
          {"transpose", Layout({1100, 900}, {1, 1100}), Layout({1100, 900})},
          {"planes", Layout({3, 700, 640}, {1, 1920, 3}), Layout({3, 700, 640})},
          {"odd planes", Layout({3, 448001}, {1, 3}), Layout({3, 448001})},
          {"odd axes", Layout({107, 109, 111}, {1, 107, 107 * 109}), Layout({107, 109, 111})},
          {"pixels", Layout({700, 600, 3}, {600, 1, 420000}), Layout({700, 600, 3})},
          {"gaps", Layout({900, 1000}), Layout({900, 1000}, {1003, 1}, 5)},
          {"steps", Layout({900, 1000}), Layout({900, 1000}, {3000, 3})},
          {"backwards", Layout({900000}, {-1}, 899999), Layout({900000})},
          {"both backwards", Layout({900, 1000}), Layout({900, 1000}, {-1000, -1}, 899999)},
          {"one element", Layout({900000}, {0}), Layout({900000})},
          {"heads", Layout({16, 800, 64}, {64, 1024, 1}), Layout({16, 800, 64})},
          {"permuted", Layout({20, 30, 40, 50}, {1200, 1, 30, 24000}), Layout({20, 30, 40, 50})}};
}

std::size_t storage_of(const Layout& layout) {
  return static_cast<std::size_t>(layout.bounds().highest + 1);
}

template <class T>
void copy_with_every_number_of_workers(const Large& large, std::int64_t& tasks) {
  std::vector<T> src(storage_of(large.src));
  for (std::size_t i = 0; i < src.size(); ++i) src[i] = static_cast<T>(i * 2654435761U >> 7);
  std::vector<T> alone(storage_of(large.dst), T{7});
  const StridedView<const T> from(src, large.src);
  strided::copy(from, StridedView<T>(alone, large.dst));
  for (const int workers : {1, 2, 3, 4, 7, 16}) {
    Threads threads(workers);
    std::vector<T> dst(alone.size(), T{7});
    strided::copy(from, StridedView<T>(dst, large.dst), {.executor = threads});
    EXPECT_TRUE(dst == alone) << large.name << ", " << sizeof(T) << " bytes, " << workers;
    EXPECT_EQ(threads.tasks() > 0, workers > 1) << large.name;
    tasks += threads.tasks();
  }
}

TEST(Workers, AnyNumberGivesTheSameBits) {
  std::int64_t tasks = 0;
  for (const Large& large : large_copies()) {
    copy_with_every_number_of_workers<std::uint8_t>(large, tasks);
    copy_with_every_number_of_workers<std::uint32_t>(large, tasks);
  }
  std::printf("%zu copies of two widths by 1, 2, 3, 4, 7 and 16 workers, %lld tasks\n",
              large_copies().size(), static_cast<long long>(tasks));
}

TEST(Workers, FillAsOneThreadDoes) {
  for (const Large& large : large_copies()) {
    std::vector<std::uint32_t> alone(storage_of(large.dst), 7);
    strided::fill(StridedView<std::uint32_t>(alone, large.dst), 0x01020304);
    Threads threads(3);
    std::vector<std::uint32_t> dst(alone.size(), 7);
    strided::fill(StridedView<std::uint32_t>(dst, large.dst), 0x01020304, {.executor = threads});
    EXPECT_TRUE(dst == alone) << large.name;
    EXPECT_GT(threads.tasks(), 0) << large.name;
  }
  // Elements that are written more than once are written by one thread.
  std::vector<std::uint32_t> rows(1000000);
  Threads threads(3);
  strided::fill(StridedView<std::uint32_t>(rows, {999, 1500}, {1000, 1}), 5,
                {.allow_internal_overlap = true, .executor = threads});
  EXPECT_EQ(threads.tasks(), 0);
  EXPECT_EQ(std::count(rows.begin(), rows.end(), 5U), 999500);
}

TEST(Workers, OverlappingCopiesAreAsIfReadFirst) {
  constexpr std::int64_t kSide = 1100;
  std::vector<std::uint32_t> storage(static_cast<std::size_t>(kSide * kSide));
  for (std::size_t i = 0; i < storage.size(); ++i) storage[i] = static_cast<std::uint32_t>(i);
  std::vector<std::uint32_t> expected = storage;
  const auto transpose = [](std::vector<std::uint32_t>& held, const strided::CopyOptions& options) {
    const StridedView<std::uint32_t> view(held, {kSide, kSide});
    strided::copy(view.permute({1, 0}), view, options);
  };
  transpose(expected, {});
  Threads threads(3);
  transpose(storage, {.executor = threads});
  EXPECT_TRUE(storage == expected);
  EXPECT_GT(threads.tasks(), 0);
}

TEST(Workers, SmallCopiesStayOnTheirThread) {
  std::vector<int> src(1000, 1);
  std::vector<int> dst(1000);
  Threads threads(4);
  strided::copy(StridedView<int>(src, {1000}), StridedView<int>(dst, {1000}),
                {.executor = threads});
  EXPECT_EQ(dst, src);
  EXPECT_EQ(threads.tasks(), 0);
}

// An executor may say how large a task has to be.
TEST(Workers, SmallTasksAreNotMade) {
  struct Slow : Threads {
    using Threads::Threads;
    [[nodiscard]] static std::int64_t least_task_bytes() { return 1000000; }
  };
  std::vector<char> src(2500000, 'x');
  for (const std::int64_t count : {1999999, 2000000, 2500000}) {
    std::vector<char> dst(src.size());
    Slow threads(4);
    strided::copy(StridedView<char>(src, {count}), StridedView<char>(dst, {count}),
                  {.executor = threads});
    EXPECT_EQ(threads.tasks(), count < 2000000 ? 0 : 2);
    EXPECT_EQ(std::count(dst.begin(), dst.end(), 'x'), count);
  }
}

// One that says nothing has tasks of half a MiB.
struct Plain {
  [[nodiscard]] static int workers() { return 4; }
  template <class Task>
  void run(std::int64_t tasks, Task&& task) {
    for (std::int64_t i = 0; i < tasks; ++i) task(i);
    done += tasks;
  }
  std::int64_t done = 0;
};

TEST(Workers, CopiesOfAMebibyteAreCut) {
  constexpr std::int64_t kMebibyte = 1 << 20;
  const std::vector<char> src(2 * kMebibyte, 'x');
  std::vector<char> dst(2 * kMebibyte);
  for (const std::int64_t count : {kMebibyte - 1, kMebibyte, 2 * kMebibyte}) {
    Plain plain;
    strided::copy(StridedView<const char>(src, {count}), StridedView<char>(dst, {count}),
                  {.executor = plain});
    EXPECT_EQ(plain.done, count < kMebibyte ? 0 : count / (kMebibyte / 2)) << count;
  }
}

// Three tasks for two workers would be the time of two.
TEST(Workers, HaveAsManyTasksEach) {
  struct ByThousands : Plain {
    [[nodiscard]] static std::int64_t least_task_bytes() { return 1000; }
  };
  const std::vector<char> src(9000, 'x');
  std::vector<char> dst(src.size());
  static constexpr std::int64_t kTasksWorth[] = {0, 0, 2, 3, 4, 4, 4, 4, 8, 8};
  for (std::int64_t thousands = 0; thousands < 10; ++thousands) {
    ByThousands by_thousands;
    strided::copy(StridedView<const char>(src, {thousands * 1000}),
                  StridedView<char>(dst, {thousands * 1000}), {.executor = by_thousands});
    EXPECT_EQ(by_thousands.done, kTasksWorth[static_cast<std::size_t>(thousands)]) << thousands;
  }
}

// More workers than there can be tasks, and no size too small for them.
struct Boastful : Plain {
  [[nodiscard]] static std::int64_t workers() { return strided::kInt64Max; }
  [[nodiscard]] static std::int64_t least_task_bytes() { return -1; }
};

TEST(Workers, AnExecutorMaySayAnything) {
  std::vector<char> src(100000, 'x');
  std::vector<char> dst(src.size());
  Boastful boastful;
  strided::copy(StridedView<char>(src, {100000}), StridedView<char>(dst, {100000}),
                {.executor = boastful});
  EXPECT_EQ(dst, src);
  EXPECT_GT(boastful.done, 1);
}

TEST(Workers, ThreadsThatCannotStartLeaveTheCopyToTheCaller) {
  for (const Large& large : large_copies()) {
    std::vector<std::uint16_t> src(storage_of(large.src));
    for (std::size_t i = 0; i < src.size(); ++i) src[i] = static_cast<std::uint16_t>(i * 31);
    std::vector<std::uint16_t> alone(storage_of(large.dst), 7);
    const StridedView<const std::uint16_t> from(src, large.src);
    strided::copy(from, StridedView<std::uint16_t>(alone, large.dst));
    for (const std::int64_t before : {0, 1, 3}) {
      const NoThreads none{before};
      std::vector<std::uint16_t> dst(alone.size(), 7);
      strided::copy(from, StridedView<std::uint16_t>(dst, large.dst), {.executor = none});
      EXPECT_TRUE(dst == alone) << large.name << ", after " << before;
    }
  }
}

TEST(Workers, AnExecutorMayHaveNone) {
  std::vector<int> src(400000, 3);
  std::vector<int> dst(400000);
  Threads threads(0);
  strided::copy(StridedView<int>(src, {400000}), StridedView<int>(dst, {400000}),
                {.executor = threads});
  EXPECT_EQ(dst, src);
  strided::copy(StridedView<int>(src, {400000}), StridedView<int>(dst, {400000}),
                {.executor = strided::SerialExecutor{}});
  EXPECT_EQ(dst, src);
}

// As a group of tasks that was cancelled.
struct Cancelled {
  std::int64_t tasks_before = 0;

  [[nodiscard]] static int workers() { return 8; }
  template <class Task>
  void run(std::int64_t tasks, Task&& task) const {
    for (std::int64_t i = 0; i < tasks && i < tasks_before; ++i) task(i);
  }
};

TEST(Workers, TasksThatNeverRunAreDoneByTheCaller) {
  std::vector<int> src(400000, 3);
  for (const std::int64_t before : {0, 1}) {
    std::vector<int> dst(400000);
    const Cancelled cancelled{before};
    strided::copy(StridedView<int>(src, {400000}), StridedView<int>(dst, {400000}),
                  {.executor = cancelled});
    EXPECT_EQ(dst, src);
  }
}

}  // namespace
}  // namespace strided_test
