// expect: see from_pointer
#include <strided/strided.hpp>

void make(float* first) {
#ifdef STRIDED_CONTROL
  const auto view = strided::StridedView<float>::from_pointer(first, {2, 3});
#else
  const strided::StridedView<float> view(first, {2, 3});
#endif
  static_cast<void>(view);
}
