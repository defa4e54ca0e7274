// Convolution as a matrix product (im2col, as in Caffe): the windows of an image are a view of it,
// one copy of that view is the matrix, and what is left is a plain product.
//
// Prints the sizes on the way, and whether the result equals that of a direct convolution:
//
//   image (3, 13, 17), kernels (8, 3, 3, 3), padding 1, stride 2
//   windows (3, 7, 9, 3, 3): a view of 855 elements
//   matrix (63, 27): 1701 elements, one copy
//   result (8, 7, 9): equal to the direct convolution
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <strided/strided.hpp>
#include <vector>

using strided::Dims;
using strided::StridedView;

namespace {

constexpr std::int64_t kStride = 2;
constexpr std::int64_t kPadding = 1;

// Small whole numbers: their sums are exact in a float, in whichever order they are made.
std::vector<float> small_numbers(std::size_t count, std::uint32_t seed) {
  std::vector<float> numbers(count);
  for (float& number : numbers) {
    seed = seed * 1664525U + 1013904223U;
    number = static_cast<float>(seed >> 28) - 8.0F;
  }
  return numbers;
}

// C[i][j] = sum over k of A[i][k] * B[k][j].
void multiply(const StridedView<const float>& a, const StridedView<const float>& b,
              const StridedView<float>& c) {
  for (std::int64_t i = 0; i < c.shape()[0]; ++i) {
    for (std::int64_t j = 0; j < c.shape()[1]; ++j) {
      float sum = 0;
      for (std::int64_t k = 0; k < a.shape()[1]; ++k) sum += a(i, k) * b(k, j);
      c(i, j) = sum;
    }
  }
}

// The definition, from the image without its border of zeros.
float direct(const StridedView<const float>& image, const StridedView<const float>& kernels,
             std::int64_t kernel, std::int64_t row, std::int64_t column) {
  float sum = 0;
  for (std::int64_t c = 0; c < kernels.shape()[1]; ++c) {
    for (std::int64_t i = 0; i < kernels.shape()[2]; ++i) {
      for (std::int64_t j = 0; j < kernels.shape()[3]; ++j) {
        const std::int64_t y = row * kStride + i - kPadding;
        const std::int64_t x = column * kStride + j - kPadding;
        if (y < 0 || y >= image.shape()[1] || x < 0 || x >= image.shape()[2]) continue;
        sum += image(c, y, x) * kernels(kernel, c, i, j);
      }
    }
  }
  return sum;
}

}  // namespace

int main() {
  const std::vector<float> pixels = small_numbers(3 * 13 * 17, 1);
  const std::vector<float> weights = small_numbers(8 * 3 * 3 * 3, 2);
  const StridedView<const float> image(pixels, {3, 13, 17});  // channels, rows, columns
  const StridedView<const float> kernels(weights, {8, 3, 3, 3});
  std::printf("image %s, kernels %s, padding %d, stride %d\n", to_string(image.shape()).c_str(),
              to_string(kernels.shape()).c_str(), static_cast<int>(kPadding),
              static_cast<int>(kStride));

  // Padding is a larger image of zeros, the middle of which is assigned.
  std::vector<float> padded_pixels(3 * 15 * 19, 0.0F);
  const StridedView<float> padded(padded_pixels, {3, 15, 19});
  strided::strided_slice_assign(
      padded, {.begin = {0, 1, 1}, .end = {3, 14, 18}, .strides = {1, 1, 1}}, image);

  // windows(c, y, x, i, j) is padded(c, 2 y + i, 2 x + j).
  const StridedView<float> windows = padded.windows(1, 3, kStride).windows(2, 3, kStride);
  const std::int64_t rows = windows.shape()[1];
  const std::int64_t columns = windows.shape()[2];
  std::printf("windows %s: a view of %zu elements\n", to_string(windows.shape()).c_str(),
              padded_pixels.size());

  // A row of the matrix for each place of the result: all channels of the window there.
  std::vector<float> matrix_elements(static_cast<std::size_t>(windows.size()));
  const StridedView<float> matrix(matrix_elements, {rows, columns, 3, 3, 3});
  strided::copy(windows.permute({1, 2, 0, 3, 4}), matrix);
  const StridedView<float> a = matrix.reshape({rows * columns, 27});
  std::printf("matrix %s: %zu elements, one copy\n", to_string(a.shape()).c_str(),
              matrix_elements.size());

  // Transposed views on both sides: kernels become columns, and the result is channels first.
  std::vector<float> result_elements(static_cast<std::size_t>(8 * rows * columns));
  const StridedView<float> result(result_elements, {8, rows, columns});
  multiply(a, kernels.reshape({8, 27}).transpose(0, 1),
           result.reshape({8, rows * columns}).transpose(0, 1));

  std::vector<float> direct_elements;
  for (std::int64_t kernel = 0; kernel < 8; ++kernel) {
    for (std::int64_t row = 0; row < rows; ++row) {
      for (std::int64_t column = 0; column < columns; ++column) {
        direct_elements.push_back(direct(image, kernels, kernel, row, column));
      }
    }
  }
  const StridedView<float> expected(direct_elements, result.shape());
  const bool equal = strided::bitwise_equal(result, expected);
  std::printf("result %s: %s the direct convolution\n", to_string(result.shape()).c_str(),
              equal ? "equal to" : "DIFFERS from");
  return equal ? 0 : 1;
}
