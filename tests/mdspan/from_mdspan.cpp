// std::mdspan -> StridedView.
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <mdspan>
#include <numeric>
#include <type_traits>
#include <vector>

#include "check.hpp"
#include "layouts.hpp"
#include "strided/interop/mdspan.hpp"
#include "strided/view/strided_view.hpp"

namespace mdspan_test {
namespace {

using strided::Dims;
using strided::from_mdspan;
using strided::Layout;
using strided::StridedView;
using strided::try_from_mdspan;

void check_layouts() {
  std::vector<double> storage(60);
  std::iota(storage.begin(), storage.end(), 0.0);

  const std::mdspan right(storage.data(), 3, 4, 5);
  const StridedView<double> v = from_mdspan(right);
  CHECK(v.layout() == Layout({3, 4, 5}) && v.storage().size() == 60);
  CHECK(v.storage().data() == storage.data() && v(2, 3, 4) == 59.0);
  v(0, 0, 0) = -1.0;  // the same memory
  CHECK((right[0, 0, 0]) == -1.0);

  using Extents = std::extents<int, 3, std::dynamic_extent>;
  const std::mdspan<const double, Extents, std::layout_left> left(storage.data(), 4);
  const auto u = from_mdspan(left);
  static_assert(std::is_same_v<decltype(u), const StridedView<const double>>);
  CHECK(u.layout() == Layout({3, 4}, {1, 3}) && u.storage().size() == 12);

  const std::layout_stride::mapping<std::dextents<std::uint16_t, 2>> gaps(
      std::dextents<std::uint16_t, 2>(3, 4), std::array<int, 2>{1, 12});
  const auto w = from_mdspan(std::mdspan(storage.data() + 2, gaps));
  CHECK(w.layout() == Layout({3, 4}, {1, 12}) && w.storage().size() == 39);
  CHECK(w(2, 3) == 40.0);

  const std::mdspan<double, std::extents<int>> scalar(storage.data() + 7);
  CHECK(from_mdspan(scalar).layout() == Layout() && from_mdspan(scalar)() == 7.0);
  CHECK(from_mdspan(scalar).storage().size() == 1);
}

void check_empty() {
  const std::mdspan<int, std::dextents<int, 2>> none;
  CHECK(from_mdspan(none).layout() == Layout({0, 0}) && from_mdspan(none).storage().empty());
  const std::mdspan<int, std::extents<int, 3, 0, 5>, std::layout_left> fixed(nullptr);
  CHECK(from_mdspan(fixed).shape() == Dims{3, 0, 5});
  // No stride of it fits its index type.
  constexpr std::int64_t kHuge = std::int64_t{1} << 40;
  const std::mdspan<int, std::dextents<std::int64_t, 3>> huge(nullptr, 0, kHuge, kHuge);
  CHECK(from_mdspan(huge).shape() == Dims{0, kHuge, kHuge});
}

void check_other_layouts() {
  std::vector<int> storage{0, 1, 2, 3, 4};
  using Extents = std::dextents<int, 1>;
  using Reverse = LayoutReverse::mapping<Extents>;
  const auto v = from_mdspan(std::mdspan(storage.data(), Reverse(Extents(5))));
  CHECK(v.layout() == Layout({5}, {-1}, 4) && v(0) == 4 && v(4) == 0);
  CHECK(from_mdspan(std::mdspan(storage.data(), Reverse(Extents(0)))).empty());

  using Square = std::dextents<int, 2>;
  using Blocks = LayoutBlocks::mapping<Square>;
  CHECK(from_mdspan(std::mdspan(storage.data(), Blocks(Square(2, 2))))(1, 1) == 3);
  CHECK(!try_from_mdspan(std::mdspan(storage.data(), Blocks(Square(2, 3)))));
}

void check_refused_numbers() {
  using Wide = std::dextents<std::uint64_t, 1>;
  constexpr std::uint64_t kTwoTo63 = std::uint64_t{1} << 63;
  std::array<char, 8> storage{};
  CHECK(!try_from_mdspan(std::mdspan(storage.data(), Wide(kTwoTo63))));
  const auto strided_by = [&](std::uint64_t extent, std::uint64_t stride) {
    return std::mdspan(storage.data(), std::layout_stride::mapping<Wide>(
                                           Wide(extent), std::array<std::uint64_t, 1>{stride}));
  };
  CHECK_REFUSED(from_mdspan(strided_by(2, kTwoTo63)), overflow,
                "from_mdspan: strides[0] is 9223372036854775807, with it an offset no longer fits "
                "64 bits");
  CHECK(from_mdspan(strided_by(1, kTwoTo63)).storage().size() == 1);
  // More bytes than an address space has.
  std::array<std::int16_t, 2> words{};
  CHECK_REFUSED(from_mdspan(std::mdspan(words.data(), Wide(kTwoTo63 / 2))), overflow,
                "from_mdspan: required_span_size() is 4611686018427387904, in bytes it exceeds "
                "9223372036854775807");
}

void check_refused_memory() {
  const std::mdspan<int, std::dextents<int, 2>> null(nullptr, 2, 3);
  CHECK(try_from_mdspan(null).error().code == strided::ErrorCode::null_data);
  alignas(int) std::array<char, 16> bytes{};
  const std::mdspan odd(reinterpret_cast<int*>(bytes.data() + 1), 3);
  CHECK(try_from_mdspan(odd).error().code == strided::ErrorCode::misaligned);
}

#if defined(__cpp_lib_aligned_accessor)
void check_accessors() {
  alignas(64) std::array<int, 6> six{};
  using Accessor = std::aligned_accessor<int, 64>;
  const std::mdspan<int, std::dextents<int, 2>, std::layout_right, Accessor> aligned(six.data(), 2,
                                                                                     3);
  CHECK(from_mdspan(aligned).layout() == Layout({2, 3}));
}
#else
void check_accessors() {}
#endif

constexpr bool works_in_constant_expressions() {
  std::array<int, 6> six{0, 1, 2, 3, 4, 5};
  return from_mdspan(std::mdspan(six.data(), 2, 3)).transpose(0, 1)(2, 1) == 5;
}
static_assert(works_in_constant_expressions());

}  // namespace

void check_from_mdspan() {
  check_layouts();
  check_empty();
  check_other_layouts();
  check_refused_numbers();
  check_refused_memory();
  check_accessors();
}

}  // namespace mdspan_test
