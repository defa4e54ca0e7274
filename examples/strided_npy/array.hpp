// Arrays whose element type is known only at run time: bytes and a layout.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <strided/interop/npy.hpp>
#include <strided/view/layout.hpp>
#include <string>
#include <vector>

namespace strided_npy {

// A mistake of whoever called the program, told in one line; the exit code is 2.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Elements of `item_bytes` bytes each, looked at through a layout that counts from bytes.data().
struct Operand {
  std::span<const std::byte> bytes;
  strided::Layout layout;
  bool mapped = false;  // the bytes are pages of a file
};

// The same, to be written.
struct Target {
  std::span<std::byte> bytes;
  strided::Layout layout;
  bool mapped = false;
};

// An element of N bytes without a meaning: moving needs no more, and no address is misaligned.
template <std::size_t N>
struct Bytes {
  std::byte bytes[N];
};

[[nodiscard]] inline Operand operand_of(const strided::NpyFile& file) {
  return {file.data(), file.layout(), file.is_mapped()};
}
[[nodiscard]] inline Target target_of(const strided::NpyWriter& writer) {
  return {writer.data(), writer.layout(), writer.is_mapped()};
}

// The value of a Result; an error begins with the name of the subcommand.
template <class T>
[[nodiscard]] const T& value_or_fail(const strided::Result<T>& result, const char* command) {
  if (!result) throw UsageError(result.error().in(command).message());
  return *result;
}

}  // namespace strided_npy
