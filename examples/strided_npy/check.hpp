// --verify: the same operator by strided::reference, and the first difference.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <span>
#include <strided/reference/reference.hpp>
#include <string>
#include <vector>

#include "array.hpp"

namespace strided_npy {

// Runs `op(inputs, output)` on views of elements of E and returns the bytes of the output, an array
// of `shape` in C order.
template <class E, class Op>
[[nodiscard]] std::vector<E> run_reference(std::span<const std::span<const E>> storages,
                                           std::span<const Operand> operands,
                                           const strided::Dims& shape, const Op& op) {
  std::vector<strided::StridedView<const E>> views;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    views.emplace_back(storages[i], operands[i].layout);
  }
  const strided::Layout layout(shape);
  std::vector<E> output(static_cast<std::size_t>(layout.size()));
  op(views, strided::StridedView<E>(output, layout));
  return output;
}

// For the widths of C++ types the reference moves the elements themselves.
template <std::size_t N, class Op>
[[nodiscard]] std::vector<std::byte> reference_of_width(std::span<const Operand> operands,
                                                        const strided::Dims& shape, const Op& op) {
  using E = Bytes<N>;
  std::vector<std::span<const E>> storages;
  for (const Operand& operand : operands) {
    const void* const data = operand.bytes.data();
    storages.emplace_back(static_cast<const E*>(data), operand.bytes.size() / N);
  }
  const std::vector<E> output = run_reference<E>(storages, operands, shape, op);
  std::vector<std::byte> bytes(output.size() * N);
  if (!bytes.empty()) std::memcpy(bytes.data(), output.data(), bytes.size());
  return bytes;
}

// For any other width it moves the elements' numbers, which then say where each element came from.
template <class Op>
[[nodiscard]] std::vector<std::byte> reference_by_number(std::span<const Operand> operands,
                                                         std::size_t item_bytes,
                                                         const strided::Dims& shape, const Op& op) {
  std::vector<std::byte> elements;  // of all operands, one after the other
  for (const Operand& operand : operands) {
    elements.insert(elements.end(), operand.bytes.begin(), operand.bytes.end());
  }
  std::vector<std::int64_t> numbers(elements.size() / item_bytes);
  std::iota(numbers.begin(), numbers.end(), std::int64_t{0});
  std::vector<std::span<const std::int64_t>> storages;
  std::size_t begin = 0;
  for (const Operand& operand : operands) {
    const std::size_t count = operand.bytes.size() / item_bytes;
    storages.push_back(std::span<const std::int64_t>(numbers).subspan(begin, count));
    begin += count;
  }
  const std::vector<std::int64_t> output =
      run_reference<std::int64_t>(storages, operands, shape, op);
  std::vector<std::byte> bytes(output.size() * item_bytes);
  for (std::size_t i = 0; i < output.size(); ++i) {
    std::memcpy(&bytes[i * item_bytes], &elements[static_cast<std::size_t>(output[i]) * item_bytes],
                item_bytes);
  }
  return bytes;
}

template <class Op>
[[nodiscard]] std::vector<std::byte> reference_result(std::span<const Operand> operands,
                                                      std::int64_t item_bytes,
                                                      const strided::Dims& shape, const Op& op) {
  switch (item_bytes) {
    case 1:
      return reference_of_width<1>(operands, shape, op);
    case 2:
      return reference_of_width<2>(operands, shape, op);
    case 4:
      return reference_of_width<4>(operands, shape, op);
    case 8:
      return reference_of_width<8>(operands, shape, op);
    case 16:
      return reference_of_width<16>(operands, shape, op);
    default:
      return reference_by_number(operands, static_cast<std::size_t>(item_bytes), shape, op);
  }
}

// Nothing where both hold the same bits, else "element (1, 2) is 0x0000803f, ... 0x00000040".
[[nodiscard]] std::string first_difference(std::span<const std::byte> result,
                                           std::span<const std::byte> expected,
                                           std::int64_t item_bytes, const strided::Dims& shape);

}  // namespace strided_npy
