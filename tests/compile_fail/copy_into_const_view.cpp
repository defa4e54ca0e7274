// expect: the elements of the destination are const
#include <strided/strided.hpp>

#ifdef STRIDED_CONTROL
using Element = float;
#else
using Element = const float;
#endif

void write(strided::StridedView<const float> source, strided::StridedView<Element> target) {
  strided::copy(source, target);
}
