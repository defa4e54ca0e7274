// The first program: a view and a permuted copy of it. The README shows it too.
#include <cstdio>
#include <numeric>
#include <strided/strided.hpp>
#include <vector>

int main() {
  std::vector<float> storage(100);
  std::iota(storage.begin(), storage.end(), 0.0F);

  strided::StridedView<float> v(storage, {6, 5}, {10, 1}, 22);  // shape, strides, offset
  std::printf("v(1, 2) = %g, %d axes, %lld elements\n", v(1, 2), v.rank(),
              static_cast<long long>(v.size()));

  std::vector<float> columns(30);
  strided::copy(v.permute({1, 0}), strided::StridedView<float>(columns, {5, 6}));
  std::printf("first column: %g %g %g ...\n", columns[0], columns[1], columns[2]);

  try {
    (void)strided::StridedView<float>(storage, {8, 5}, {10, 1}, 32);  // one row too many
  } catch (const strided::Error& error) {
    std::printf("%s\n", error.what());
  }
}
