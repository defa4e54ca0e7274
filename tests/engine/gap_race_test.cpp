// Another thread keeps updating the elements between those of a destination while copies and fills
// write to it. No update may be lost: a kernel that loaded a register, blended its elements in and
// stored it again would undo those of the meantime.
#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include "strided/strided.hpp"
#include "support/generate.hpp"
#include "support/kernel_sets.hpp"
#include "support/thread_pool.hpp"

namespace strided_test {
namespace {

// The places of a storage that a destination leaves free, up to its last element: what is behind
// that is the guard pages' to watch.
std::vector<std::int64_t> gaps_of(const strided::Layout& layout, std::int64_t elements) {
  std::vector<bool> used(static_cast<std::size_t>(elements));
  for (std::int64_t k = 0; k < layout.size(); ++k) {
    used[static_cast<std::size_t>(layout.offset_of_position(k))] = true;
  }
  std::vector<std::int64_t> gaps;
  for (std::int64_t i = 0; i < elements; ++i) {
    if (!used[static_cast<std::size_t>(i)]) gaps.push_back(i);
  }
  return gaps;
}

// Adds one to every gap of a storage, over and over, until it is stopped.
template <class T>
class GapUpdates {
 public:
  GapUpdates(std::vector<T>& storage, std::vector<std::int64_t> gaps)
      : storage_(storage), gaps_(std::move(gaps)), thread_([this] { run(); }) {
    while (rounds_.load() == 0) std::this_thread::yield();  // they are under way
  }
  GapUpdates(const GapUpdates&) = delete;
  GapUpdates& operator=(const GapUpdates&) = delete;
  ~GapUpdates() {
    if (thread_.joinable()) stop();
  }

  // How many were made to each gap so far.
  [[nodiscard]] std::uint64_t made() const { return rounds_; }

  std::uint64_t stop() {
    stopping_ = true;
    thread_.join();
    return rounds_;
  }

 private:
  void run() {
    while (!stopping_.load(std::memory_order_relaxed)) {
      for (const std::int64_t gap : gaps_) {
        std::atomic_ref<T>(storage_[static_cast<std::size_t>(gap)])
            .fetch_add(1, std::memory_order_relaxed);
      }
      rounds_.fetch_add(1, std::memory_order_relaxed);
    }
  }

