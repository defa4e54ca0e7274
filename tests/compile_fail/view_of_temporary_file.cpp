// expect: .*temporary.* will be destroyed at the end of the full-expression
// options: -Werror=dangling
// compiler: Clang
#include <strided/interop/npy.hpp>

float first() {
#ifdef STRIDED_CONTROL
  const strided::NpyFile file = strided::NpyFile::open("a.npy");
  const auto view = file.view<float>();
#else
  const auto view = strided::NpyFile::open("a.npy").view<float>();
#endif
  return view(0);
}

// Within one expression the file lives long enough.
float first_at_once() {
  return strided::NpyFile::open("a.npy").view<float>()(0);
}
