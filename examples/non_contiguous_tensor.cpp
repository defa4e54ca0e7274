// A non-contiguous tensor is (shape, strides, offset) over memory that it does not own: two tensors
// over one 10 x 10 storage, drawn, read and written.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <strided/strided.hpp>
#include <string>
#include <vector>

using strided::StridedView;

namespace {

void draw(const char* title, const StridedView<int>& tensor) {
  std::printf("%s: shape %s, strides %s, offset %lld, contiguous: %s\n", title,
              to_string(tensor.shape()).c_str(), to_string(tensor.strides()).c_str(),
              static_cast<long long>(tensor.offset()), tensor.is_contiguous() ? "yes" : "no");
  std::string cells(100, '.');
  for (const int& element : tensor) {
    cells[static_cast<std::size_t>(&element - tensor.storage().data())] = '#';
  }
  for (std::size_t row = 0; row < 10; ++row)
    std::printf("  %s\n", cells.substr(row * 10, 10).c_str());
}

}  // namespace

int main() {
  std::vector<int> storage(100);
  std::iota(storage.begin(), storage.end(), 0);

  const StridedView<int> rows(storage, {6, 5}, {10, 1}, 22);
  draw("dense rows with gaps between them", rows);
  const StridedView<int> apart(storage, {4, 3}, {20, 2}, 22);
  draw("every second element of every second row", apart);

  std::printf("sum of the first: %d\n", std::accumulate(rows.begin(), rows.end(), 0));
  std::printf("last of the second: %d\n", apart.at(-1, -1));

  // Make it contiguous: one copy. Write through it: the gaps keep what they hold.
  std::vector<int> dense(12);
  strided::copy(apart, StridedView<int>(dense, {4, 3}));
  std::printf("contiguous copy: %d %d %d | %d %d %d ...\n", dense[0], dense[1], dense[2], dense[3],
              dense[4], dense[5]);
  strided::fill(apart, -1);
  std::printf("after fill, row 2 of the storage:");
  for (std::size_t i = 20; i < 30; ++i) std::printf(" %d", storage[i]);
  std::printf("\nelements below zero: %lld\n",
              static_cast<long long>(std::ranges::count_if(storage, [](int x) { return x < 0; })));
}
