// Every operator on a storage that is exactly long enough, and on one that is an element short: the
// first is taken, the second refused before anything is written.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <span>
#include <string>
#include <vector>

#include "interop/npy_support.hpp"
#include "strided/interop/npy.hpp"
#include "strided/reference/reference.hpp"
#include "strided/strided.hpp"
#include "support/generate.hpp"
#include "support/library_path.hpp"
#include "support/random.hpp"
#include "support/reference_path.hpp"
#include "support/vectors.hpp"

namespace strided_test {
namespace {

using strided::ErrorCode;
using strided::Layout;
using strided::Rules;

using Element = std::uint16_t;
using ElementView = strided::StridedView<Element>;

// Elements of which the last may be left out.
struct Stretch {
  std::vector<Element> elements;
  std::int64_t needed;

  Stretch(Random& random, std::int64_t count) : needed(count) {
    for (std::int64_t k = 0; k < count + 1; ++k) {
      elements.push_back(static_cast<Element>(random.bits()));
    }
  }
  // `less`: so many elements short.
  std::span<Element> storage(std::int64_t less) {
    return std::span<Element>(elements).first(static_cast<std::size_t>(needed - less));
  }
};

struct ShortTally {
  std::int64_t taken = 0;
  std::int64_t refused = 0;
};

// `call(a_less, b_less)` uses as much of two stretches: taken with all of both, refused with one
// short, when both hold what they held.
template <class Call>
void expect_all_needed(const char* what, Stretch& a, Stretch& b, ShortTally& tally, Call call) {
  const std::vector<Element> before_a = a.elements;
  const std::vector<Element> before_b = b.elements;
  for (const int run : {1, 2, 0}) {
    const std::int64_t a_less = run == 1 ? 1 : 0;
    const std::int64_t b_less = run == 2 ? 1 : 0;
    if ((a_less == 1 && a.needed == 0) || (b_less == 1 && b.needed == 0)) continue;
    const ErrorCode code = code_of([&] { call(a_less, b_less); });
    EXPECT_EQ(code, a_less + b_less == 0 ? ErrorCode::ok : ErrorCode::out_of_bounds)
        << what << ", " << a_less << " and " << b_less << " short";
    if (a_less + b_less == 0) {
      ++tally.taken;
    } else {
      ++tally.refused;
      EXPECT_EQ(a.elements, before_a) << what;
      EXPECT_EQ(b.elements, before_b) << what;
    }
  }
}

template <class Path>
void check_short_storages(Random& random, ShortTally& tally) {
  strided::Dims shape = random_shape(random, 60, 4);
  const Layout src = random_layout(random, shape);
  const Layout dst = random_unique_layout(random, shape);
  SCOPED_TRACE(describe(src) + " -> " + describe(dst));
  const auto extent = [](const Layout& l) { return l.empty() ? 0 : l.bounds().highest + 1; };
  Stretch a(random, extent(src));
  Stretch b(random, extent(dst));
  const auto from = [&](std::int64_t less) { return ElementView(a.storage(less), src); };
  const auto to = [&](std::int64_t less) { return ElementView(b.storage(less), dst); };

  expect_all_needed("copy", a, b, tally,
                    [&](auto less, auto dst_less) { Path::copy(from(less), to(dst_less)); });
  expect_all_needed("fill", a, b, tally, [&](auto less, auto dst_less) {
    (void)from(less);
    Path::fill(to(dst_less), Element{7});
  });
  expect_all_needed("bitwise_equal", a, b, tally, [&](auto less, auto dst_less) {
    (void)Path::bitwise_equal(from(less), to(dst_less));
  });
  expect_all_needed("strided_slice_assign", a, b, tally, [&](auto less, auto dst_less) {
    Path::strided_slice_assign(to(dst_less), strided::StridedSliceSpec(), from(less),
                               Rules::strided);
  });

  // The parameters address the storage; or, for ascend, the elements of x, of which one is missing.
  const strided::AsStridedParam param{shape, src.strides(), strided::Dims{src.offset()}};
  const auto vector = [&](Stretch& s, std::int64_t less) {
    return ElementView(s.storage(less), {s.needed - less});
  };
  const auto target_param = [&](const auto& call) {
    return call(dst.shape(), dst.strides(), dst.offset());
  };
  const auto forms = [&](Rules rules, const std::string& name) {
    expect_all_needed(("as_strided_copy" + name).c_str(), a, b, tally,
                      [&](auto less, auto dst_less) {
                        Path::as_strided_copy(vector(a, less), param, to(dst_less), rules);
                      });
    expect_all_needed(("as_strided" + name).c_str(), a, b, tally, [&](auto less, auto dst_less) {
      (void)to(dst_less);
      (void)Path::as_strided(vector(a, less), shape, src.strides(), src.offset(), rules);
    });
    expect_all_needed(
        ("as_strided_scatter" + name).c_str(), a, b, tally, [&](auto less, auto dst_less) {
          target_param([&](const auto&... numbers) {
            Path::as_strided_scatter(vector(b, dst_less), numbers..., from(less), rules);
          });
        });
  };
  forms(Rules::strided, "");
  const auto positive = [](const Layout& l) {
    bool all = !l.empty() && l.rank() <= 8;
    for (const std::int64_t stride : l.strides()) all = all && stride >= 0;
    return all;
  };
  if (positive(src) && positive(dst)) {
    forms(Rules::torch, ", torch");
    forms(Rules::ascend, ", ascend");
  }
}

TEST(ShortStorage, OneElementLessIsRefused) {
  ShortTally tally;
  run_cases(3000, [&](Random& random) {
    check_short_storages<LibraryPath>(random, tally);
    check_short_storages<ReferencePath>(random, tally);
  });
  std::printf("%lld calls on exactly enough storage, %lld on one element less\n",
              static_cast<long long>(tally.taken), static_cast<long long>(tally.refused));
}

// Files count too: one byte short is no array.
TEST(ShortStorage, OneByteOfAFileLessIsRefused) {
  run_cases(300, [](Random& random) {
    const strided::Dims shape = random_shape(random, 60, 4);
    const bool fortran = random.chance(50);
    const strided::NpyDtype dtype = strided::npy_dtype_of<Element>();
    const std::string header = strided::make_npy_header(dtype, shape, fortran);
    const std::size_t bytes = static_cast<std::size_t>(Layout(shape).size()) * sizeof(Element);
    const std::string file = header + std::string(bytes, 'x');
    EXPECT_EQ(npy_support::parse(file).data_bytes, static_cast<std::int64_t>(bytes));
    EXPECT_EQ(code_of([&] { (void)npy_support::parse(file.substr(0, file.size() - 1)); }),
              ErrorCode::file_format)
        << to_string(shape);
  });
}

}  // namespace
}  // namespace strided_test
