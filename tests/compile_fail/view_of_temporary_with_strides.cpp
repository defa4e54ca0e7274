// expect: would dangle
#include <strided/strided.hpp>
#include <vector>

std::vector<float> make();

float first() {
#ifdef STRIDED_CONTROL
  const std::vector<float> storage = make();
  const strided::StridedView<const float> view(storage, {2, 3}, {3, 1});
#else
  const strided::StridedView<const float> view(make(), {2, 3}, {3, 1});
#endif
  return view(0, 0);
}
