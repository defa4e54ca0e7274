// More elements than 32 bits count. The storages repeat 8 MiB of memory, and end in some that is
// there once: what stops short, or starts again, leaves the one or the other as it was.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>

#include "strided/strided.hpp"
#include "support/sparse.hpp"
#include "support/thread_pool.hpp"

namespace strided_test {
namespace {

using strided::Dims;
using strided::Layout;
using strided::StridedView;

constexpr std::int64_t kTwo31 = std::int64_t{1} << 31;
constexpr std::int64_t kTwo32 = std::int64_t{1} << 32;
constexpr std::int64_t kPeriod = Repeated::kPeriod;  // in bytes
constexpr std::int64_t kPast = 5;                    // elements that lie behind the repeated memory

template <class T>
T pattern(std::int64_t at) {
  return static_cast<T>(static_cast<std::uint64_t>(at) * 0x9e3779b97f4a7c15U >> 40 | 1);
}

// Elements of type T: kPast more than fill `bytes`.
template <class T>
class Elements {
 public:
  explicit Elements(std::int64_t bytes)
      : memory_(static_cast<std::size_t>(bytes)), count_(bytes / std::int64_t{sizeof(T)} + kPast) {}

  [[nodiscard]] std::int64_t count() const { return count_; }
  [[nodiscard]] StridedView<T> view() const {
    const auto all = static_cast<std::size_t>(count_) + kAround;
    return {std::span<T>(reinterpret_cast<T*>(memory_.begin()), all), {count_}};
  }
  // The period, and the tail with what lies behind it.
  void write(auto value_of) const {
    for (std::int64_t i = 0; i < kElements; ++i) at(i) = value_of(i);
    for (std::int64_t i = count_ - kPast; i < count_ + kAround; ++i) at(i) = value_of(i);
  }
  [[nodiscard]] std::int64_t faults(auto value_of) const {
    std::int64_t wrong = 0;
    for (std::int64_t i = 0; i < kElements; ++i) wrong += at(i) == value_of(i) ? 0 : 1;
    for (std::int64_t i = count_ - kPast; i < count_; ++i) wrong += at(i) == value_of(i) ? 0 : 1;
    for (std::int64_t i = count_; i < count_ + kAround; ++i) wrong += at(i) == T{} ? 0 : 1;
    return wrong;
  }

 private:
  static constexpr std::int64_t kElements = kPeriod / std::int64_t{sizeof(T)};  // that repeat
  static constexpr std::int64_t kAround = 64;  // behind the last, which nobody may write

  [[nodiscard]] T& at(std::int64_t i) const { return reinterpret_cast<T*>(memory_.begin())[i]; }

