// The header of a .npy file: reading an untrusted one, and writing one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "strided/core/checked_math.hpp"
#include "strided/core/config.hpp"
#include "strided/core/dims.hpp"
#include "strided/core/error.hpp"
#include "strided/core/result.hpp"
#include "strided/interop/npy/dtype.hpp"
#include "strided/interop/npy/literal.hpp"
#include "strided/interop/npy/text.hpp"
#include "strided/view/layout.hpp"

namespace strided::inline STRIDED_ABI {

// What a .npy file says about its array, checked against the length of the file: the elements are
// the `data_bytes` bytes from byte `data_begin`, and all of them are there.
struct NpyHeader {
  NpyDtype dtype;               // of an element
  Dims shape;                   // as Python writes it, in either order
  bool fortran_order = false;   // the first index moves fastest
  int version = 1;              // of the format: 1, 2 or 3
  std::int64_t data_begin = 0;  // bytes
  std::int64_t data_bytes = 0;  // of all elements

  // Reads the header at the front of a file, given as a whole. Bytes behind the array are ignored,
  // as NumPy ignores them. `where` begins the message of an Error: file_format for what is no .npy
  // file or contradicts itself, unsupported for what only Python can hold.
  [[nodiscard]] static NpyHeader parse(std::span<const std::byte> file,
                                       const std::string& where = "NpyHeader");

