// expect: (passing .*StridedView.* as .this. argument discards qualifiers|no viable overloaded '=')
#include <strided/strided.hpp>

void copy_row(const strided::StridedView<float>& from, const strided::StridedView<float>& to) {
#ifdef STRIDED_CONTROL
  strided::copy(from.select(0, 1), to.select(0, 0));
#else
  to.select(0, 0) = from.select(0, 1);
#endif
}
