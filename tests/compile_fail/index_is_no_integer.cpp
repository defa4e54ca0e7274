// expect: no match for call to|no matching function for call to object
#include <strided/strided.hpp>

#ifdef STRIDED_CONTROL
using Index = int;
#else
using Index = float;
#endif

float read(strided::StridedView<const float> view, Index index) {
  return view(0, index);
}
