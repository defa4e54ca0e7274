// expect: to_mdspan makes layout_stride, layout_right and layout_left, no other layout
#include "layouts.hpp"
#include "strided/interop/mdspan.hpp"

#ifdef STRIDED_CONTROL
using Policy = std::layout_left;
#else
using Policy = mdspan_test::LayoutReverse;
#endif

void make(const strided::StridedView<int>& view) {
  static_cast<void>(strided::to_mdspan<1, Policy>(view));
}
