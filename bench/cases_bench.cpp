// Every case of cases.txt: memcpy and the line floor of the same payload, this library, its peers.
//
//   bench_cases --benchmark_filter='^T2d_4B.*/strided/' --seconds=1
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>
#include <strided/strided.hpp>
#include <string>
#include <vector>

#include "buffers.hpp"
#include "cases.hpp"
#include "floor.hpp"
#include "main.hpp"
#include "peers/memcpy.hpp"
#include "peers/peer.hpp"
#include "timing.hpp"

namespace bench {
namespace {

// A case in memory, with what a correct copy leaves in the destination, gaps included.
class Workspace {
 public:
  explicit Workspace(const Case& of)
      : case_(of),
        src_(of.src_bytes()),
        dst_(of.dst_bytes()),
        expected_(of.dst_bytes()),
        payload_(payload_bytes()),
        payload_copy_(payload_bytes()),
        floor_(of, src_.data(), dst_.data()) {
    src_.fill_with_pattern();
    clear(expected_);
    const auto width = static_cast<std::size_t>(of.element_bytes);
    for_each_element(of, [&](std::int64_t from, std::int64_t to) {
      std::memcpy(expected_.data() + to * of.element_bytes, src_.data() + from * of.element_bytes,
                  width);
    });
  }

  [[nodiscard]] const Case& of() const { return case_; }
  [[nodiscard]] const std::byte* src() const { return src_.data(); }
  [[nodiscard]] std::byte* dst() { return dst_.data(); }
  [[nodiscard]] std::int64_t touched_bytes() const {
    return (floor_.read_lines() + floor_.written_lines()) * kLineBytes;
  }

  [[nodiscard]] Timed memcpy_timed() {
    return memcpy_of(payload_.data(), payload_copy_.data(), payload_bytes());
  }
  [[nodiscard]] Timed plain_floor() const {
    return timed([this] { floor_.run_plain(); });
  }
  [[nodiscard]] Timed streaming_floor() const {
    return timed([this] { floor_.run_streaming(); });
  }

  // Runs `work` once and compares the whole destination.
  [[nodiscard]] bool is_right(const Timed& work) {
    clear(dst_);
    work(1);
    return std::memcmp(dst_.data(), expected_.data(), dst_.size()) == 0;
  }

 private:
  [[nodiscard]] std::size_t payload_bytes() const {
    return static_cast<std::size_t>(case_.payload_bytes());
  }
  static void clear(Buffer& buffer) { std::memset(buffer.data(), 0xA5, buffer.size()); }

  Case case_;
  Buffer src_;
  Buffer dst_;
  Buffer expected_;
  Buffer payload_;
  Buffer payload_copy_;
  Floor floor_;
};

// The benchmarks of a case run one after the other and share its memory.
Workspace& workspace(const Case& of) {
  static std::unique_ptr<Workspace> current;
  if (current == nullptr || current->of().name != of.name) {
    current.reset();  // before the next one is made
    current = std::make_unique<Workspace>(of);
  }
  return *current;
}

bool all_right = true;

// What a benchmark measures. `prepare` is empty for the floor; memcpy alone does not do the case.
struct Subject {
  std::string name;
  std::function<Timed(Workspace&)> prepare;
  bool does_the_case = true;
};

// One benchmark: the subject in turn with memcpy and both floors.
void measure(benchmark::State& state, const Case& of, const Subject& subject,
             const Effort& effort) {
  Workspace& space = workspace(of);
  std::vector<Timed> works{space.memcpy_timed(), space.plain_floor(), space.streaming_floor()};
  if (subject.prepare) works.push_back(subject.prepare(space));
  if (subject.does_the_case && !space.is_right(works.back())) {
    all_right = false;
    state.SkipWithError("the result differs from the plain loops");
    return;
  }
  const std::vector<double> seconds = median_seconds(works, effort, space.touched_bytes());
  const double floor = std::min(seconds[1], seconds[2]);
  const double own = subject.prepare ? seconds[3] : floor;
  report_median(state, own, of.payload_bytes());
  state.counters["x_memcpy"] = own / seconds[0];
  state.counters["x_floor"] = own / floor;
}

strided::CopyPlan make_plan(const Case& of) {
  return {strided::Layout(of.shape, of.src_strides, of.src_offset),
          strided::Layout(of.shape, of.dst_strides, of.dst_offset),
          static_cast<std::size_t>(of.element_bytes)};
}

Timed kept_plan(Workspace& space) {
  return timed(
      [plan = make_plan(space.of()), src = space.src(), dst = space.dst()] { plan(src, dst); });
}

Timed unplanned(Workspace& space) {
  const Case& of = space.of();
  const strided::Layout from(of.shape, of.src_strides, of.src_offset);
  const strided::Layout to(of.shape, of.dst_strides, of.dst_offset);
  const auto width = static_cast<std::size_t>(of.element_bytes);
  return timed(
      [=, src = space.src(), dst = space.dst()] { strided::CopyPlan(from, to, width)(src, dst); });
}

void register_case(const Case& of, const std::vector<Peer>& peers, const Effort& effort) {
  std::vector<Subject> subjects{
      // memcpy against itself: how far from 1 it is shows how far to trust the rest.
      {"memcpy", [](Workspace& space) { return space.memcpy_timed(); }, false},
      {"floor", nullptr, false},
      {"strided", kept_plan},
      {"strided_unplanned", unplanned},
  };
  for (const Peer& peer : peers) {
    if (!peer.can(of)) continue;
    subjects.push_back({peer.name, [peer](Workspace& space) {
                          return peer.prepare(space.of(), space.src(), space.dst());
                        }});
  }
  for (const Subject& subject : subjects) {
    register_median(of.name + "/" + subject.name,
                    [=](benchmark::State& state) { measure(state, of, subject, effort); });
  }
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  const int status = bench::run(argc, argv, [](const bench::Effort& effort) {
    const std::vector<bench::Peer> peers = bench::all_peers();
    for (const bench::Case& one : bench::read_cases(STRIDED_BENCH_DIR "/cases.txt")) {
      bench::register_case(one, peers, effort);
    }
  });
  return status == 0 && !bench::all_right ? 1 : status;
}
