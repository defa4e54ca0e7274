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
#include "support/gaps.hpp"
#include "support/generate.hpp"
#include "support/kernel_sets.hpp"
#include "support/thread_pool.hpp"

namespace strided_test {
namespace {

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

struct RaceTally {
  std::int64_t copies = 0;
  std::uint64_t updates = 0;
};

// Runs `copy(source, src, dst)` for each source so many times against updates of the gaps, then
// looks at all of them.
template <class T, class Copy>
void run_race(const GapCopies& one, int rounds, RaceTally& tally, Copy copy) {
  const std::int64_t elements = one.dst.bounds().highest + 1;
  std::vector<T> dst(static_cast<std::size_t>(elements));
  const std::vector<std::int64_t> gaps = gaps_of(one.dst);
  GapUpdates<T> updates(dst, gaps);
  const std::uint64_t before = updates.made();
  do {  // on a busy machine until there were updates meanwhile
    for (const GapSource& source : one.sources) {
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
  std::vector<GapCopies> races = copies_to_matrices(24, 40, {0, 1, 5});
  for (const GapCopies& one : copies_to_pixels(8, 40)) races.push_back(one);
  for (const GapCopies& one : races) {
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
      const GapCopies one{stepped, {{"dense", dense}}};
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
    const GapCopies one{strided::Layout({kCount}, {step}), {{"dense", dense}}};
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
