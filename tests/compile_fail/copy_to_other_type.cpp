// expect: source and destination have different element types
#include <strided/strided.hpp>

#ifdef STRIDED_CONTROL
using Element = float;
#else
using Element = double;
#endif

void convert(strided::StridedView<float> source, strided::StridedView<Element> target) {
  strided::copy(source, target);
}
