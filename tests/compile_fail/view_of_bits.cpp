// expect: of const, not of T
#include <memory>
#include <span>
#include <strided/strided.hpp>
#include <vector>

#ifdef STRIDED_CONTROL
using Storage = std::span<bool>;
#else
using Storage = std::vector<bool>&;
#endif

void make(Storage storage) {
  const strided::StridedView<bool> view(storage, {2, 3});
  static_cast<void>(view);
}