  Repeated memory_;
  std::int64_t count_;
};

void tell(std::int64_t elements, std::size_t width, const char* what) {
  std::printf("%lld elements of %zu bytes %s\n", static_cast<long long>(elements), width, what);
}

template <class T>
void check_runs(std::int64_t bytes) {
  const Elements<T> src(bytes);
  const Elements<T> dst(bytes);
  src.write(pattern<T>);
  strided::copy(src.view(), dst.view());
  EXPECT_EQ(dst.faults(pattern<T>), 0);
  tell(dst.count(), sizeof(T), "in one run");
  strided::fill(dst.view(), 3);
  EXPECT_EQ(dst.faults([](std::int64_t) { return T{3}; }), 0);
  tell(dst.count(), sizeof(T), "filled");
}

TEST(LargeCounts, Runs) {
  check_runs<std::uint8_t>(kTwo31);
  check_runs<std::uint8_t>(kTwo32);
  check_runs<std::uint16_t>(kTwo32);
}

// Every second element on one side.
TEST(LargeCounts, Steps) {
  const Elements<std::uint8_t> twice(2 * kTwo31);
  const Elements<std::uint8_t> once(kTwo31);
  const auto second = twice.view().slice(0, 0, strided::kEnd, 2);
  const auto some = once.view().narrow(0, 0, second.size());
  twice.write(pattern<std::uint8_t>);
  strided::copy(second, some);
  // Of the tail every second are 3 elements, and what is behind them stays.
  const auto gathered = [&](std::int64_t i) {
    if (i >= second.size()) return std::uint8_t{0};
    return pattern<std::uint8_t>(i < kPeriod ? 2 * i % kPeriod : 2 * i);
  };
  EXPECT_EQ(once.faults(gathered), 0);
  tell(second.size(), 1, "gathered");

  once.write(
      [](std::int64_t i) { return pattern<std::uint8_t>(i < kPeriod ? i % (kPeriod / 2) : i); });
  twice.write([](std::int64_t) { return std::uint8_t{0}; });
  strided::copy(some, second);
  const auto scattered = [&](std::int64_t i) {
    return i % 2 == 0 ? pattern<std::uint8_t>(i / 2) : std::uint8_t{0};
  };
  EXPECT_EQ(twice.faults(scattered), 0);
  tell(second.size(), 1, "scattered");

  once.write([](std::int64_t) { return std::uint8_t{0}; });
  twice.write([](std::int64_t) { return std::uint8_t{7}; });
  strided::copy(second.flip(0), some);
  const auto sevens = [&](std::int64_t i) {
    return i < second.size() ? std::uint8_t{7} : std::uint8_t{0};
  };
  EXPECT_EQ(once.faults(sevens), 0);
  tell(second.size(), 1, "gathered backwards");
}

// Two long loops that are no one loop. All elements but the last are alike, since what repeats on
// one side does not on the other.
TEST(LargeCounts, Transposes) {
  constexpr std::int64_t kRows = 1 << 16;
  constexpr std::int64_t kColumns = (kTwo32 + kPast) / kRows;
  const Elements<std::uint8_t> src(kTwo32);
  const Elements<std::uint8_t> dst(kTwo32);
  src.write([](std::int64_t) { return std::uint8_t{9}; });
  const Dims shape{kRows, kColumns};
  const StridedView<std::uint8_t> from(src.view().storage(), shape);
  const StridedView<std::uint8_t> to(dst.view().storage(), {kColumns, kRows}, {kRows, 1}, kPast);
  strided::copy(from.transpose(0, 1), to);
  EXPECT_EQ(dst.faults([](std::int64_t) { return std::uint8_t{9}; }), 0);
  tell(to.size(), 1, "transposed");
}

TEST(LargeCounts, Workers) {
  const Elements<std::uint8_t> src(kTwo32);
  const Elements<std::uint8_t> dst(kTwo32);
  src.write(pattern<std::uint8_t>);
  Threads threads(3);
  strided::copy(src.view(), dst.view(), {.executor = threads});
  EXPECT_EQ(dst.faults(pattern<std::uint8_t>), 0);
  EXPECT_GT(threads.tasks(), 1);
  tell(dst.count(), 1, "by 3 workers");
}

// An overlapping copy that has to walk backwards: by one period, so that all stays as it is but for
// what comes into the tail.
TEST(LargeCounts, Shifts) {
  const Elements<std::uint8_t> all(kTwo32);
  all.write(pattern<std::uint8_t>);
  constexpr std::int64_t kShift = kPeriod;
  strided::copy(all.view().narrow(0, 0, all.count() - kShift),
                all.view().narrow(0, kShift, all.count() - kShift));
  const auto shifted = [&](std::int64_t i) {
    return i < kTwo32 ? pattern<std::uint8_t>(i) : pattern<std::uint8_t>(i - kTwo32);
  };
  std::int64_t wrong = 0;
  for (std::int64_t i = kTwo32; i < all.count(); ++i) wrong += all.view()(i) == shifted(i) ? 0 : 1;
  for (std::int64_t i = 0; i < kShift; ++i) wrong += all.view()(i) == shifted(i) ? 0 : 1;
  EXPECT_EQ(wrong, 0);
  tell(all.count() - kShift, 1, "shifted within themselves");
}

}  // namespace
}  // namespace strided_test
