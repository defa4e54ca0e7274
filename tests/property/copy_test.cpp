// Copies by the engine against copies by the reference: every element width, layouts of every kind,
// every byte of the memory around them.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <span>
#include <string>

#include "strided/reference/reference.hpp"
#include "strided/strided.hpp"
#include "support/generate.hpp"
#include "support/random.hpp"
#include "support/vectors.hpp"

namespace strided_test {
namespace {

using strided::Dims;
using strided::Layout;
using strided::StridedView;

constexpr std::int64_t kMaxElements = 3000;

struct alignas(16) Aligned16 {
  std::uint64_t halves[2];
};

template <class T>
class CopyProperty : public testing::Test {};

using Elements = testing::Types<Bytes<1>, Bytes<2>, Bytes<3>, Bytes<4>, Bytes<5>, Bytes<6>,
                                Bytes<8>, Bytes<12>, Bytes<16>, Bytes<24>, Bytes<32>, Bytes<40>,
                                std::uint16_t, std::uint32_t, std::uint64_t, Aligned16>;
TYPED_TEST_SUITE(CopyProperty, Elements);

TYPED_TEST(CopyProperty, EngineEqualsReference) {
  using T = TypeParam;
  run_cases(800, [](Random& random) {
    const Dims shape = random_shape(random, kMaxElements);
    const Layout src = random_layout(random, shape);
    const Layout dst = random_unique_layout(random, shape);
    Arena<T> source = Arena<T>::for_layout(random, src);
    Arena<T> by_engine = Arena<T>::for_layout(random, dst);
    Arena<T> by_reference = by_engine;
    const Arena<T> source_before = source;
    SCOPED_TRACE(describe(src) + " -> " + describe(dst));
    strided::copy(source.view(src), by_engine.view(dst));
    strided::reference::copy(source.view(src), by_reference.view(dst));
    EXPECT_TRUE(by_engine == by_reference);
    EXPECT_TRUE(source == source_before);
  });
}

// Widths known at run time only: a plan moves bytes. The reference copies the same bytes as one
// more axis.
TEST(PlanProperty, AnyWidthEqualsReference) {
  using Byte = Bytes<1>;
  const auto in_bytes = [](const Layout& layout, std::int64_t width) {
    Dims shape = layout.shape();
    Dims strides = layout.strides();
    for (std::int64_t& stride : strides) stride *= width;
    shape.push_back(width);
    strides.push_back(1);
    return Layout(shape, strides, layout.offset() * width);
  };
  run_cases(2000, [&](Random& random) {
    const Dims shape = random_shape(random, kMaxElements / 4);
    const std::int64_t width = random.between(1, random.chance(90) ? 40 : 200);
    const Layout src = random_layout(random, shape);
    const Layout dst = random_unique_layout(random, shape);
    const Layout src_bytes = in_bytes(src, width);
    const Layout dst_bytes = in_bytes(dst, width);
    SCOPED_TRACE(std::to_string(width) + " bytes, " + describe(src) + " -> " + describe(dst));
    const strided::CopyPlan plan(src, dst, static_cast<std::size_t>(width));
    EXPECT_FALSE(plan.explain().empty());
    EXPECT_EQ(plan.total_bytes(), src.size() * width);
    for (int run = 0; run < 2; ++run) {  // a plan is kept and run again on other storages
      Arena<Byte> source = Arena<Byte>::for_layout(random, src_bytes);
      Arena<Byte> by_engine = Arena<Byte>::for_layout(random, dst_bytes);
      Arena<Byte> by_reference = by_engine;
      plan(source.storage().data(), by_engine.storage().data());
      strided::reference::copy(source.view(src_bytes), by_reference.view(dst_bytes));
      EXPECT_TRUE(by_engine == by_reference);
    }
  });
}

// Transposes, planes and reversals of sizes around the tiles: the ways that have kernels.
TEST(PlanProperty, CommonPatternsAroundTileSizes) {
  run_cases(2000, [](Random& random) {
    static constexpr std::int64_t kTiles[] = {1, 4, 8, 16, 32, 64};
    const auto size = [&] {
      return std::max<std::int64_t>(random.pick(kTiles) + random.between(-1, 1), 1);
    };
    const Layout whole({size(), size(), random.between(1, 4)});
    static const Dims kOrders[] = {{0, 1, 2}, {1, 0, 2}, {2, 0, 1},
                                   {0, 2, 1}, {2, 1, 0}, {1, 2, 0}};
    Layout src = strided::try_permute(whole, random.pick(kOrders)).value();
    for (std::int64_t axis = 0; axis < 3; ++axis) {
      if (random.chance(25)) src = strided::try_flip(src, axis).value();
    }
    Layout dst(src.shape());
    for (std::int64_t axis = 0; axis < 3; ++axis) {
      if (random.chance(15)) dst = strided::try_flip(dst, axis).value();
    }
    SCOPED_TRACE(describe(src) + " -> " + describe(dst));
    const auto check = [&](auto element) {
      using T = decltype(element);
      Arena<T> source = Arena<T>::for_layout(random, src);
      Arena<T> by_engine = Arena<T>::for_layout(random, dst);
      Arena<T> by_reference = by_engine;
      strided::copy(source.view(src), by_engine.view(dst));
      strided::reference::copy(source.view(src), by_reference.view(dst));
      EXPECT_TRUE(by_engine == by_reference) << sizeof(T) << " bytes";
    };
    check(Bytes<1>{});
    check(Bytes<2>{});
    check(Bytes<4>{});
    check(Bytes<8>{});
    check(Bytes<16>{});
  });
}

TEST(FillProperty, EngineEqualsReference) {
  run_cases(3000, [](Random& random) {
    const Dims shape = random_shape(random, kMaxElements);
    const Layout dst = random_layout(random, shape);  // may overlap itself
    const strided::FillOptions options{random.chance(50)};
    SCOPED_TRACE(describe(dst) + (options.allow_internal_overlap ? ", overlap allowed" : ""));
    const auto check = [&](auto element) {
      using T = decltype(element);
      Arena<T> by_engine = Arena<T>::for_layout(random, dst);
      Arena<T> by_reference = by_engine;
      const std::uint64_t bits[5] = {random.bits(), random.bits(), random.bits(), random.bits(),
                                     random.bits()};
      T value;
      std::memcpy(&value, bits, sizeof(T));
      const bool refused = !options.allow_internal_overlap && !is_unique(dst);
      const strided::ErrorCode expected =
          refused ? strided::ErrorCode::internal_overlap : strided::ErrorCode::ok;
      EXPECT_EQ(code_of([&] { strided::fill(by_engine.view(dst), value, options); }), expected);
      EXPECT_EQ(code_of([&] { strided::reference::fill(by_reference.view(dst), value, options); }),
                expected);
      EXPECT_TRUE(by_engine == by_reference) << sizeof(T) << " bytes";
    };
    check(Bytes<1>{});
    check(Bytes<3>{});
    check(Bytes<8>{});
    check(Bytes<40>{});
  });
}

// Lawful layouts whose numbers end at the edge of 64 bits: planned, or refused as an overflow; the
// undefined-behaviour sanitizer watches.
TEST(PlanProperty, ExtremeLayouts) {
  using strided::ErrorCode;
  constexpr std::int64_t kQuarter = std::int64_t{1} << 62;
  const auto expect_planned_or_overflow = [](auto call) {
    const ErrorCode code = code_of(call);
    EXPECT_TRUE(code == ErrorCode::ok || code == ErrorCode::overflow);
  };
  const Layout far_apart({2, 2}, {5, kQuarter});
  EXPECT_EQ(strided::CopyPlan(far_apart, Layout({2, 2}), 1).total_bytes(), 4);
  for (const std::int64_t offset : {strided::kInt64Max, strided::kInt64Min}) {
    expect_planned_or_overflow([&] {
      EXPECT_EQ(strided::CopyPlan(Layout({1}, {1}, offset), Layout({1}), 1).total_bytes(), 1);
    });
  }
  double element = 0;
  const StridedView<double> repeated(std::span<double>(&element, 1), {kQuarter}, {0});
  expect_planned_or_overflow(
      [&] { strided::fill(repeated, 1.0, {.allow_internal_overlap = true}); });
}

// One flipped bit anywhere in one of two equal views must be seen, and none elsewhere.
TEST(BitwiseEqualProperty, EngineEqualsReference) {
  using T = Bytes<3>;
  run_cases(5000, [](Random& random) {
    const Dims shape = random_shape(random, kMaxElements / 4);
    const Layout a = random_layout(random, shape);
    const Layout b = random_unique_layout(random, shape);
    Arena<T> left = Arena<T>::for_layout(random, a);
    Arena<T> right = Arena<T>::for_layout(random, b);
    SCOPED_TRACE(describe(a) + " and " + describe(b));
    strided::reference::copy(left.view(a), right.view(b));
    EXPECT_TRUE(strided::bitwise_equal(left.view(a), right.view(b)));
    EXPECT_TRUE(strided::bitwise_equal(right.view(b), left.view(a)));
    EXPECT_TRUE(strided::reference::bitwise_equal(left.view(a), right.view(b)));
    if (right.storage().empty()) return;
    const auto at = static_cast<std::size_t>(
        random.between(0, static_cast<std::int64_t>(right.storage().size()) - 1));
    right.storage()[at].value[static_cast<std::size_t>(random.between(0, 2))] ^=
        static_cast<unsigned char>(1 << random.between(0, 7));
    const bool equal = strided::reference::bitwise_equal(left.view(a), right.view(b));
    EXPECT_EQ(strided::bitwise_equal(left.view(a), right.view(b)), equal);
    EXPECT_EQ(strided::bitwise_equal(right.view(b), left.view(a)), equal);
  });
}

}  // namespace
}  // namespace strided_test
