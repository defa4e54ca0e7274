// The heads of attention change places: (batch, sequence, head, depth), as projections leave them,
// to (batch, head, sequence, depth) for queries and values, and to (batch, head, depth, sequence)
// for keys, which the product Q K^T wants transposed. Elements have 2 bytes, as float16 and
// bfloat16 do; a copy does not ask what they mean.
//
// Prints the time of one strided::copy and of plain loops, as multiples of a memcpy of as many
// bytes (numbers differ from machine to machine), and whether both gave the same:
//
//   (2, 1024, 16, 64), 2 bytes each, 4 MiB; times as multiples of memcpy
//   BSHD -> BHSD: strided::copy 1.40, plain loops 1.46, equal
//   BSHD -> BHDS: strided::copy 2.57, plain loops 26.51, equal
#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <strided/strided.hpp>
#include <vector>

using strided::Dims;
using strided::StridedView;
using Bits = std::uint16_t;

namespace {

constexpr std::size_t kBatch = 2;
constexpr std::size_t kSequence = 1024;
constexpr std::size_t kHeads = 16;
constexpr std::size_t kDepth = 64;
constexpr std::size_t kCount = kBatch * kSequence * kHeads * kDepth;

// What one writes without a library, in the order of the destination. In BHDS the element (b, h, s,
// d) follows its neighbour in the sequence, in BHSD that in the depth.
void plain_loops(const Bits* from, Bits* to, bool depth_last) {
  for (std::size_t b = 0; b < kBatch; ++b) {
    for (std::size_t h = 0; h < kHeads; ++h) {
      const std::size_t rows = depth_last ? kSequence : kDepth;
      const std::size_t columns = depth_last ? kDepth : kSequence;
      for (std::size_t row = 0; row < rows; ++row) {
        for (std::size_t column = 0; column < columns; ++column) {
          const std::size_t s = depth_last ? row : column;
          const std::size_t d = depth_last ? column : row;
          *to++ = from[((b * kSequence + s) * kHeads + h) * kDepth + d];
        }
      }
    }
  }
}

template <class Work>
double seconds(const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> times) {
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::nth_element(times.begin(), middle, times.end());
  return *middle;
}

bool compare(const char* name, const std::vector<Bits>& tensor, const Dims& axes) {
  const StridedView<const Bits> permuted =
      StridedView<const Bits>(tensor, {kBatch, kSequence, kHeads, kDepth}).permute(axes);
  std::vector<Bits> copied(kCount);
  std::vector<Bits> looped(kCount);
  std::vector<Bits> plain(kCount);

  // In turn, so that whatever else the machine does meets all three.
  constexpr int kRounds = 15;
  std::array<std::vector<double>, 3> times;
  for (int round = 0; round < kRounds; ++round) {
    times[0].push_back(
        seconds([&] { std::memcpy(plain.data(), tensor.data(), kCount * sizeof(Bits)); }));
    times[1].push_back(
        seconds([&] { strided::copy(permuted, StridedView<Bits>(copied, permuted.shape())); }));
    times[2].push_back(seconds([&] { plain_loops(tensor.data(), looped.data(), axes[3] == 3); }));
  }
  const bool equal = copied == looped && plain == tensor;
  std::printf("BSHD -> %s: strided::copy %.2f, plain loops %.2f, %s\n", name,
              median(times[1]) / median(times[0]), median(times[2]) / median(times[0]),
              equal ? "equal" : "DIFFERENT");
  return equal;
}

}  // namespace

int main() {
  std::vector<Bits> tensor(kCount);
  for (std::size_t i = 0; i < kCount; ++i) tensor[i] = static_cast<Bits>(i * 40503U >> 3);
  std::printf("(%zu, %zu, %zu, %zu), %zu bytes each, %zu MiB; times as multiples of memcpy\n",
              kBatch, kSequence, kHeads, kDepth, sizeof(Bits), kCount * sizeof(Bits) >> 20);
  const bool queries = compare("BHSD", tensor, {0, 2, 1, 3});
  const bool keys = compare("BHDS", tensor, {0, 2, 3, 1});
  return queries && keys ? 0 : 1;
}
