// expect: source and destination have different element types
#include <strided/strided.hpp>

#ifdef STRIDED_CONTROL
using Element = float;
#else
using Element = double;
#endif

void assign(strided::StridedView<float> variable, strided::StridedView<const Element> value) {
  strided::strided_slice_assign(variable, strided::StridedSliceSpec{{0}, {2}, {1}}, value);
}
