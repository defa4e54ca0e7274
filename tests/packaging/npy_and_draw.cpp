// Of the single header with draw.hpp and interop/npy.hpp in it: there is nothing else to include.
#include <strided/strided.hpp>
//
#include <cstdio>
#include <vector>

int main() {
  std::vector<float> storage{0, 1, 2, 3, 4, 5};
  const strided::StridedView<float> view(storage, {2, 3});
  strided::write_npy("a.npy", view.transpose(0, 1));
  const strided::NpyFile file = strided::NpyFile::open("a.npy");
  std::fputs(strided::draw(view).c_str(), stdout);
  return strided::bitwise_equal(view.transpose(0, 1), file.view<float>()) ? 0 : 1;
}
