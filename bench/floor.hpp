// The line floor of a case: the time to read every source line once and to write every destination
// line once, in address order. Hardly anything that does the case's work can be faster.
#pragma once

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "cases.hpp"

#if defined(__GNUC__) && defined(__x86_64__)
#define STRIDED_BENCH_X86 1
#include <immintrin.h>
#else
#define STRIDED_BENCH_X86 0
#endif

namespace bench {

inline constexpr std::int64_t kLineBytes = 64;

// `count` lines, `step` lines apart.
struct LineRun {
  std::int64_t first = 0;
  std::int64_t count = 0;
  std::int64_t step = 1;
};

// Lines in ascending order, as few runs.
class Lines {
 public:
  void append(std::int64_t line) {
    ++count_;
    if (!runs_.empty()) {
      LineRun& last = runs_.back();
      if (last.count == 1) last.step = line - last.first;
      if (line == last.first + last.count * last.step) {
        ++last.count;
        return;
      }
    }
    runs_.push_back({line, 1, 1});
  }
  [[nodiscard]] std::int64_t count() const { return count_; }
  [[nodiscard]] const std::vector<LineRun>& runs() const { return runs_; }

 private:
  std::vector<LineRun> runs_;
  std::int64_t count_ = 0;
};

// Hands out the lines in portions.
class LineCursor {
 public:
  explicit LineCursor(const Lines& lines)
      : run_(lines.runs().data()), end_(run_ + lines.runs().size()) {}

  [[nodiscard]] bool done() const { return run_ == end_; }
  // The next lines, at most `most` of them and fewer at the end of a run; none when all are done.
  [[nodiscard]] LineRun take(std::int64_t most) {
    if (done()) return {};
    const LineRun taken{run_->first + position_ * run_->step,
                        std::min(most, run_->count - position_), run_->step};
    position_ += taken.count;
    if (position_ == run_->count) {
      ++run_;
      position_ = 0;
    }
    return taken;
  }

 private:
  const LineRun* run_;
  const LineRun* end_;
  std::int64_t position_ = 0;
};

// Reads and writes advance together, so that both sides end at the same time.
struct Walk {
  const Lines* reads = nullptr;
  const Lines* writes = nullptr;
  std::int64_t reads_at_once = 0;
  std::int64_t writes_at_once = 0;
  const std::byte* src = nullptr;
  std::byte* dst = nullptr;
};

namespace plain {
using Register = std::uint64_t;
#define STRIDED_BENCH_TARGET
inline void stream(std::byte* to, Register value) {
  std::memcpy(to, &value, sizeof(value));
}
inline void fence() {}
#include "floor_walk.inl"
#undef STRIDED_BENCH_TARGET
}  // namespace plain

#if STRIDED_BENCH_X86
// GNU vectors, since a plain function may not pass __m256i around; may_alias, since they lie over
// bytes.
namespace sse2 {
typedef long long Register __attribute__((vector_size(16), may_alias));
#define STRIDED_BENCH_TARGET __attribute__((target("sse2")))
STRIDED_BENCH_TARGET inline void stream(std::byte* to, Register value) {
  _mm_stream_si128(static_cast<__m128i*>(static_cast<void*>(to)), value);
}
inline void fence() {
  _mm_sfence();
}
#include "floor_walk.inl"
#undef STRIDED_BENCH_TARGET
}  // namespace sse2

namespace avx2 {
typedef long long Register __attribute__((vector_size(32), may_alias));
#define STRIDED_BENCH_TARGET __attribute__((target("avx2")))
STRIDED_BENCH_TARGET inline void stream(std::byte* to, Register value) {
  _mm256_stream_si256(static_cast<__m256i*>(static_cast<void*>(to)), value);
}
inline void fence() {
  _mm_sfence();
}
#include "floor_walk.inl"
#undef STRIDED_BENCH_TARGET
}  // namespace avx2

namespace avx512 {
typedef long long Register __attribute__((vector_size(64), may_alias));
#define STRIDED_BENCH_TARGET __attribute__((target("avx512f")))
STRIDED_BENCH_TARGET inline void stream(std::byte* to, Register value) {
  _mm512_stream_si512(static_cast<__m512i*>(static_cast<void*>(to)), value);
}
inline void fence() {
  _mm_sfence();
}
#include "floor_walk.inl"
#undef STRIDED_BENCH_TARGET
}  // namespace avx512
#endif

// Both ways to write; the floor is the faster one. The destination's gaps are overwritten: what it
// holds afterwards means nothing.
class Floor {
  using WalkFunction = void (*)(const Walk&);

 public:
  Floor(const Case& of, const std::byte* src, std::byte* dst) {
    std::vector<char> src_touched(of.src_bytes() / kLineBytes + 1, 0);
    std::vector<char> dst_touched(of.dst_bytes() / kLineBytes + 1, 0);
    const auto touch = [&](std::vector<char>& touched, std::int64_t element) {
      const std::int64_t byte = element * of.element_bytes;
      touched[static_cast<std::size_t>(byte / kLineBytes)] = 1;
      touched[static_cast<std::size_t>((byte + of.element_bytes - 1) / kLineBytes)] = 1;
    };
    for_each_element(of, [&](std::int64_t from, std::int64_t to) {
      touch(src_touched, from);
      touch(dst_touched, to);
    });
    collect(src_touched, reads_);
    collect(dst_touched, writes_);

    constexpr std::int64_t kLinesAtOnce = 16;
    const std::int64_t longer = std::max(reads_.count(), writes_.count());
    walk_ = {&reads_,
             &writes_,
             std::max<std::int64_t>(1, kLinesAtOnce * reads_.count() / longer),
             std::max<std::int64_t>(1, kLinesAtOnce * writes_.count() / longer),
             src,
             dst};
#if STRIDED_BENCH_X86
    if (__builtin_cpu_supports("avx512f")) {
      choose(avx512::walk<false>, avx512::walk<true>);
    } else if (__builtin_cpu_supports("avx2")) {
      choose(avx2::walk<false>, avx2::walk<true>);
    } else {
      choose(sse2::walk<false>, sse2::walk<true>);
    }
#endif
  }
  Floor(const Floor&) = delete;
  Floor& operator=(const Floor&) = delete;

  void run_plain() const {
    plain_(walk_);
  }
  void run_streaming() const {
    streaming_(walk_);
  }

  [[nodiscard]] std::int64_t read_lines() const {
    return reads_.count();
  }
  [[nodiscard]] std::int64_t written_lines() const {
    return writes_.count();
  }

 private:
  static void collect(const std::vector<char>& touched, Lines& lines) {
    for (std::size_t i = 0; i < touched.size(); ++i) {
      if (touched[i] != 0) lines.append(static_cast<std::int64_t>(i));
    }
  }
  void choose(WalkFunction with_plain_stores, WalkFunction with_streaming_stores) {
    plain_ = with_plain_stores;
    streaming_ = with_streaming_stores;
  }

  Lines reads_;
  Lines writes_;
  Walk walk_{};
  WalkFunction plain_ = plain::walk<false>;
  WalkFunction streaming_ = plain::walk<true>;
};

}  // namespace bench
