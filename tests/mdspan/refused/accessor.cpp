// expect: from_mdspan takes mdspans with default_accessor or aligned_accessor only
#include <mdspan>

#include "strided/interop/mdspan.hpp"

struct Negated {
  using offset_policy = Negated;
  using element_type = const int;
  using reference = int;
  using data_handle_type = const int*;
  reference access(data_handle_type p, std::size_t i) const noexcept { return -p[i]; }
  data_handle_type offset(data_handle_type p, std::size_t i) const noexcept { return p + i; }
};
#ifdef STRIDED_CONTROL
using Accessor = std::default_accessor<const int>;
#else
using Accessor = Negated;
#endif

const int four[4]{};

void make() {
  using Extents = std::dextents<int, 1>;
  const std::mdspan<const int, Extents, std::layout_right, Accessor> elements(four, 4);
  static_cast<void>(strided::from_mdspan(elements));
}
