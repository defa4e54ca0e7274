// expect: of const, not of T
#include <strided/strided.hpp>
#include <vector>

#ifdef STRIDED_CONTROL
using Element = const float;
#else
using Element = float;
#endif

void make(const std::vector<float>& storage) {
  const strided::StridedView<Element> view(storage, {2, 3}, {3, 1});
  static_cast<void>(view);
}
