// Random layouts there and back. The library of <mdspan>, built with its own checks, is the judge
// of every mapping that is made.
#include <algorithm>
#include <array>
#include <cinttypes>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <mdspan>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "check.hpp"
#include "strided/interop/mdspan.hpp"
#include "strided/view/strided_view.hpp"

namespace mdspan_test {
namespace {

using strided::Dims;
using strided::Layout;
using strided::StridedView;

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  std::int64_t between(std::int64_t low, std::int64_t high) {  // both ends included
    return low + static_cast<std::int64_t>(engine_() % static_cast<std::uint64_t>(high - low + 1));
  }
  bool chance(int percent) { return between(1, 100) <= percent; }

 private:
  std::mt19937_64 engine_;
};

// Axes in any order with gaps; in one case of five strides that need not be a mapping's.
Layout random_layout(Random& random, std::size_t rank) {
  Dims shape;
  for (std::size_t i = 0; i < rank; ++i)
    shape.push_back(random.between(random.chance(8) ? 0 : 1, 5));
  Dims strides = Dims::filled(rank, 1);
  if (random.chance(20)) {
    for (std::int64_t& stride : strides) stride = random.between(-2, 12);
  } else {
    std::vector<std::size_t> order(rank);
    for (std::size_t i = 0; i < rank; ++i) order[i] = i;
    for (std::size_t i = rank; i > 1; --i) {
      std::swap(
          order[i - 1],
          order[static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(i) - 1))]);
    }
    std::int64_t next = random.between(1, 3);
    for (std::size_t axis : order) {
      strides[axis] = next;
      next = next * std::max<std::int64_t>(shape[axis], 1) + (random.chance(30) ? 3 : 0);
    }
  }
  const std::int64_t lowest = Layout(shape, strides).bounds().lowest;
  return Layout(shape, strides, random.between(0, 3) - std::min<std::int64_t>(lowest, 0));
}

// Equal, but for strides that nothing depends on.
bool same_where_it_matters(const Layout& a, const Layout& b) {
  if (a.shape() != b.shape()) return false;
  for (int i = 0; i < a.rank() && !a.empty(); ++i) {
    if (a.shape()[i] > 1 && a.strides()[i] != b.strides()[i]) return false;
  }
  return true;
}

// Every element of the view is the same object through the mdspan.
template <class Mdspan>
void check_elements(const StridedView<int>& view, const Mdspan& m) {
  Dims index = Dims::filled(view.shape().size(), 0);
  for (std::int64_t k = 0; k < view.size(); ++k) {
    std::array<std::int64_t, Mdspan::rank()> at{};
    for (std::size_t i = 0; i < Mdspan::rank(); ++i) at[i] = index[i];
    CHECK_TOLD(&m[at] == &view.at(index), describe(view.layout()) + " at " + to_string(index));
    for (std::size_t i = Mdspan::rank(); i-- > 0;) {
      if (++index[i] < view.shape()[i]) break;
      index[i] = 0;
    }
  }
}

template <class Index, class LayoutPolicy, std::size_t Rank>
bool there_and_back(const StridedView<int>& view) {
  using Extents = std::dextents<Index, Rank>;
  const auto mapping = strided::try_mdspan_mapping<Extents, LayoutPolicy>(view.layout());
  if (!mapping) return false;
  const std::string what = describe(view.layout());
  const auto m = strided::to_mdspan<Extents, LayoutPolicy>(view);
  CHECK_TOLD(m.mapping() == *mapping, what);
  CHECK_TOLD(view.empty() || m.data_handle() == view.storage().data() + view.offset(), what);
  CHECK_TOLD(
      std::int64_t{m.mapping().required_span_size()} == strided::required_span_size(view.layout()),
      what);
  check_elements(view, m);

  const StridedView<int> back = strided::from_mdspan(m);
  CHECK_TOLD(same_where_it_matters(back.layout(), view.layout()), what);
  CHECK_TOLD(std::ssize(back.storage()) == strided::required_span_size(view.layout()), what);
  const auto again = strided::to_mdspan<Extents, LayoutPolicy>(back);
  CHECK_TOLD(
      again.data_handle() == m.data_handle() && (view.empty() || again.mapping() == m.mapping()),
      what);
  return true;
}

struct Tally {
  std::int64_t cases = 0;
  std::int64_t strided = 0;
  std::int64_t right = 0;
  std::int64_t left = 0;
};

template <std::size_t Rank>
void check_rank(Random& random, Tally& tally) {
  const Layout layout = random_layout(random, Rank);
  // Exactly as much memory as it takes.
  std::vector<int> storage(static_cast<std::size_t>(layout.bounds().highest + 1));
  const StridedView<int> view(storage, layout);
  ++tally.cases;
  tally.right += there_and_back<std::int64_t, std::layout_right, Rank>(view);
  tally.left += there_and_back<unsigned char, std::layout_left, Rank>(view);
  static_cast<void>(there_and_back<signed char, std::layout_stride, Rank>(view));
  static_cast<void>(there_and_back<unsigned, std::layout_stride, Rank>(view));
  const bool strided = there_and_back<std::int64_t, std::layout_stride, Rank>(view);
  tally.strided += strided;
  CHECK_TOLD(strided == strided::try_layout_stride(layout).has_value(), describe(layout));
}

std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 0);
}

}  // namespace

void check_round_trips() {
  const std::uint64_t seed = from_environment("STRIDED_TEST_SEED", 20240229);
  const std::uint64_t cases = from_environment("STRIDED_TEST_CASES", 2000);
  const std::int64_t failures_before = count().failures;
  Tally tally;
  for (std::uint64_t i = 0; i < cases; ++i) {
    Random random(seed + i);
    check_rank<0>(random, tally);
    check_rank<1>(random, tally);
    check_rank<2>(random, tally);
    check_rank<3>(random, tally);
    check_rank<4>(random, tally);
    if (count().failures == failures_before) continue;
    std::printf("repeat with: STRIDED_TEST_SEED=%" PRIu64 " STRIDED_TEST_CASES=1\n", seed + i);
    return;
  }
  std::printf("mdspan: %" PRId64 " layouts from seed %" PRIu64 ", of them %" PRId64
              " layout_stride, %" PRId64 " layout_right, %" PRId64 " layout_left\n",
              tally.cases, seed, tally.strided, tally.right, tally.left);
  if (cases < 1000) return;
  CHECK(tally.strided < tally.cases && tally.strided > tally.cases / 2);
  CHECK(tally.right > tally.cases / 20 && tally.left > tally.cases / 20);
}

}  // namespace mdspan_test
