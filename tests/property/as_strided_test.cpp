// as_strided: small views exhaustively, each on exactly enough storage and on one element too few;
// then the three forms at random against the reference, refusals included.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "strided/reference/reference.hpp"
#include "strided/strided.hpp"
#include "support/generate.hpp"
#include "support/random.hpp"
#include "support/vectors.hpp"

namespace strided_test {
namespace {

using strided::AsStridedParam;
using strided::Dims;
using strided::ErrorCode;
using strided::Layout;
using strided::Rules;
using strided::StridedView;

using View = StridedView<std::int64_t>;

struct Counts {
  std::int64_t views = 0;
  std::int64_t refused = 0;
};

ErrorCode code_on(std::span<std::int64_t> storage, const Dims& size, const Dims& stride,
                  std::int64_t offset, Rules rules) {
  const View x(storage, {static_cast<std::int64_t>(storage.size())});
  return code_of([&] { (void)strided::as_strided(x, size, stride, offset, rules); });
}

// The view that starts as low as it can, on a storage that ends where the view does.
void check_tight_view(const Dims& size, const Dims& stride, Counts& counts) {
  std::vector<std::int64_t> touched;  // relative to the first element, in logical order
  strided::reference::detail::for_each_index(size, [&](const Dims& index) {
    std::int64_t at = 0;
    for (std::size_t i = 0; i < index.size(); ++i) at += index[i] * stride[i];
    touched.push_back(at);
  });
  std::int64_t low = 0;
  std::int64_t high = -1;
  if (!touched.empty()) {
    low = *std::min_element(touched.begin(), touched.end());
    high = *std::max_element(touched.begin(), touched.end());
  }
  std::vector<std::int64_t> storage = arange(high - low + 1);
  for (std::int64_t& at : touched) at -= low;
  const View x(storage, {high - low + 1});
  const View view = strided::as_strided(x, size, stride, -low);
  ASSERT_EQ(values_of(view), touched);
  ASSERT_EQ(view.shape(), size);
  ++counts.views;

  // Lawful for torch and ascend too, or refused for the stride or the size.
  const bool negative = std::any_of(stride.begin(), stride.end(), [](auto s) { return s < 0; });
  ASSERT_EQ(code_on(storage, size, stride, -low, Rules::torch),
            negative ? ErrorCode::negative_stride : ErrorCode::ok);
  ASSERT_EQ(code_on(storage, size, stride, -low, Rules::ascend),
            touched.empty() ? ErrorCode::nonpositive_size
            : negative      ? ErrorCode::negative_stride
                            : ErrorCode::ok);
  if (touched.empty()) {  // touches nothing: lies in any storage, anywhere
    ASSERT_EQ(code_on({}, size, stride, 7, Rules::strided), ErrorCode::ok);
    return;
  }
  const std::span<std::int64_t> all(storage);
  ASSERT_EQ(code_on(all.first(all.size() - 1), size, stride, -low, Rules::strided),
            ErrorCode::out_of_bounds);
  ASSERT_EQ(code_on(all, size, stride, -low + 1, Rules::strided), ErrorCode::out_of_bounds);
  ASSERT_EQ(code_on(all, size, stride, -low - 1, Rules::strided),
            low == 0 ? ErrorCode::negative_offset : ErrorCode::out_of_bounds);
  counts.refused += 3;
}

TEST(AsStridedProperty, SmallViewsExhaustively) {
  Counts counts;
  for (std::size_t rank = 0; rank <= 3; ++rank) {
    Dims size = Dims::filled(rank, 0);
    do {
      Dims stride = Dims::filled(rank, -3);
      do {
        check_tight_view(size, stride, counts);
        if (HasFailure()) {
          FAIL() << "size " << to_string(size) << " stride " << to_string(stride);
        }
      } while (next_list(stride, -3, 3));
    } while (next_list(size, 0, 3));
  }
  std::printf("%lld views on exactly enough storage, %lld refusals for one element\n",
              static_cast<long long>(counts.views), static_cast<long long>(counts.refused));
  EXPECT_EQ(counts.views, 1 + 4 * 7 + 16 * 49 + 64 * 343);
}

// Parameters that mostly fit a vector of `have` elements, now and then faulty or huge.
AsStridedParam random_param(Random& random, std::int64_t have) {
  AsStridedParam param;
  param.size = random.chance(5) ? Dims::filled(9, 1) : random_shape(random, 40, 4);
  const std::int64_t reach = std::max<std::int64_t>(have / 3, 1);
  for (std::size_t i = 0; i < param.size.size(); ++i) {
    param.stride.push_back(
        random.between(random.chance(20) ? -3 : 0, std::min<std::int64_t>(reach, 5)));
  }
  param.offset.push_back(random.between(0, reach));
  if (random.chance(10)) {
    static constexpr std::int64_t kOdd[] = {-1, 0, strided::kInt64Max, strided::kInt64Min,
                                            std::int64_t{1} << 40};
    Dims& list = random.chance(40) ? param.size : random.chance(60) ? param.stride : param.offset;
    if (list.empty()) {
      list.push_back(1);
    } else {
      list[random.between(0, static_cast<std::int64_t>(list.size()) - 1)] = random.pick(kOdd);
    }
  }
  if (random.chance(2))
    param.offset = Dims::filled(static_cast<std::size_t>(random.between(0, 2)), 0);
  return param;
}

std::string describe_param(const AsStridedParam& param, Rules rules) {
  return "size " + to_string(param.size) + " stride " + to_string(param.stride) + " offset " +
         to_string(param.offset) + ", rules " + std::to_string(static_cast<int>(rules));
}

bool has_sane_size(const Dims& size) {
  std::int64_t count = 1;
  for (std::int64_t extent : size) {
    if (extent < 0 || extent > 10000) return false;
    count *= std::max<std::int64_t>(extent, 1);
    if (count > 10000) return false;
  }
  return true;
}

template <class T>
void check_random_form(Random& random, std::int64_t& accepted, std::int64_t& refused) {
  static constexpr Rules kRules[] = {Rules::strided, Rules::torch, Rules::ascend, Rules::ascend};
  const Layout x_layout = random_layout(random, random_shape(random, 300, 4));
  Arena<T> x = Arena<T>::for_layout(random, x_layout);
  const Rules rules = random.pick(kRules);
  const auto have =
      rules == Rules::ascend ? x_layout.size() : static_cast<std::int64_t>(x.storage().size());
  const AsStridedParam param = random_param(random, have);
  SCOPED_TRACE("x " + strided_test::describe(x_layout) + ", " + describe_param(param, rules));

  // The copying form, to any y; with the shape wrong, or overlapping itself, now and then.
  const Dims y_shape =
      has_sane_size(param.size) && random.chance(95) ? param.size : random_shape(random, 30, 3);
  const Layout y =
      random.chance(90) ? random_unique_layout(random, y_shape) : random_layout(random, y_shape);
  Arena<T> by_engine = Arena<T>::for_layout(random, y);
  Arena<T> by_reference = by_engine;
  const Arena<T> before = by_engine;
  const ErrorCode code =
      code_of([&] { strided::as_strided_copy(x.view(x_layout), param, by_engine.view(y), rules); });
  EXPECT_EQ(code_of([&] {
              strided::reference::as_strided_copy(x.view(x_layout), param, by_reference.view(y),
                                                  rules);
            }),
            code)
      << "y " << describe(y);
  EXPECT_TRUE(by_engine == by_reference) << "y " << describe(y);
  EXPECT_TRUE(code == ErrorCode::ok || by_engine == before);
  ++(code == ErrorCode::ok ? accepted : refused);
  if (param.offset.size() != 1) return;

  // The view.
  StridedView<T> view;
  StridedView<T> golden;
  const std::int64_t offset = param.offset[0];
  const ErrorCode viewed = code_of([&] {
    view = strided::as_strided(x.view(x_layout), param.size, param.stride, offset, rules);
  });
  EXPECT_EQ(code_of([&] {
              golden = strided::reference::as_strided(x.view(x_layout), param.size, param.stride,
                                                      offset, rules);
            }),
            viewed);
  EXPECT_EQ(view.shape(), golden.shape());
  const auto looked_at = std::min<std::int64_t>(view.size(), 1000);  // stride 0: may be enormous
  for (std::int64_t k = 0; k < looked_at && !testing::Test::HasFailure(); ++k) {
    EXPECT_EQ(view.layout().offset_of_position(k), golden.layout().offset_of_position(k));
  }

  // The scattering form, with values of the wanted shape or another.
  const Layout value = random_layout(random, y_shape);
  Arena<T> values = Arena<T>::for_layout(random, value);
  Arena<T> x_by_engine = x;
  Arena<T> x_by_reference = x;
  const ErrorCode scattered = code_of([&] {
    strided::as_strided_scatter(x_by_engine.view(x_layout), param.size, param.stride, offset,
                                values.view(value), rules);
  });
  EXPECT_EQ(code_of([&] {
              strided::reference::as_strided_scatter(x_by_reference.view(x_layout), param.size,
                                                     param.stride, offset, values.view(value),
                                                     rules);
            }),
            scattered);
  EXPECT_TRUE(x_by_engine == x_by_reference);
  EXPECT_TRUE(scattered == ErrorCode::ok || x_by_engine == x);
  EXPECT_TRUE(viewed == ErrorCode::ok || scattered == viewed);
}

TEST(AsStridedProperty, AllFormsEqualReference) {
  std::int64_t accepted = 0;
  std::int64_t refused = 0;
  run_cases(12000, [&](Random& random) {
    check_random_form<Bytes<2>>(random, accepted, refused);
    check_random_form<Bytes<5>>(random, accepted, refused);
    check_random_form<double>(random, accepted, refused);
  });
  std::printf("%lld as_strided_copy accepted, %lld refused\n", static_cast<long long>(accepted),
              static_cast<long long>(refused));
}

// x and y in one memory: what is read is what was there before.
TEST(AsStridedProperty, OverlappingOperandsEqualReference) {
  using T = Bytes<4>;
  run_cases(6000, [](Random& random) {
    const Layout x = random_layout(random, random_shape(random, 60, 3));
    const AsStridedParam param = random_param(random, x.size());
    const Dims y_shape = has_sane_size(param.size) ? param.size : Dims{};
    const Layout y = random_unique_layout(random, y_shape);
    const auto end_of = [](const Layout& l) { return l.empty() ? 0 : l.bounds().highest + 1; };
    Arena<T> by_engine(random, std::max(end_of(x), end_of(y)));
    Arena<T> by_reference = by_engine;
    SCOPED_TRACE("x " + describe(x) + " y " + describe(y) + ", " +
                 describe_param(param, Rules::ascend));
    const ErrorCode code =
        code_of([&] { strided::as_strided_copy(by_engine.view(x), param, by_engine.view(y)); });
    EXPECT_EQ(code_of([&] {
                strided::reference::as_strided_copy(by_reference.view(x), param,
                                                    by_reference.view(y));
              }),
              code);
    EXPECT_TRUE(by_engine == by_reference);
  });
}

}  // namespace
}  // namespace strided_test
