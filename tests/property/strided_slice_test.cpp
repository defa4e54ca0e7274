// Strided slices: one dimension exhaustively against a walk written here, then whole specs at
// random against the reference, refusals included.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "strided/reference/reference.hpp"
#include "strided/strided.hpp"
#include "support/generate.hpp"
#include "support/random.hpp"
#include "support/vectors.hpp"

namespace strided_test {
namespace {

using strided::Dims;
using strided::ErrorCode;
using strided::Layout;
using strided::Rules;
using strided::StridedSliceSpec;
using strided::StridedView;

// Which of 0 .. extent - 1 a slice visits, in order; a bound that is not given is masked. The walk
// starts at the first place in its direction that is not before `begin`, and stops before `end`.
std::vector<std::int64_t> walk(std::int64_t extent, std::optional<std::int64_t> begin,
                               std::optional<std::int64_t> end, std::int64_t step) {
  const auto wrapped = [&](std::int64_t bound) { return bound < 0 ? bound + extent : bound; };
  std::vector<std::int64_t> visited;
  if (step > 0) {
    std::int64_t at = begin ? wrapped(*begin) : 0;
    while (at < 0) ++at;
    for (; at < extent && (!end || at < wrapped(*end)); at += step) visited.push_back(at);
  } else {
    std::int64_t at = begin ? wrapped(*begin) : extent - 1;
    while (at > extent - 1) --at;
    for (; at >= 0 && (!end || at > wrapped(*end)); at += step) visited.push_back(at);
  }
  return visited;
}

// The slice by library and reference, and an assignment to it, against the expected places.
void check_line(std::int64_t extent, const StridedSliceSpec& spec, Rules rules,
                const std::vector<std::int64_t>& places, bool shrinks) {
  std::vector<std::int64_t> storage = arange(extent);
  const StridedView<std::int64_t> var(storage, {extent});
  const auto count = static_cast<std::int64_t>(places.size());
  const Dims shape = shrinks ? Dims{} : Dims{count};
  const StridedView<std::int64_t> slice = strided::strided_slice(var, spec, rules);
  ASSERT_EQ(slice.shape(), shape);
  ASSERT_EQ(values_of(slice), places);
  const StridedView<std::int64_t> golden = strided::reference::strided_slice(var, spec, rules);
  ASSERT_EQ(golden.shape(), shape);
  ASSERT_EQ(values_of(golden), places);

  std::vector<std::int64_t> numbers(places.size());
  std::vector<std::int64_t> after = storage;
  for (std::size_t i = 0; i < places.size(); ++i) {
    numbers[i] = 100 + static_cast<std::int64_t>(i);
    after[static_cast<std::size_t>(places[i])] = numbers[i];
  }
  strided::strided_slice_assign(var, spec, StridedView<std::int64_t>(numbers, shape), rules);
  ASSERT_EQ(storage, after);
}

TEST(StridedSliceProperty, OneDimensionExhaustively) {
  std::int64_t slices = 0;
  std::int64_t refused = 0;
  for (std::int64_t extent = 0; extent <= 6; ++extent) {
    for (std::int64_t begin = -8; begin <= 8; ++begin) {
      for (std::int64_t end = -8; end <= 8; ++end) {
        for (const std::int64_t step : {-4, -3, -2, -1, 1, 2, 3, 4}) {
          for (std::uint32_t masks = 0; masks < 4; ++masks) {
            StridedSliceSpec spec{{begin}, {end}, {step}, masks & 1U, masks >> 1};
            const bool from_edge = spec.begin_mask != 0;
            const bool to_edge = spec.end_mask != 0;
            const std::vector<std::int64_t> places =
                walk(extent, from_edge ? std::nullopt : std::optional(begin),
                     to_edge ? std::nullopt : std::optional(end), step);
            check_line(extent, spec, Rules::strided, places, false);
            check_line(extent, spec, Rules::tensorflow, places, false);
            if (extent > 0 && step == 1) check_line(extent, spec, Rules::ascend, places, false);
            ++slices;

            spec.shrink_axis_mask = 1;  // end and masks no longer count
            const std::int64_t index = begin < 0 ? begin + extent : begin;
            const bool inside = index >= 0 && index < extent;
            if (step > 0 && inside) {
              check_line(extent, spec, Rules::strided, {index}, true);
              if (step == 1) check_line(extent, spec, Rules::ascend, {index}, true);
              ++slices;
            } else {
              std::vector<std::int64_t> storage = arange(extent);
              const StridedView<std::int64_t> var(storage, {extent});
              EXPECT_EQ(code_of([&] { (void)strided::strided_slice(var, spec); }),
                        step < 0 ? ErrorCode::shrink_stride : ErrorCode::index_out_of_range);
              ++refused;
            }
            if (HasFailure()) {
              FAIL() << "extent " << extent << " begin " << begin << " end " << end << " step "
                     << step << " masks " << masks;
            }
          }
        }
      }
    }
  }
  std::printf("%lld slices of one dimension, %lld refused\n", static_cast<long long>(slices),
              static_cast<long long>(refused));
  EXPECT_EQ(slices + refused, 2 * 7 * 17 * 17 * 8 * 4);
}

TEST(StridedSliceProperty, ExtremeBoundsAndStrides) {
  constexpr std::int64_t kMin = strided::kInt64Min;
  constexpr std::int64_t kMax = strided::kInt64Max;
  static constexpr std::int64_t kBounds[] = {kMin, kMin + 1, -3, -1, 0, 1, 2, kMax - 1, kMax};
  int slices = 0;
  for (std::int64_t extent = 0; extent <= 3; ++extent) {
    for (const std::int64_t begin : kBounds) {
      for (const std::int64_t end : kBounds) {
        for (const std::int64_t step : {kMin + 1, std::int64_t{-1}, std::int64_t{1}, kMax}) {
          // The walk counts one by one: bounds far outside come to the same as just outside, and a
          // step past the end to the same as one of the extent.
          const auto near = [&](std::int64_t x) { return x < -9 ? -9 : x > 9 ? 9 : x; };
          const std::vector<std::int64_t> places = walk(extent, near(begin), near(end), near(step));
          check_line(extent, {{begin}, {end}, {step}}, Rules::strided, places, false);
          if (HasFailure()) {
            FAIL() << "extent " << extent << " begin " << begin << " end " << end << " step "
                   << step;
          }
          ++slices;
        }
      }
    }
  }
  EXPECT_EQ(slices, 4 * 9 * 9 * 4);
}

// A spec for a variable of this shape: mostly lawful, every mask in use, now and then a fault.
StridedSliceSpec random_spec(Random& random, const Dims& shape) {
  const auto rank = static_cast<std::int64_t>(shape.size());
  const std::int64_t length = random.between(0, rank + (random.chance(30) ? 3 : 0));
  StridedSliceSpec spec;
  const bool plain = random.chance(40);  // strides of 1, as the ascend rules like them
  for (std::int64_t i = 0; i < length; ++i) {
    const std::int64_t extent = rank == 0 ? 3 : shape[std::min(i, rank - 1)];
    static constexpr std::int64_t kFar[] = {strided::kInt64Min, strided::kInt64Max, -100, 100};
    const auto bound = [&] {
      return random.chance(5) ? random.pick(kFar) : random.between(-extent - 2, extent + 2);
    };
    static constexpr std::int64_t kOdd[] = {0, strided::kInt64Min, strided::kInt64Max, -1, 1};
    spec.begin.push_back(bound());
    spec.end.push_back(bound());
    spec.strides.push_back(random.chance(2)    ? random.pick(kOdd)
                           : plain             ? random.between(1, random.chance(20) ? 2 : 1)
                           : random.chance(60) ? random.between(1, 3)
                                               : random.between(-3, -1));
  }
  if (random.chance(1)) spec.end.push_back(1);
  if (random.chance(1)) spec.strides.push_back(1);
  // Few bits: with all of them at random, every second spec would take too many dimensions.
  const auto mask = [&](int percent) {
    std::uint32_t bits = 0;
    for (std::int64_t i = 0; i < length + 1; ++i) {
      if (random.chance(percent)) bits |= std::uint32_t{1} << i;
    }
    return random.chance(5) ? bits | 0xffff0000U : bits;
  };
  spec.begin_mask = mask(30);
  spec.end_mask = mask(30);
  spec.shrink_axis_mask = mask(random.chance(50) ? 20 : 0);
  spec.new_axis_mask = mask(random.chance(50) ? 20 : 0);
  if (random.chance(40)) spec.ellipsis_mask = std::uint32_t{1} << random.between(0, length);
  if (random.chance(2)) spec.ellipsis_mask |= 1U << random.between(0, 31);
  return spec;
}

std::string describe_spec(const StridedSliceSpec& spec) {
  return "begin " + to_string(spec.begin) + " end " + to_string(spec.end) + " strides " +
         to_string(spec.strides) + " masks " + std::to_string(spec.begin_mask) + " " +
         std::to_string(spec.end_mask) + " ellipsis " + std::to_string(spec.ellipsis_mask) +
         " new " + std::to_string(spec.new_axis_mask) + " shrink " +
         std::to_string(spec.shrink_axis_mask);
}

// Mostly the shape of the slice, or one that broadcasts to it; else one that hardly fits.
Dims random_value_shape(Random& random, const Dims& slice) {
  if (random.chance(10)) return random_shape(random, 20, 3);
  Dims shape = slice;
  if (random.chance(60)) return shape;
  while (!shape.empty() && random.chance(30)) shape.erase(0);
  for (std::int64_t& extent : shape) {
    if (random.chance(30)) extent = 1;
  }
  if (random.chance(10)) shape.insert(0, 1);
  return shape;
}

struct Tally {
  std::int64_t accepted = 0;
  std::int64_t refused = 0;
};

template <class T>
void check_random_slice(Random& random, Tally& tally) {
  static constexpr Rules kRules[] = {Rules::strided, Rules::tensorflow, Rules::ascend};
  const Dims shape = random.chance(3) ? Dims::filled(9, 1) : random_shape(random, 1000, 5);
  const Layout layout =
      random.chance(5) ? random_layout(random, shape) : random_unique_layout(random, shape);
  const StridedSliceSpec spec = random_spec(random, shape);
  const Rules rules = random.pick(kRules);
  SCOPED_TRACE("var " + describe(layout) + ", " + describe_spec(spec) + ", rules " +
               std::to_string(static_cast<int>(rules)));
  Arena<T> by_engine = Arena<T>::for_layout(random, layout);
  Arena<T> by_reference = by_engine;
  const Arena<T> before = by_engine;

  StridedView<T> slice;
  StridedView<T> golden;
  const ErrorCode code =
      code_of([&] { slice = strided::strided_slice(by_engine.view(layout), spec, rules); });
  EXPECT_EQ(code_of([&] {
              golden = strided::reference::strided_slice(by_engine.view(layout), spec, rules);
            }),
            code);
  EXPECT_EQ(slice.shape(), golden.shape());
  for (std::int64_t k = 0; k < slice.size() && !testing::Test::HasFailure(); ++k) {
    EXPECT_EQ(slice.layout().offset_of_position(k), golden.layout().offset_of_position(k));
  }

  const Dims value_shape =
      code == ErrorCode::ok ? random_value_shape(random, slice.shape()) : random_shape(random, 9);
  const Layout value = random_layout(random, value_shape);
  Arena<T> values = Arena<T>::for_layout(random, value);
  const ErrorCode assigned = code_of([&] {
    strided::strided_slice_assign(by_engine.view(layout), spec, values.view(value), rules);
  });
  EXPECT_EQ(code_of([&] {
              strided::reference::strided_slice_assign(by_reference.view(layout), spec,
                                                       values.view(value), rules);
            }),
            assigned)
      << "value " << describe(value);
  EXPECT_TRUE(by_engine == by_reference) << "value " << describe(value);
  EXPECT_TRUE(code == ErrorCode::ok || assigned == code);
  EXPECT_TRUE(assigned == ErrorCode::ok || by_engine == before);
  ++(assigned == ErrorCode::ok ? tally.accepted : tally.refused);
}

TEST(StridedSliceProperty, RandomSpecsEqualReference) {
  Tally tally;
  run_cases(12000, [&](Random& random) {
    check_random_slice<Bytes<1>>(random, tally);
    check_random_slice<float>(random, tally);
    check_random_slice<Bytes<6>>(random, tally);
  });
  std::printf("%lld assignments accepted, %lld refused\n", static_cast<long long>(tally.accepted),
              static_cast<long long>(tally.refused));
}

// Two dimensions, every begin, end and stride around them, every one of the 1024 combinations of
// masks: one case in STRIDED_TEST_EVERY (1: all of them, about ten minutes).
TEST(StridedSliceProperty, TwoDimensionsAllMasks) {
  // Shares no factor with the counts below.
  constexpr std::uint64_t kUsualStep = kOneCaseIn == 1 ? 301 : 1201;
  constexpr std::uint64_t kPositions = 9;  // -4 to 4
  constexpr std::uint64_t kStrides = 5;    // -2 to 2
  constexpr std::uint64_t kCases =
      kPositions * kPositions * kPositions * kPositions * kStrides * kStrides * 1024;
  const std::uint64_t every = number_from_environment("STRIDED_TEST_EVERY", kUsualStep);
  std::vector<std::int64_t> storage = arange(6);
  const StridedView<std::int64_t> var(storage, {2, 3});
  Tally tally;
  for (std::uint64_t number = 0; number < kCases && !HasFailure(); number += every) {
    std::uint64_t left = number;
    const auto take = [&left](std::uint64_t count) {
      const std::uint64_t taken = left % count;
      left /= count;
      return static_cast<std::int64_t>(taken);
    };
    const auto position = [&] { return take(kPositions) - 4; };
    const auto mask = [&] { return static_cast<std::uint32_t>(take(4)); };
    StridedSliceSpec spec;
    spec.begin = {position(), position()};
    spec.end = {position(), position()};
    spec.strides = {take(kStrides) - 2, take(kStrides) - 2};
    spec.begin_mask = mask();
    spec.end_mask = mask();
    spec.ellipsis_mask = mask();
    spec.new_axis_mask = mask();
    spec.shrink_axis_mask = mask();
    const auto slice = strided::try_strided_slice(var.layout(), spec);
    StridedView<std::int64_t> golden;
    const ErrorCode code = code_of([&] { golden = strided::reference::strided_slice(var, spec); });
    ++(code == ErrorCode::ok ? tally.accepted : tally.refused);
    ASSERT_EQ(slice ? ErrorCode::ok : slice.error().code, code) << describe_spec(spec);
    if (!slice) continue;
    ASSERT_EQ(slice->shape(), golden.shape()) << describe_spec(spec);
    for (std::int64_t k = 0; k < slice->size(); ++k) {
      ASSERT_EQ(slice->offset_of_position(k), golden.layout().offset_of_position(k))
          << describe_spec(spec);
    }
  }
  std::printf("1 of %llu of %llu cases: %lld slices accepted, %lld refused\n",
              static_cast<unsigned long long>(every), static_cast<unsigned long long>(kCases),
              static_cast<long long>(tally.accepted), static_cast<long long>(tally.refused));
}

}  // namespace
}  // namespace strided_test
