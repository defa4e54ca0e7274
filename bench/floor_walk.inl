// The walk over the lines, for the instruction set whose Register, stream, fence and
// STRIDED_BENCH_TARGET stand around this include.
template <bool kStreaming>
STRIDED_BENCH_TARGET void walk(const Walk& plan) {
  constexpr std::int64_t kParts = kLineBytes / static_cast<std::int64_t>(sizeof(Register));
  LineCursor reads(*plan.reads);
  LineCursor writes(*plan.writes);
  Register mixed{};
  while (!reads.done() || !writes.done()) {
    for (std::int64_t left = plan.reads_at_once; left > 0 && !reads.done();) {
      const LineRun lines = reads.take(left);
      left -= lines.count;
      const std::byte* line = plan.src + lines.first * kLineBytes;
      for (std::int64_t i = 0; i < lines.count; ++i, line += lines.step * kLineBytes) {
        const auto* from = static_cast<const Register*>(static_cast<const void*>(line));
        for (std::int64_t part = 0; part < kParts; ++part) mixed ^= from[part];
      }
    }
    for (std::int64_t left = plan.writes_at_once; left > 0 && !writes.done();) {
      const LineRun lines = writes.take(left);
      left -= lines.count;
      std::byte* line = plan.dst + lines.first * kLineBytes;
      for (std::int64_t i = 0; i < lines.count; ++i, line += lines.step * kLineBytes) {
        auto* to = static_cast<Register*>(static_cast<void*>(line));
        for (std::int64_t part = 0; part < kParts; ++part) {
          if constexpr (kStreaming) {
            stream(line + part * static_cast<std::int64_t>(sizeof(Register)), mixed);
          } else {
            to[part] = mixed;
          }
        }
      }
    }
  }
  if constexpr (kStreaming) fence();
  // The last reads come after the last write: without a use they would be dropped.
  std::byte sink[sizeof(Register)];
  std::memcpy(sink, &mixed, sizeof(mixed));
  benchmark::DoNotOptimize(sink);
}
