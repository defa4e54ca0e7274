// The operators as they are called, and the reference, between pages that nobody may touch: small
// copies, fills, and copies that overlap, at the first and at the last byte that is there.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "strided/reference/reference.hpp"
#include "strided/strided.hpp"
#include "support/generate.hpp"
#include "support/guarded.hpp"
#include "support/random.hpp"

namespace strided_test {
namespace {

using strided::Layout;
using strided::StridedView;

constexpr std::size_t kOpsArenaBytes = std::size_t{1} << 15;

// A view between the guards, its storage at one end.
template <class T>
StridedView<T> view_in(const Guarded& arena, const Layout& layout, bool at_end) {
  const auto elements = static_cast<std::size_t>(layout.empty() ? 0 : layout.bounds().highest + 1);
  std::byte* const first = at_end ? arena.end() - elements * sizeof(T) : arena.begin();
  return {std::span<T>(reinterpret_cast<T*>(first), elements), layout};
}

// What a call makes of the arena, which holds the same before each.
template <class Call>
std::vector<std::byte> made_by(Guarded& arena, const Call& call) {
  for (std::size_t i = 0; i < arena.size(); ++i) {
    arena.begin()[i] = static_cast<std::byte>(i * 41 >> 3);
  }
  call();
  return {arena.begin(), arena.end()};
}

template <std::size_t W>
void check_operators(Random& random, Guarded& source, Guarded& target, std::int64_t& made) {
  using T = Bytes<W>;
  const strided::Dims shape = random_shape(random, 500, 4);
  const Layout src_layout = random_layout(random, shape);
  const Layout dst_layout = random_unique_layout(random, shape);
  const auto fits = [](const Layout& layout) {
    return layout.empty() ||
           static_cast<std::size_t>(layout.bounds().highest + 1) * W <= kOpsArenaBytes;
  };
  if (!fits(src_layout) || !fits(dst_layout)) return;
  ++made;
  for (const bool at_end : {false, true}) {
    SCOPED_TRACE(describe(src_layout) + " -> " + describe(dst_layout) + ", " + std::to_string(W) +
                 " bytes, at the " + (at_end ? "end" : "start"));
    const auto src = view_in<T>(source, src_layout, at_end);
    const auto dst = view_in<T>(target, dst_layout, at_end);
    const StridedView<const T> from(src);
    EXPECT_TRUE(made_by(target, [&] { strided::copy(from, dst); }) ==
                made_by(target, [&] { strided::reference::copy(from, dst); }));
    EXPECT_TRUE(strided::bitwise_equal(from, dst));
    EXPECT_TRUE(strided::reference::bitwise_equal(from, dst));
    const T value = dst.empty() ? T{} : *from.begin();
    EXPECT_TRUE(made_by(target, [&] { strided::fill(dst, value); }) ==
                made_by(target, [&] { strided::reference::fill(dst, value); }));
    if (dst.rank() == 0) continue;
    EXPECT_TRUE(made_by(target, [&] { strided::copy(dst.flip(0), dst); }) ==
                made_by(target, [&] { strided::reference::copy(dst.flip(0), dst); }));
    if (dst.shape()[0] < 2) continue;
    const std::int64_t rows = dst.shape()[0] - 1;
    EXPECT_TRUE(made_by(target, [&] {
                  strided::copy(dst.narrow(0, 0, rows), dst.narrow(0, 1, rows));
                }) == made_by(target, [&] {
                  strided::reference::copy(dst.narrow(0, 0, rows), dst.narrow(0, 1, rows));
                }));
  }
}

TEST(OperatorGuardPages, OperatorsAndReferenceStayInside) {
  Guarded source(kOpsArenaBytes);
  Guarded target(kOpsArenaBytes);
  ASSERT_NE(source.begin(), nullptr);
  ASSERT_NE(target.begin(), nullptr);
  Random pattern(1);
  for (std::byte* at = source.begin(); at != source.end(); ++at) {
    *at = static_cast<std::byte>(pattern.bits());
  }
  source.allow(Access::read);
  std::int64_t made = 0;
  std::int64_t wanted = 0;
  run_cases(400, [&](Random& random) {
    wanted += 6;
    check_operators<1>(random, source, target, made);
    check_operators<2>(random, source, target, made);
    check_operators<3>(random, source, target, made);
    check_operators<4>(random, source, target, made);
    check_operators<8>(random, source, target, made);
    check_operators<16>(random, source, target, made);
  });
  EXPECT_GT(made, wanted * 9 / 10);  // the others do not fit
  std::printf("%lld of %lld layouts fit\n", static_cast<long long>(made),
              static_cast<long long>(wanted));
}

}  // namespace
}  // namespace strided_test
