// Any bytes as a .npy file: refused with a sentence, or accepted with an array that is there, and
// then the header written back reads the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/check.hpp"
#include "fuzz/input.hpp"
#include "strided/interop/npy/dtype.hpp"
#include "strided/interop/npy/header.hpp"
#include "strided/interop/npy/literal.hpp"
#include "strided/interop/npy/text.hpp"
#include "strided/view/layout.hpp"

namespace strided_test {

// A text as the bytes of a file, in memory of exactly that length, so that a read past it is seen.
inline std::vector<std::byte> file_bytes(std::string_view text) {
  std::vector<std::byte> bytes(text.size());
  if (!text.empty()) std::memcpy(bytes.data(), text.data(), text.size());
  return bytes;
}

// What a header that was accepted promises.
inline void check_accepted(const strided::NpyHeader& header, std::size_t file_size) {
  const auto size = static_cast<std::int64_t>(file_size);
  const auto what = [&] { return header.dtype.descr + ", shape " + to_string(header.shape); };
  FUZZ_EXPECT(header.dtype.item_bytes >= 1, what());
  FUZZ_EXPECT(header.version >= 1 && header.version <= 3, what());
  FUZZ_EXPECT(header.data_begin >= 10 && header.data_begin <= size, what());
  FUZZ_EXPECT(header.data_bytes >= 0 && header.data_bytes <= size - header.data_begin, what());
  const strided::Layout layout = header.layout();
  FUZZ_EXPECT(layout.size() * header.dtype.item_bytes == header.data_bytes, what());
  FUZZ_EXPECT(layout.is_dense(), what());
  FUZZ_EXPECT(layout.shape() == header.shape, what());
  FUZZ_EXPECT(!strided::check_within(layout, layout.size(), "the array"), what());
}

inline void check_written_back(const strided::NpyHeader& header) {
  const auto what = [&] { return header.dtype.descr + ", shape " + to_string(header.shape); };
  const std::string text =
      strided::make_npy_header(header.dtype, header.shape, header.fortran_order);
  FUZZ_EXPECT(text.size() % 64 == 0, what());
  std::vector<std::byte> again = file_bytes(text);
  again.resize(text.size() + static_cast<std::size_t>(header.data_bytes));
  strided::NpyHeader read;
  const strided::ErrorCode code =
      fuzz_code_of([&] { read = strided::NpyHeader::parse(again, "what was written"); });
  FUZZ_EXPECT(code == strided::ErrorCode::ok, what() + ": " + describe_code(code));
  if (code != strided::ErrorCode::ok) return;
  FUZZ_EXPECT(read.dtype == header.dtype, what() + ": " + read.dtype.descr);
  FUZZ_EXPECT(read.shape == header.shape, what());
  FUZZ_EXPECT(read.fortran_order == header.fortran_order, what());
  FUZZ_EXPECT(read.data_begin == static_cast<std::int64_t>(text.size()), what());
  FUZZ_EXPECT(read.data_bytes == header.data_bytes, what());
  FUZZ_EXPECT(strided::make_npy_header(read.dtype, read.shape, read.fortran_order) == text, what());
  const strided::NpyDtype dtype = strided::NpyDtype::parse(header.dtype.descr);
  FUZZ_EXPECT(dtype == header.dtype, what());
}

inline void check_file(std::string_view file) {
  const std::vector<std::byte> bytes = file_bytes(file);
  strided::NpyHeader header;
  const strided::ErrorCode code =
      fuzz_code_of([&] { header = strided::NpyHeader::parse(bytes, "a file"); });
  if (code == strided::ErrorCode::ok) {
    check_accepted(header, file.size());
    check_written_back(header);
    return;
  }
  FUZZ_EXPECT(code == strided::ErrorCode::file_format || code == strided::ErrorCode::unsupported,
              describe_code(code));
}

// The first byte says what the others are: a whole file, or the header of one, to which the rest is
// added, so that a fuzzer does not have to find the lengths.
inline void fuzz_npy_header(std::span<const std::uint8_t> bytes) {
  FuzzInput input(bytes);
  const std::int64_t kind = input.between(0, 6);
  const std::string_view text(reinterpret_cast<const char*>(input.rest().data()),
                              input.rest().size());
  if (kind == 0) return check_file(text);
  if (kind == 4) {
    strided::NpyDtype dtype;
    const strided::ErrorCode code =
        fuzz_code_of([&] { dtype = strided::NpyDtype::parse(text, "a type"); });
    if (code != strided::ErrorCode::ok) return;
    FUZZ_EXPECT(strided::NpyDtype::parse(dtype.descr) == dtype, dtype.descr);
    return;
  }
  // Versions 1 to 3, with an array of a few bytes or of many.
  const std::int64_t version = kind < 4 ? kind : kind - 4;
  const std::size_t length_bytes = version == 1 ? 2 : 4;
  if (version == 1 && text.size() > 0xffff) return;
  std::string file = "\x93NUMPY";
  file += static_cast<char>(version);
  file += '\0';
  for (std::size_t i = 0; i < length_bytes; ++i) {
    file += static_cast<char>(text.size() >> (8 * i) & 0xff);
  }
  file += text;
  file.append(kind < 4 ? 16 : 4096, 'x');
  check_file(file);
}

}  // namespace strided_test
