// The parts in which strided_npy copies, and the bar that shows how far it is.
#include <gtest/gtest.h>
#include <pty.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <numeric>
#include <set>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include "../../examples/strided_npy/paging.hpp"
#include "../../examples/strided_npy/part_file.hpp"
#include "../../examples/strided_npy/parts.hpp"
#include "../../examples/strided_npy/progress.hpp"
#include "strided/strided.hpp"
#include "support/generate.hpp"
#include "support/random.hpp"
#include "support/temporary_path.hpp"

namespace {

using strided::Dims;
using strided::Layout;
using strided::StridedView;
using strided_npy::part_shape;
using strided_npy::Progress;
using strided_npy::Runs;
using strided_npy::runs_of;

double pages_of(const Layout& layout, std::int64_t item_bytes) {
  return runs_of(layout, item_bytes).pages();
}

TEST(Parts, RunsAreWhatALayoutTouches) {
  const Runs whole = runs_of(Layout({100, 200}), 8);
  EXPECT_EQ(whole.first, 0);
  EXPECT_EQ(whole.run_bytes, 160000);
  EXPECT_EQ(whole.count(), 1);
  const Runs strips = runs_of(Layout({1000, 3000}, {5000, 1}, 70), 4);
  EXPECT_EQ(strips.first, 280);
  EXPECT_EQ(strips.run_bytes, 12000);
  EXPECT_EQ(strips.extents, Dims{1000});
  EXPECT_EQ(strips.steps, Dims{20000});
  // Directions and the order of the dimensions do not matter, dimensions of one index neither.
  const Runs turned = runs_of(Layout({3000, 1, 1000}, {-1, 7, -5000}, 2999 + 999 * 5000 + 70), 4);
  EXPECT_EQ(turned.first, 280);
  EXPECT_EQ(turned.run_bytes, 12000);
  EXPECT_EQ(turned.steps, Dims{20000});
  EXPECT_EQ(runs_of(Layout({5, 6}, {0, 1}), 4).run_bytes, 24);
}

// Any layout, from a file of pages with gaps of pages: what was read holds its elements, and what
// is written makes the file.
TEST(Parts, RunsAreReadAndWrittenAsTheyArePacked) {
  const std::filesystem::path path = strided_test::temporary_path("runs");
  constexpr std::int64_t kBegin = 128;
  constexpr std::int64_t kElements = 200000;
  std::vector<std::uint16_t> storage(kElements);
  for (std::size_t i = 0; i < storage.size(); ++i)
    storage[i] = static_cast<std::uint16_t>(i * 40503);
  const auto bytes = std::as_bytes(std::span(storage));
  std::ofstream(path, std::ios::binary)
      .write(std::string(kBegin, 'h').data(), kBegin)
      .write(reinterpret_cast<const char*>(bytes.data()), 2 * kElements);
  std::int64_t layouts = 0;
  std::int64_t in_runs = 0;
  strided_test::run_cases(300, [&](strided_test::Random& random) {
    const std::int64_t rank = random.between(1, 4);
    Dims shape;
    Dims strides;
    std::int64_t reach = 0;
    for (std::int64_t axis = 0; axis < rank; ++axis) {
      static constexpr std::int64_t kSteps[] = {0, 1, 2, 5, 100, 2049, 3000, 4097, 12000};
      const std::int64_t step = random.pick(kSteps);
      const std::int64_t size =
          random.between(1, std::min<std::int64_t>(
                                12, (kElements - 1 - reach) / std::max<std::int64_t>(step, 1) + 1));
      reach += step * (size - 1);
      shape.push_back(size);
      strides.push_back(random.chance(50) ? -step : step);
    }
    const Layout layout =
        strided_test::placed(shape, strides, random.between(0, kElements - 1 - reach));
    const Runs runs = runs_of(layout, 2);
    std::vector<std::byte> packed;
    {
      const strided_npy::PartFile file({path, kBegin}, false);
      ASSERT_TRUE(file.is_open());
      file.read(runs, packed);
    }
    ASSERT_EQ(packed.size(), strided_npy::packed_bytes(runs));
    const StridedView<const std::uint16_t> all(storage, layout);
    std::vector<std::uint16_t> elements(packed.size() / 2);
    std::memcpy(elements.data(), packed.data(), packed.size());
    const StridedView<const std::uint16_t> read(elements, runs.packed);
    ASSERT_TRUE(strided::bitwise_equal(all, read)) << strided_test::describe(layout);
    // Back to where they are from, turned over, and again.
    for (int turn = 0; turn < 2; ++turn) {
      for (std::byte& byte : packed) byte = ~byte;
      strided_npy::PartFile({path, kBegin}, true).write(runs, packed);
    }
    ++layouts;
    in_runs += runs.extents.empty() ? 0 : 1;
  });
  std::ifstream file(path, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  ASSERT_EQ(text.size(), static_cast<std::size_t>(kBegin + 2 * kElements));
  EXPECT_EQ(text.substr(0, kBegin), std::string(kBegin, 'h'));
  EXPECT_EQ(std::memcmp(text.data() + kBegin, bytes.data(), bytes.size()), 0);
  std::filesystem::remove(path);
  EXPECT_GT(in_runs, layouts / 4);
  std::printf("%lld layouts, %lld of them in several runs\n", static_cast<long long>(layouts),
              static_cast<long long>(in_runs));
}

// What ends a process that reads a mapping is an error of a call.
TEST(Parts, FilesThatBecomeShorterAreErrors) {
  const std::filesystem::path path = strided_test::temporary_path("short");
  std::ofstream(path) << std::string(5000, 'x');
  const strided_npy::PartFile file({path, 100}, false);
  std::vector<std::byte> packed;
  file.read(runs_of(Layout({4900}), 1), packed);
  EXPECT_EQ(packed, std::vector<std::byte>(4900, std::byte{'x'}));
  std::filesystem::resize_file(path, 3000);
  try {
    file.read(runs_of(Layout({4900}), 1), packed);
    FAIL() << "read past the end";
  } catch (const strided_npy::UsageError& error) {
    EXPECT_EQ(error.what(), path.string() + ": cannot be read: it has become shorter");
  }
  std::filesystem::remove(path);
  EXPECT_FALSE(strided_npy::PartFile({}, false).is_open());
}

// As if the arrays were files of pages: how many of them all parts touch.
double all_pages(const Layout& source, const Layout& target, std::int64_t item_bytes,
                 std::int64_t memory_bytes, double& largest) {
  double sum = 0;
  largest = 0;
  const Dims part = part_shape(source, target, item_bytes, memory_bytes);
  strided_npy::for_each_part(source, target, part, [&](const Layout& from, const Layout& to) {
    const double pages = pages_of(from, item_bytes) + pages_of(to, item_bytes);
    sum += pages;
    largest = std::max(largest, pages);
  });
  return sum;
}

// Of files of 2 GiB, with 128 MiB: hardly any page is touched in two parts.
TEST(Parts, TouchMostPagesOnce) {
  constexpr std::int64_t kMemory = std::int64_t{128} << 20;
  struct Case {
    Dims shape;  // of the source, in C order
    Dims axes;
    std::int64_t item_bytes;
  };
  const std::vector<Case> cases = {
      {{1 << 29}, {0}, 4},
      {{23170, 23170}, {1, 0}, 4},
      {{1 << 22, 128}, {1, 0}, 4},  // columns of 16 MiB
      {{128, 1 << 22}, {1, 0}, 4},  // rows of 16 MiB
      {{26755, 26755, 3}, {2, 0, 1}, 1},
      {{64, 1 << 10, 1 << 13}, {2, 1, 0}, 4},
      {{1 << 10, 1 << 10, 2, 256}, {2, 1, 3, 0}, 4},
  };
  for (const Case& c : cases) {
    const Layout x(c.shape);
    const Layout source = *strided::try_permute(x, c.axes);
    const Layout target(source.shape());
    const double least = pages_of(x, c.item_bytes) + pages_of(target, c.item_bytes);
    double largest = 0;
    const double touched = all_pages(source, target, c.item_bytes, kMemory, largest);
    EXPECT_LE(touched, least * 1.6) << to_string(c.shape) << " permuted " << to_string(c.axes);
    EXPECT_LE(largest * strided_npy::kPageBytes, static_cast<double>(kMemory));
  }
}

// What a copy in parts writes is what the copy writes.
TEST(Parts, EqualTheWholeCopy) {
  strided_test::run_cases(300, [](strided_test::Random& random) {
    Dims shape;
    const auto rank = random.between(0, 4);
    for (std::int64_t axis = 0; axis < rank; ++axis) shape.push_back(random.between(1, 12));
    std::vector<int> storage(static_cast<std::size_t>(Layout(shape).size()));
    std::iota(storage.begin(), storage.end(), 0);
    StridedView<const int> source(storage, shape);
    for (std::int64_t axis = 0; axis < rank; ++axis) {
      source = source.transpose(axis, random.between(0, rank - 1));
      if (random.chance(50)) source = source.flip(axis);
    }
    const Layout target(source.shape());
    const Dims part = part_shape(source.layout(), target, 4, 2 * random.between(1, 5) * 4096);
    std::vector<int> result(storage.size(), -1);
    Dims first = Dims::filled(part.size(), 0);
    for (std::size_t i = 0; i < part.size(); ++i) first[i] = random.between(0, part[i]);
    std::int64_t written = 0;
    strided_npy::for_each_part(
        source.layout(), target, part, first, [&](const Layout& from, const Layout& to) {
          strided::copy(StridedView<const int>(storage, from), StridedView<int>(result, to));
          written += to.size();
        });
    EXPECT_EQ(written, target.size());
    EXPECT_TRUE(strided::bitwise_equal(source, StridedView<const int>(result, target)));
  });
}

// How many pages the parts of a matrix share, each counted once for every part after its first. Its
// first byte is `past_page` bytes past the start of a page.
class SharedPages {
 public:
  SharedPages(std::int64_t item_bytes, std::int64_t past_page)
      : item_bytes_(item_bytes), past_page_(past_page) {}

  void add(const Layout& part) {
    std::set<std::int64_t> pages;
    for (std::int64_t i = 0; i < part.shape()[0]; ++i) {
      for (std::int64_t j = 0; j < part.shape()[1]; ++j) {
        pages.insert((past_page_ + part.offset_of({i, j}) * item_bytes_) / strided_npy::kPageBytes);
      }
    }
    for (const std::int64_t page : pages) shared_ += all_.insert(page).second ? 0 : 1;
  }
  [[nodiscard]] std::int64_t count() const { return shared_; }

 private:
  std::int64_t item_bytes_;
  std::int64_t past_page_;
  std::set<std::int64_t> all_;
  std::int64_t shared_ = 0;
};

// Transposes of files whose elements begin behind a header: parts meet where pages do. What is left
// are the pages in which one row ends and the next begins.
TEST(Parts, MeetWherePagesDo) {
  constexpr std::int64_t kBytes = 16;  // of an element: 256 of them a page
  constexpr std::int64_t kSourcePast = 128;
  constexpr std::int64_t kTargetPast = 256;
  constexpr std::int64_t kSide = 1024;
  for (const bool flipped : {false, true}) {
    Layout source({kSide, kSide}, {1, kSide});
    if (flipped) source = *strided::try_flip(source, 0);
    const Layout target({kSide, kSide});
    const auto shared_pages = [&](const Dims& part, const Dims& first) {
      SharedPages of_source(kBytes, kSourcePast);
      SharedPages of_target(kBytes, kTargetPast);
      strided_npy::for_each_part(source, target, part, first,
                                 [&](const Layout& from, const Layout& to) {
                                   of_source.add(from);
                                   of_target.add(to);
                                 });
      return of_source.count() + of_target.count();
    };
    Dims part{512 + 60, 512 + 30};
    EXPECT_EQ(shared_pages(part, {0, 0}), 4 * kSide - 2);
    const Dims first =
        strided_npy::align_to_pages(part, source, target, kBytes, kSourcePast, kTargetPast);
    EXPECT_EQ(part, (Dims{512, 512}));
    EXPECT_EQ(first, (Dims{flipped ? 8 : 256 - 8, 256 - 16}));
    EXPECT_EQ(shared_pages(part, first), 2 * kSide - 2);
  }
  // Where a page holds no whole number of elements, or parts are short, they stay as they are.
  Dims part{600, 600};
  const Layout rows({1000, 1000});
  EXPECT_EQ(strided_npy::align_to_pages(part, rows, rows, 12, 0, 0), (Dims{0, 0}));
  EXPECT_EQ(strided_npy::align_to_pages(part, rows, rows, 4, 128, 128), (Dims{0, 0}));
  EXPECT_EQ(part, (Dims{600, 600}));
}

// Control groups as Linux tells of them, in both versions, and the groups around one's own.
TEST(Parts, MemoryIsWhatControlGroupsAllow) {
  namespace fs = std::filesystem;
  const fs::path root = strided_test::temporary_path("control_groups");
  fs::remove_all(root);
  fs::create_directories(root / "memory/outer/inner");
  fs::create_directories(root / "user/job");
  std::ofstream(root / "memory/memory.limit_in_bytes") << "9223372036854771712\n";
  std::ofstream(root / "memory/outer/memory.limit_in_bytes") << "5000\n";
  std::ofstream(root / "memory/outer/inner/memory.limit_in_bytes") << "7000\n";
  std::ofstream(root / "user/memory.max") << "4000\n";
  std::ofstream(root / "user/job/memory.max") << "max\n";
  const auto allowed = [&](const char* groups) {
    std::istringstream lines(groups);
    return strided_npy::memory_of_groups(lines, root.string(), 10000);
  };
  EXPECT_EQ(allowed("5:cpu:/outer\n4:memory:/outer/inner\n"), 5000);
  EXPECT_EQ(allowed("4:memory:/\n"), 10000);
  EXPECT_EQ(allowed("0::/user/job\n"), 4000);
  EXPECT_EQ(allowed("0::/\nnot a group\n"), 10000);
  fs::remove_all(root);
}

TEST(Parts, NothingHasNoPart) {
  int visits = 0;
  strided_npy::for_each_part(Layout({3, 0}), Layout({3, 0}), Dims{3, 0},
                             [&](const Layout&, const Layout&) { ++visits; });
  EXPECT_EQ(visits, 0);
}

// What a bar that is due at once leaves on a stream.
std::string drawn_on(std::FILE* stream, int other_end, std::chrono::seconds after) {
  {
    Progress progress(4, stream, after);
    progress.advance(1);
    progress.advance(1);
  }
  std::fputs("end", stream);
  std::fflush(stream);
  std::string text;
  for (char c = 0; !text.ends_with("end") && ::read(other_end, &c, 1) == 1;) text += c;
  return text;
}

TEST(ProgressBar, IsDrawnOnATerminal) {
  int ends[2] = {-1, -1};
  if (::openpty(&ends[0], &ends[1], nullptr, nullptr, nullptr) != 0) {
    GTEST_SKIP() << "no pseudo-terminals here, as in a chroot without /dev/pts";
  }
  std::FILE* const terminal = ::fdopen(ends[1], "w");
  EXPECT_EQ(drawn_on(terminal, ends[0], std::chrono::seconds(0)),
            "\r[##########..............................]  25 %\r\033[Kend");
  EXPECT_EQ(drawn_on(terminal, ends[0], std::chrono::seconds(60)), "end");
  std::fclose(terminal);
  ::close(ends[0]);
}

TEST(ProgressBar, IsNotDrawnInAPipe) {
  int ends[2] = {-1, -1};
  ASSERT_EQ(::pipe(ends), 0);
  std::FILE* const pipe = ::fdopen(ends[1], "w");
  EXPECT_EQ(drawn_on(pipe, ends[0], std::chrono::seconds(0)), "end");
  std::fclose(pipe);
  ::close(ends[0]);
}

}  // namespace
