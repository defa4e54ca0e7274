// A bar on the terminal for work that takes longer than a second.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>

#if __has_include(<unistd.h>)
#include <unistd.h>
#endif

namespace strided_npy {

// Draws on `stream` where that is a terminal, from `after` on, and clears the line in the end;
// anywhere else it writes nothing.
class Progress {
 public:
  using Clock = std::chrono::steady_clock;

  explicit Progress(std::int64_t total, std::FILE* stream = stderr,
                    Clock::duration after = std::chrono::seconds(1))
      : total_(total), stream_(stream), next_(Clock::now() + after) {
#if __has_include(<unistd.h>)
    is_terminal_ = ::isatty(::fileno(stream)) == 1;
#endif
  }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress() {
    if (drawn_) std::fputs("\r\033[K", stream_);
    if (drawn_) std::fflush(stream_);
  }

  void advance(std::int64_t amount) {
    done_ += amount;
    const Clock::time_point now = Clock::now();
    if (!is_terminal_ || now < next_) return;
    constexpr std::size_t kWidth = 40;
    const double share = total_ > 0 ? static_cast<double>(done_) / static_cast<double>(total_) : 1;
    const auto filled = static_cast<std::size_t>(share * kWidth);
    const std::string bar = std::string(filled, '#') + std::string(kWidth - filled, '.');
    std::fprintf(stream_, "\r[%s] %3.0f %%", bar.c_str(), share * 100);
    std::fflush(stream_);
    drawn_ = true;
    next_ = now + std::chrono::milliseconds(100);
  }

 private:
  std::int64_t total_;
  std::int64_t done_ = 0;
  std::FILE* stream_;
  Clock::time_point next_;
  bool is_terminal_ = false;
  bool drawn_ = false;
};

}  // namespace strided_npy