  // The strides, in elements, that the order of the bytes stands for; the offset is 0.
  [[nodiscard]] Layout layout() const;
};

// The header that NumPy would write, from the magic string to the newline before the array. Its
// length is a multiple of 64. Errors: those of NpyDtype::parse for the dtype's descr, of any byte
// order, and file_format where that says another kind or size; negative_size or overflow in the
// shape.
[[nodiscard]] std::string make_npy_header(const NpyDtype& dtype, const Dims& shape,
                                          bool fortran_order = false);

namespace detail {

inline constexpr std::string_view kNpyMagic = "\x93NUMPY";
inline constexpr std::size_t kNpyAlignment = 64;

// The bytes of an array of `shape`. Errors as Layout, and overflow; all file_format if the shape is
// that of a file.
[[nodiscard]] inline std::int64_t npy_array_bytes(const NpyDtype& dtype, const Dims& shape,
                                                  const std::string& where, bool of_file) {
  const auto told = [of_file](ErrorCode code) { return of_file ? ErrorCode::file_format : code; };
  const Result<std::int64_t> count = count_elements(shape, "shape");
  if (!count) npy_fail(told(count.error().code), where, count.error().message());
  std::int64_t bytes = 0;
  if (multiply_overflows(*count, dtype.item_bytes, bytes)) {
    npy_fail(told(ErrorCode::overflow), where,
             std::string("an array of shape ") + to_string(shape) + " and type " +
                 npy_quoted(dtype.descr) + " has more bytes than fit 64 bits");
  }
  return bytes;
}

// Reads "{'descr': ..., 'fortran_order': ..., 'shape': ...}": each key once, in any order.
inline void npy_parse_dict(std::string_view text, const std::string& where, NpyHeader& header) {
  constexpr std::array<std::string_view, 3> kKeys{"descr", "fortran_order", "shape"};
  std::array<bool, 3> seen{};
  NpyLiteral literal(text, where);
  literal.expect('{', "at its begin");
  while (!literal.take('}')) {
    const std::string_view key = literal.string("as a key");
    literal.expect(':', "behind a key");
    std::size_t which = 0;
    while (which < kKeys.size() && kKeys[which] != key) ++which;
    if (which == kKeys.size()) literal.fail("the header has an unknown key " + npy_quoted(key));
    if (seen[which]) literal.fail("the header has the key " + npy_quoted(key) + " twice");
    seen[which] = true;
    if (which == 0) {
      header.dtype = literal.dtype();
    } else if (which == 1) {
      header.fortran_order = literal.boolean("for fortran_order");
    } else {
      header.shape = literal.shape();
    }
    if (!literal.take(',') && literal.peek() != '}') literal.expect('}', "at its end");
  }
  literal.expect_end();
  for (std::size_t i = 0; i < kKeys.size(); ++i) {
    if (!seen[i]) literal.fail("the header has no key " + npy_quoted(kKeys[i]));
  }
}

}  // namespace detail

inline NpyHeader NpyHeader::parse(std::span<const std::byte> file, const std::string& where) {
  const std::string_view text(static_cast<const char*>(static_cast<const void*>(file.data())),
                              file.size());
  constexpr std::size_t kVersionAt = detail::kNpyMagic.size();
  constexpr std::size_t kLengthAt = kVersionAt + 2;
  if (text.substr(0, kVersionAt) != detail::kNpyMagic) {
    constexpr std::string_view kZipMark = "PK";
    detail::npy_fail(ErrorCode::file_format, where,
                     text.substr(0, kZipMark.size()) == kZipMark
                         ? "not a .npy file but a zip archive, perhaps .npz: unzip it and take the "
                           ".npy inside"
                         : "not a .npy file (it has no NUMPY mark); numpy.save() writes one");
  }
  const auto byte_at = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
  const int version = text.size() > kVersionAt ? byte_at(kVersionAt) : 0;
  const std::size_t length_bytes = version == 1 ? 2 : 4;
  if (text.size() < kLengthAt + length_bytes) {
    detail::npy_fail(ErrorCode::file_format, where,
                     std::string("the file ends within its header: it has ") +
                         std::to_string(text.size()) + " bytes, more than " +
                         std::to_string(kLengthAt + length_bytes) + " are needed");
  }
  if (version < 1 || version > 3 || text[kVersionAt + 1] != '\0') {
    detail::npy_fail(ErrorCode::unsupported, where,
                     "it is of format version " + std::to_string(version) + "." +
                         std::to_string(byte_at(kVersionAt + 1)) + ", which is none of 1.0 to 3.0");
  }
  std::uint64_t length = 0;
  for (std::size_t i = length_bytes; i-- > 0;) length = length << 8 | byte_at(kLengthAt + i);
  const std::size_t begin = kLengthAt + length_bytes;
  if (length > text.size() - begin) {
    detail::npy_fail(ErrorCode::file_format, where,
                     "its header of " + std::to_string(length) +
                         " bytes reaches past its end, the file has " +
                         std::to_string(text.size() - begin) + " of them");
  }

  NpyHeader header;
  header.version = version;
  std::string_view dict = text.substr(begin, static_cast<std::size_t>(length));
  std::string utf8;
  if (version < 3 && !detail::npy_is_ascii(dict)) {
    utf8 = detail::npy_utf8_from_latin1(dict);
    dict = utf8;
  }
  if (!detail::npy_is_utf8(dict)) {
    detail::npy_fail(ErrorCode::file_format, where, "its header is not UTF-8, as version 3 needs");
  }
  if (dict.find('\0') != std::string_view::npos) {
    detail::npy_fail(ErrorCode::file_format, where, "its header has a byte 0 in it");
  }
  detail::npy_parse_dict(dict, where, header);
  header.data_begin = static_cast<std::int64_t>(begin + length);
  header.data_bytes = detail::npy_array_bytes(header.dtype, header.shape, where, true);
  const std::int64_t have = static_cast<std::int64_t>(text.size()) - header.data_begin;
  if (header.data_bytes > have) {
    detail::npy_fail(ErrorCode::file_format, where,
                     "an array of shape " + to_string(header.shape) + " and type " +
                         detail::npy_quoted(header.dtype.descr) + " has " +
                         std::to_string(header.data_bytes) + " bytes, the file has " +
                         std::to_string(have) + " of them");
  }
  return header;
}

inline Layout NpyHeader::layout() const {
  if (!fortran_order) return Layout(shape);
  Dims reversed = shape;
  for (std::size_t i = 0; i < shape.size(); ++i) reversed[shape.size() - 1 - i] = shape[i];
  const Dims by_reversed_axis = detail::row_major_strides(reversed);
  Dims strides = shape;
  for (std::size_t i = 0; i < shape.size(); ++i)
    strides[i] = by_reversed_axis[shape.size() - 1 - i];
  return Layout(shape, strides);
}

inline std::string make_npy_header(const NpyDtype& dtype, const Dims& shape, bool fortran_order) {
  const NpyDtype named = detail::npy_parse_dtype(dtype.descr, "NpyDtype", detail::NpyOrder::any);
  if (named.kind != dtype.kind || named.item_bytes != dtype.item_bytes) {
    detail::npy_fail(ErrorCode::file_format, "NpyDtype",
                     detail::npy_quoted(dtype.descr) + " is of kind " + named.kind + " and " +
                         std::to_string(named.item_bytes) + " bytes, not of kind " + dtype.kind +
                         " and " + std::to_string(dtype.item_bytes) +
                         "; NpyDtype::parse() fills in all three");
  }
  (void)detail::npy_array_bytes(dtype, shape, "NpyHeader", false);
  const bool is_list = !dtype.descr.empty() && dtype.descr.front() == '[';
  std::string dict = "{'descr': " + (is_list ? dtype.descr : "'" + dtype.descr + "'") +
                     ", 'fortran_order': " + (fortran_order ? "True" : "False") +
                     ", 'shape': " + to_string(shape) + ", }";
  constexpr std::size_t kLongestOfVersion1 = 65535;
  // The older the version, the more programs read it.
  const auto padded = [&](std::size_t length_bytes) {
    const std::size_t before = detail::kNpyMagic.size() + 2 + length_bytes;
    const std::size_t unpadded = before + dict.size() + 1;
    return (unpadded + detail::kNpyAlignment - 1) / detail::kNpyAlignment * detail::kNpyAlignment -
           before;
  };
  const int version = !detail::npy_is_ascii(dict) ? 3 : padded(2) > kLongestOfVersion1 ? 2 : 1;
  const std::size_t length_bytes = version == 1 ? 2 : 4;
  const std::size_t length = padded(length_bytes);
  dict.resize(length - 1, ' ');
  std::string header(detail::kNpyMagic);
  header += static_cast<char>(version);
  header += '\0';
  for (std::size_t i = 0; i < length_bytes; ++i) {
    header += static_cast<char>(length >> (8 * i) & 0xff);
  }
  return header + dict + "\n";
}

}  // namespace strided::inline STRIDED_ABI
