// expect: assignment of read-only location|returns a const value
#include <strided/strided.hpp>
#include <vector>

void write(const std::vector<float>& storage) {
  strided::StridedView<const float> view(storage, {2, 3});
#ifdef STRIDED_CONTROL
  static_cast<void>(view(0, 0));
#else
  view(0, 0) = 1.0F;
#endif
}
