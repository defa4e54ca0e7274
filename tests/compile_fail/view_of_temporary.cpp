// expect: (use of deleted function|call to deleted constructor of) .*StridedView
#include <strided/strided.hpp>
#include <vector>

void make() {
#ifdef STRIDED_CONTROL
  std::vector<float> storage(6);
  strided::StridedView<float> view(storage, {2, 3});
#else
  strided::StridedView<float> view(std::vector<float>(6), {2, 3});
#endif
  static_cast<void>(view);
}
