#include "check.hpp"

#include <algorithm>
#include <bit>

namespace strided_npy {
namespace {

using strided::Dims;

// The bytes of an element as one number in hexadecimal, the way a debugger shows it.
std::string bits_of(std::span<const std::byte> element) {
  constexpr const char* kDigits = "0123456789abcdef";
  std::string text = "0x";
  const bool reversed = std::endian::native == std::endian::little && element.size() <= 16;
  for (std::size_t i = 0; i < element.size(); ++i) {
    const auto byte = std::to_integer<unsigned>(element[reversed ? element.size() - 1 - i : i]);
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15U];
  }
  return text;
}

// The index of the k-th element in C order.
Dims index_of(std::int64_t k, const Dims& shape) {
  Dims index = shape;
  for (std::size_t i = shape.size(); i-- > 0;) {
    index[i] = k % shape[i];
    k /= shape[i];
  }
  return index;
}

}  // namespace

std::string first_difference(std::span<const std::byte> result, std::span<const std::byte> expected,
                             std::int64_t item_bytes, const Dims& shape) {
  const auto found = std::mismatch(result.begin(), result.end(), expected.begin(), expected.end());
  if (found.first == result.end() && found.second == expected.end()) return {};
  const std::int64_t k = (found.first - result.begin()) / item_bytes;
  const auto width = static_cast<std::size_t>(item_bytes);
  const std::size_t at = static_cast<std::size_t>(k) * width;
  return "element " + to_string(index_of(k, shape)) + " is " + bits_of(result.subspan(at, width)) +
         ", the reference has " + bits_of(expected.subspan(at, width));
}

}  // namespace strided_npy
