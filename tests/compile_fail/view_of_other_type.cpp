// expect: of const, not of T
#include <strided/strided.hpp>
#include <vector>

#ifdef STRIDED_CONTROL
using Element = float;
#else
using Element = double;
#endif

void make(std::vector<Element>& storage) {
  strided::StridedView<float> view(storage, {2, 3});
  static_cast<void>(view);
}
