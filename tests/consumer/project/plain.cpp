// The first program of a user: a transposed copy, and an error that can be read.
#include <strided/strided.hpp>

#include <cstdio>
#include <numeric>
#include <string>
#include <vector>

int main() {
  std::vector<float> storage(6);
  std::iota(storage.begin(), storage.end(), 0.0F);
  std::vector<float> result(6);

  strided::StridedView<const float> matrix(storage, {2, 3});
  strided::copy(matrix.transpose(0, 1), strided::StridedView<float>(result, {3, 2}));
  if (result != std::vector<float>{0, 3, 1, 4, 2, 5}) {
    std::puts("the transposed copy is wrong");
    return 1;
  }

  try {
    strided::StridedView<const float>(storage, {2, 3}, {4, 1}, 0);
  } catch (const strided::Error& error) {
    std::printf("refused, as it should be: %s\n", error.what());
    return 0;
  }
  std::puts("a view past the end of its storage was accepted");
  return 1;
}
