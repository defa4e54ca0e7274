// expect: the elements of the destination are const
#include <strided/strided.hpp>

#ifdef STRIDED_CONTROL
using Element = float;
#else
using Element = const float;
#endif

void clear(strided::StridedView<Element> view) {
  strided::fill(view, 0.0F);
}
