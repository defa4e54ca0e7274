// Compiled with -mavx2.
#include <strided/strided.hpp>

#include <cstdint>
#include <vector>

void transpose_with_avx2_flag(const std::vector<std::uint8_t>& storage, std::int64_t rows,
                              std::int64_t columns, std::vector<std::uint8_t>& result) {
  strided::copy(strided::StridedView<const std::uint8_t>(storage, {rows, columns}).transpose(0, 1),
                strided::StridedView<std::uint8_t>(result, {columns, rows}));
}
