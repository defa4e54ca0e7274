// What the views of xtensor's expressions say.
#pragma once

#if defined(STRIDED_TEST_XTENSOR)

#include <array>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>
#include <xtensor/xadapt.hpp>
#include <xtensor/xarray.hpp>
#include <xtensor/xstrided_view.hpp>

#include "messages/row.hpp"
#include "strided/interop/xtensor.hpp"

namespace strided_test::messages {

inline constexpr std::ptrdiff_t kLongest = std::numeric_limits<std::ptrdiff_t>::max();

inline auto adapted(int* first) {
  return xt::adapt(static_cast<int*>(first), 6, xt::no_ownership(),
                   std::array<std::size_t, 2>{2, 3});
}
inline void view_xtensor_by(std::ptrdiff_t stride) {
  auto flat = xt::adapt(static_cast<int*>(storage), 100, xt::no_ownership(),
                        std::array<std::size_t, 1>{100});
  drop(from_xtensor(
      xt::strided_view(flat, std::vector<std::size_t>{3}, std::vector<std::ptrdiff_t>{stride}, 0)));
}

// clang-format off
inline const std::vector<Row> kXtensorRows{
    {ErrorCode::rank_too_large, [] { xt::xarray<int> deep(std::vector<std::size_t>(33, 1)); drop(from_xtensor(deep)); },
     "from_xtensor: the shape of the expression has 33 entries, at most 32 are allowed"},
    {ErrorCode::null_data, [] { drop(from_xtensor(adapted(nullptr))); },
     "from_xtensor: storage is null, and there are 6 elements to touch; allocate them first"},
    {ErrorCode::misaligned, [] { drop(from_xtensor(adapted(reinterpret_cast<int*>(reinterpret_cast<char*>(storage) + 1)))); },
     "from_xtensor: the address of storage is 1 byte past a multiple of 4, the alignment of the element type; copy the bytes to aligned memory first"},
    {ErrorCode::overflow, [] { view_xtensor_by(kLongest / 4); },
     "from_xtensor: the reach of the strides is " + std::to_string(kLongest / 4 * 2) + ", in bytes it exceeds " + most_bytes()},
};
// clang-format on

}  // namespace strided_test::messages

#endif  // there is xtensor
