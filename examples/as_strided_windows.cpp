// AsStrided: the example in the operator's documentation, sliding windows without copying, and
// writing through.
#include <cstdio>
#include <numeric>
#include <strided/strided.hpp>
#include <vector>

using strided::StridedView;

namespace {

template <class T>
void print(const char* title, const StridedView<T>& matrix) {
  std::printf("%s\n", title);
  for (int row = 0; row < matrix.shape()[0]; ++row) {
    for (const auto& element : matrix.select(0, row))
      std::printf(" %3d", static_cast<int>(element));
    std::printf("\n");
  }
}

}  // namespace

int main() {
  // The operator: out[i][j] = x_flat[i * stride[0] + j * stride[1] + offset].
  std::vector<int> nine(9);
  std::iota(nine.begin(), nine.end(), 1);
  const StridedView<int> x(nine, {3, 3});
  std::vector<int> four(4);
  const StridedView<int> y(four, {2, 2});
  strided::as_strided_copy(x, {.size = {2, 2}, .stride = {2, 3}, .offset = {0}}, y);
  print("size (2, 2), stride (2, 3), offset 0:", y);
  strided::as_strided_copy(x, {.size = {2, 2}, .stride = {2, 3}, .offset = {2}}, y);
  print("the same from offset 2:", y);

  // Windows are views: equal strides, shared elements, nothing copied.
  std::vector<int> series(8);
  std::iota(series.begin(), series.end(), 0);
  const StridedView<int> line(series, {8});
  print("windows of 3, one apart:", strided::as_strided(line, {6, 3}, {1, 1}, 0));
  print("the same said by name, two apart:", line.windows(0, 3, 2));

  // Writing through: the inverse of the operator. Windows that share elements are refused.
  strided::as_strided_scatter(line, {2, 2}, {4, 1}, 2, y);
  print("after writing the 2 x 2 result to offset 2, rows 4 apart:", line.reshape({2, 4}));
  try {
    strided::fill(line.windows(0, 3, 1), 0);
  } catch (const strided::Error& error) {
    std::printf("%s\n", error.what());
  }
}
