// A file of a program whose kernels are compiled in another.
#include <strided/strided.hpp>

#include <cstdint>
#include <numeric>
#include <vector>

int main() {
  std::vector<std::uint8_t> storage(77 * 131);
  std::iota(storage.begin(), storage.end(), std::uint8_t{1});
  std::vector<std::uint8_t> turned(storage.size());
  const strided::StridedView<std::uint8_t> v(storage, {77, 131});
  strided::copy(v.transpose(0, 1), strided::StridedView<std::uint8_t>(turned, {131, 77}));
  return turned[1] == storage[131] && turned.back() == storage.back() ? 0 : 1;
}
