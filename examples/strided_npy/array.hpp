// Arrays whose element type is known only at run time: bytes and a layout.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
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

// Where the bytes of an array are pages of a file.
struct MappedFile {
  std::filesystem::path path;  // empty: they are not
  std::int64_t begin = 0;      // the byte of the file that is the first of the array

  [[nodiscard]] explicit operator bool() const { return !path.empty(); }
};

// Elements of `item_bytes` bytes each, looked at through a layout that counts from bytes.data().
struct Operand {
  std::span<const std::byte> bytes;
  strided::Layout layout;
  MappedFile mapped{};
};

// The same, to be written.
struct Target {
  std::span<std::byte> bytes;
  strided::Layout layout;
  MappedFile mapped{};
};

// An element of N bytes without a meaning: moving needs no more, and no address is misaligned.
template <std::size_t N>
struct Bytes {
  std::byte bytes[N];
};

[[nodiscard]] inline Operand operand_of(const strided::NpyFile& file) {
  const MappedFile mapped{file.path(), file.header().data_begin};
  return {file.data(), file.layout(), file.is_mapped() ? mapped : MappedFile()};
}
[[nodiscard]] inline Target target_of(const strided::NpyWriter& writer) {
  const MappedFile mapped{writer.unfinished_path(), writer.header().data_begin};
  return {writer.data(), writer.layout(), writer.is_mapped() ? mapped : MappedFile()};
}

// The value of a Result; an error begins with the name of the subcommand.
template <class T>
[[nodiscard]] const T& value_or_fail(const strided::Result<T>& result, const char* command) {
  if (!result) throw UsageError(result.error().in(command).message());
  return *result;
}

}  // namespace strided_npy
