// Compiled without -mavx2 and linked with a file that has it. Exit status 77: the machine lacks
// AVX2.
#include <strided/strided.hpp>

#include <cstdint>
#include <cstdio>
#include <vector>

void transpose_with_avx2_flag(const std::vector<std::uint8_t>& storage, std::int64_t rows,
                              std::int64_t columns, std::vector<std::uint8_t>& result);

int main() {
  // Large enough for the vector kernels, and no multiple of a vector.
  const std::int64_t rows = 77;
  const std::int64_t columns = 131;
  std::vector<std::uint8_t> storage(static_cast<std::size_t>(rows * columns));
  for (std::size_t i = 0; i < storage.size(); ++i) storage[i] = static_cast<std::uint8_t>(i * 7);

  std::vector<std::uint8_t> expected(storage.size());
  for (std::int64_t r = 0; r < rows; ++r) {
    for (std::int64_t c = 0; c < columns; ++c) {
      expected[static_cast<std::size_t>(c * rows + r)] =
          storage[static_cast<std::size_t>(r * columns + c)];
    }
  }

  std::vector<std::uint8_t> result(storage.size());
  strided::copy(strided::StridedView<const std::uint8_t>(storage, {rows, columns}).transpose(0, 1),
                strided::StridedView<std::uint8_t>(result, {columns, rows}));
  if (result != expected) {
    std::puts("wrong in the file without -mavx2");
    return 1;
  }

  if (!__builtin_cpu_supports("avx2")) return 77;
  result.assign(storage.size(), 0);
  transpose_with_avx2_flag(storage, rows, columns, result);
  if (result != expected) {
    std::puts("wrong in the file with -mavx2");
    return 1;
  }
  return 0;
}