  std::vector<T>& storage_;
  std::vector<std::int64_t> gaps_;
  std::atomic<bool> stopping_ = false;
  std::atomic<std::size_t> rounds_ = 0;  // a word: wider ones are slow on imitated machines
  std::thread thread_;                   // the last: it uses the others
};

struct RaceSource {
  const char* name;
  strided::Layout layout;
};
// A destination with gaps, and what is copied to it.
struct Race {
  strided::Layout dst;
  std::vector<RaceSource> sources;
};

constexpr std::int64_t kRaceRows = 24;
constexpr std::int64_t kRaceColumns = 40;

// Destinations with a step, with gaps behind their rows, or with both; for each kernel sources that
// lead to it.
std::vector<Race> matrix_races() {
  constexpr std::int64_t kFar = 50 * kRaceColumns;
  const strided::Dims shape{kRaceRows, kRaceColumns};
  std::vector<Race> races;
  for (const std::int64_t step : {1, 2, 3, 7}) {
    for (const std::int64_t row_gap : {0, 1, 5}) {
      if (step == 1 && row_gap == 0) continue;  // no gap
      const strided::Layout dst(shape, {kRaceColumns * step + row_gap, step});
      const auto of = [&](const strided::Dims& strides, std::int64_t offset = 0) {
        return strided::Layout(shape, strides, offset);
      };
      races.push_back({dst,
                       {{"dense", of({kRaceColumns, 1})},
                        {"one element", of({0, 0})},
                        {"one element a row", of({1, 0})},
                        {"every second", of({2 * kRaceColumns, 2})},
                        {"every third", of({3 * kRaceColumns, 3})},
                        {"every fifth", of({5 * kRaceColumns, 5})},
                        {"far apart", of({kFar, 50})},
                        {"backwards", of({kRaceColumns, -1}, kRaceColumns - 1)},
                        {"transposed", of({1, kRaceRows})},
                        {"the same strides", of(dst.strides())}}});
    }
  }
  return races;
}

// Small blocks in another order: pixels without their last byte, mirrored ones, woven planes.
std::vector<Race> pixel_races() {
  const strided::Dims pixels{8, kRaceColumns, 3};
  const auto of = [&](const strided::Dims& strides, std::int64_t offset = 0) {
    return strided::Layout(pixels, strides, offset);
  };
  const std::vector<RaceSource> sources{
      {"pixels", of({3 * kRaceColumns, 3, 1})},
      {"pixels with a fourth byte", of({4 * kRaceColumns, 4, 1})},
      {"mirrored", of({3 * kRaceColumns, 3, -1}, 2)},
      {"the image mirrored", of({3 * kRaceColumns, -3, 1}, 3 * kRaceColumns - 3)},
      {"planes", of({kRaceColumns, 1, 8 * kRaceColumns})},
      {"one pixel", of({0, 0, 1})}};
  const strided::Dims planes{3, 8, kRaceColumns};
  return {{of({3 * kRaceColumns + 5, 3, 1}), sources},
          {of({4 * kRaceColumns, 4, 1}), sources},
          {strided::Layout(planes, {8 * (kRaceColumns + 3), kRaceColumns + 3, 1}),
           {{"pixels to planes", strided::Layout(planes, {1, 3 * kRaceColumns, 3})}}}};
}

struct RaceTally {
  std::int64_t copies = 0;
  std::uint64_t updates = 0;
};

// Runs `copy(source, src, dst)` for each source so many times against updates of the gaps, then
// looks at all of them.
template <class T, class Copy>
void run_race(const Race& one, int rounds, RaceTally& tally, Copy copy) {
  const std::int64_t elements = one.dst.bounds().highest + 1;
  std::vector<T> dst(static_cast<std::size_t>(elements));
  const std::vector<std::int64_t> gaps = gaps_of(one.dst, elements);
  GapUpdates<T> updates(dst, gaps);
  const std::uint64_t before = updates.made();
  do {  // on a busy machine until there were updates meanwhile
    for (const RaceSource& source : one.sources) {
      std::vector<T> src(static_cast<std::size_t>(source.layout.bounds().highest + 1));
      for (std::size_t i = 0; i < src.size(); ++i) src[i] = static_cast<T>(i * 7 + 1);
      for (int i = 0; i < rounds; ++i) copy(source.layout, src.data(), dst.data());
      tally.copies += rounds;
      for (std::int64_t k = 0; k < one.dst.size(); ++k) {
        ASSERT_EQ(dst[static_cast<std::size_t>(one.dst.offset_of_position(k))],
                  src[static_cast<std::size_t>(source.layout.offset_of_position(k))])
            << source.name;
      }
    }
  } while (updates.made() == before);
  const std::uint64_t made = updates.stop();
  tally.updates += made * gaps.size();

  std::int64_t lost = 0;
  for (const std::int64_t gap : gaps) {
    lost += dst[static_cast<std::size_t>(gap)] == static_cast<T>(made) ? 0 : 1;
  }
  EXPECT_EQ(lost, 0) << "of " << gaps.size() << " gaps lost an update: elements of " << sizeof(T)
                     << " bytes -> " << describe(one.dst);
}

constexpr int kRounds = 40;

// On 32-bit machines a 64-bit update is a lock or a loop, and no copy moves 64 bits at once.
constexpr bool kRacesWideElements = sizeof(void*) >= 8;

template <class T>
void race_kernels(const strided::kernels::KernelSet& set, RaceTally& tally) {
  std::vector<Race> races = matrix_races();
  for (const Race& one : pixel_races()) races.push_back(one);
  for (const Race& one : races) {
    run_race<T>(one, kRounds, tally, [&](const strided::Layout& source, const T* src, T* dst) {
      const auto nest = strided::engine::normalize(source, one.dst, std::int64_t{sizeof(T)});
      strided::engine::Plan plan = strided::engine::make_plan(nest.value(), set);
      for (const bool streaming : {false, true}) {
        plan.block.streaming = streaming;
        strided::engine::execute(plan, reinterpret_cast<const std::byte*>(src),
                                 reinterpret_cast<std::byte*>(dst));
      }
    });
  }
}

TEST(GapRace, NoKernelLosesAnUpdateBetweenItsElements) {
  for (const strided::kernels::KernelSet* set : all_kernel_sets()) {
    SCOPED_TRACE(set->name);
    RaceTally tally;
    race_kernels<std::uint8_t>(*set, tally);
    race_kernels<std::uint16_t>(*set, tally);
    race_kernels<std::uint32_t>(*set, tally);
    if constexpr (kRacesWideElements) race_kernels<std::uint64_t>(*set, tally);
    std::printf("%s: %lld copies, twice each, against %llu updates of gaps\n", set->name,
                static_cast<long long>(tally.copies),
                static_cast<unsigned long long>(tally.updates));
  }
}

// The operators as they are called: small copies, fills, and copies that overlap, which go through
// a temporary or in a safe direction.
template <class T>
void race_operators(RaceTally& tally) {
  using View = strided::StridedView<T>;
  for (const std::int64_t step : {2, 3, 7}) {
    for (const std::int64_t count : {3, 60, 700}) {
      const strided::Layout dense({count});
      const strided::Layout stepped({count}, {step});
      const Race one{stepped, {{"dense", dense}}};
      const auto storage = static_cast<std::size_t>((count - 1) * step + 1);
      const auto view = [&](T* dst) { return View(std::span<T>(dst, storage), stepped); };
      const auto from = [&](T* src) {
        return View(std::span<T>(src, static_cast<std::size_t>(count)), dense);
      };
      run_race<T>(one, kRounds, tally, [&](const strided::Layout&, T* src, T* dst) {
        strided::fill(view(dst), src[0]);
        strided::copy(view(dst).slice(0, 0, -1), view(dst).slice(0, 1, strided::kEnd));
        strided::copy(view(dst).slice(0, 1, strided::kEnd), view(dst).slice(0, 0, -1));
        strided::copy(view(dst).flip(0), view(dst));
        strided::strided_slice_assign(view(dst), {{0}, {count}, {1}}, from(src));
      });
    }
  }
}

TEST(GapRace, NoOperatorLosesAnUpdateBetweenItsElements) {
  RaceTally tally;
  race_operators<std::uint8_t>(tally);
  race_operators<std::uint16_t>(tally);
  race_operators<std::uint32_t>(tally);
  if constexpr (kRacesWideElements) race_operators<std::uint64_t>(tally);
  std::printf("%lld rounds against %llu updates of gaps\n", static_cast<long long>(tally.copies),
              static_cast<unsigned long long>(tally.updates));
}

// Large copies by several workers, whose parts end somewhere between the gaps.
TEST(GapRace, NoWorkerLosesAnUpdateBetweenItsElements) {
  RaceTally tally;
  for (const std::int64_t step : {2, 3}) {
    constexpr std::int64_t kCount = 1500000;
    const strided::Layout dense({kCount});
    const Race one{strided::Layout({kCount}, {step}), {{"dense", dense}}};
    Threads threads(4);
    run_race<std::uint8_t>(
        one, 3, tally,
        [&](const strided::Layout& source, const std::uint8_t* src, std::uint8_t* dst) {
          strided::CopyPlan(source, one.dst, 1)(src, dst, {.executor = threads});
        });
    EXPECT_GT(threads.tasks(), 3);
  }
  std::printf("%lld copies by 4 workers against %llu updates of gaps\n",
              static_cast<long long>(tally.copies), static_cast<unsigned long long>(tally.updates));
}

}  // namespace
}  // namespace strided_test
