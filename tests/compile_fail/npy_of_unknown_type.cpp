// expect: write_npy: what NumPy calls these elements is not known
#include <strided/interop/npy.hpp>

struct Half {
  unsigned short bits;
};

#ifdef STRIDED_CONTROL
template <>
inline constexpr char strided::kNpyKind<Half> = 'f';
#endif

void write(strided::StridedView<const Half> view) {
  strided::write_npy("a.npy", view);
}
