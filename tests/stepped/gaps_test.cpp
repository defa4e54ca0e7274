// The processor stops after every instruction of a copy, and all gaps of the destination count one
// more. A kernel that loads a gap and stores it again, however soon, undoes what they counted in
// between: beside another thread (engine.GapRace) that shows only where it takes a while.
#include <gtest/gtest.h>
#include <x86intrin.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <span>
#include <vector>

#include "strided/strided.hpp"
#include "support/gaps.hpp"
#include "support/generate.hpp"
#include "support/kernel_sets.hpp"

namespace strided_test {
namespace {

// What the handler of the trap works on: all bytes, and ones that are 1 where a gap is.
unsigned char* watched = nullptr;
const unsigned char* gap_bytes = nullptr;
std::size_t watched_bytes = 0;
std::uint64_t steps = 0;

void count_step(int) {
  ++steps;
  for (std::size_t i = 0; i < watched_bytes; ++i) {
    watched[i] = static_cast<unsigned char>(watched[i] + gap_bytes[i]);
  }
}

// Runs `work` step by step.
template <class Work>
void in_steps(const Work& work) {
  constexpr std::uint64_t kTrap = 0x100;  // the flag of the processor
  std::atomic_signal_fence(std::memory_order_seq_cst);
  __writeeflags(__readeflags() | kTrap);
  work();
  __writeeflags(__readeflags() & ~kTrap);
  std::atomic_signal_fence(std::memory_order_seq_cst);
}

class Gaps : public testing::Test {
 protected:
  void SetUp() override {
    struct sigaction action = {};
    action.sa_handler = &count_step;
    ASSERT_EQ(sigaction(SIGTRAP, &action, &before_), 0);
  }
  void TearDown() override {
    sigaction(SIGTRAP, &before_, nullptr);
    std::printf("%llu copies in %llu steps\n", static_cast<unsigned long long>(copies_),
                static_cast<unsigned long long>(total_));
  }

  // Runs `copy(src, dst)` on storages of these layouts.
  template <class T, class Copy>
  void watch(const GapSource& source, const strided::Layout& layout, const Copy& copy) {
    std::vector<T> src(static_cast<std::size_t>(source.layout.bounds().highest + 1));
    for (std::size_t i = 0; i < src.size(); ++i) src[i] = static_cast<T>(i * 7 + 1);
    std::vector<T> dst(static_cast<std::size_t>(layout.bounds().highest + 1));
    std::vector<unsigned char> gaps(dst.size() * sizeof(T));
    for (const std::int64_t gap : gaps_of(layout)) {
      std::fill_n(gaps.begin() + gap * std::int64_t{sizeof(T)}, sizeof(T), 1);
    }
    watched = reinterpret_cast<unsigned char*>(dst.data());
    gap_bytes = gaps.data();
    watched_bytes = gaps.size();
    steps = 0;
    in_steps([&] { copy(src.data(), dst.data()); });
    ASSERT_GT(steps, 1U) << "the processor did not stop";

    std::size_t lost = 0;
    for (std::size_t i = 0; i < watched_bytes; ++i) {
      if (gaps[i] != 0 && watched[i] != static_cast<unsigned char>(steps)) ++lost;
    }
    EXPECT_EQ(lost, 0U) << "bytes of gaps lost a count: " << source.name << ", elements of "
                        << sizeof(T) << " bytes -> " << describe(layout);
    ++copies_;
    total_ += steps;
  }

  template <class T>
  void watch_kernels(const strided::kernels::KernelSet& set) {
    const std::int64_t whole = 64 / std::int64_t{sizeof(T)} + 7;     // a register and some elements
    std::vector<GapCopies> all = copies_to_matrices(2, whole, {1});  // a step can take 30 us
    for (const GapCopies& one : copies_to_matrices(17, 18, {1})) {
      all.push_back({one.dst, {{"transposed", strided::Layout({17, 18}, {1, 17})}}});
    }
    for (const GapCopies& one : copies_to_pixels(2, 23)) all.push_back(one);
    for (const GapCopies& one : all) {
      for (const GapSource& source : one.sources) {
        const auto nest = strided::engine::normalize(source.layout, one.dst, sizeof(T));
        strided::engine::Plan plan = strided::engine::make_plan(nest.value(), set);
        for (const bool streaming : {false, true}) {
          // Whole lines are what streams.
          if (streaming && one.dst.strides()[one.dst.strides().size() - 1] != 1) continue;
          plan.block.streaming = streaming;
          watch<T>(source, one.dst, [&](const T* src, T* dst) {
            strided::engine::execute(plan, reinterpret_cast<const std::byte*>(src),
                                     reinterpret_cast<std::byte*>(dst));
          });
        }
      }
    }
  }

 private:
  struct sigaction before_ = {};
  std::uint64_t copies_ = 0;
  std::uint64_t total_ = 0;
};

TEST_F(Gaps, NoKernelStoresWhatItLoadedFromAGap) {
  for (const strided::kernels::KernelSet* set : all_kernel_sets()) {
    SCOPED_TRACE(set->name);
    watch_kernels<std::uint8_t>(*set);
    watch_kernels<std::uint16_t>(*set);
    watch_kernels<std::uint32_t>(*set);
    watch_kernels<std::uint64_t>(*set);
  }
}

}  // namespace
}  // namespace strided_test
