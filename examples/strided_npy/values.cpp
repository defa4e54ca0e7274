#include "values.hpp"

#include <fp16.h>

#include <charconv>
#include <cstring>

namespace strided_npy {
namespace {

using strided::Dims;
using strided::NpyDtype;

template <class T>
T read_as(std::span<const std::byte> element) {
  T value{};
  std::memcpy(&value, element.data(), sizeof(T));
  return value;
}

template <class T>
std::string shortest(T value) {
  char text[64];
  const std::to_chars_result end = std::to_chars(text, text + sizeof(text), value);
  return std::string(text, end.ptr);
}

std::string hexadecimal(std::span<const std::byte> element) {
  constexpr const char* kDigits = "0123456789abcdef";
  std::string text = "x";
  for (const std::byte byte : element) {
    text += kDigits[std::to_integer<unsigned>(byte) >> 4];
    text += kDigits[std::to_integer<unsigned>(byte) & 15U];
  }
  return text;
}

std::string real_text(std::span<const std::byte> element) {
  switch (element.size()) {
    case 2:
      return shortest(fp16_ieee_to_fp32_value(read_as<std::uint16_t>(element)));
    case 4:
      return shortest(read_as<float>(element));
    case 8:
      return shortest(read_as<double>(element));
    default:
      if (element.size() == sizeof(long double)) return shortest(read_as<long double>(element));
      return hexadecimal(element);
  }
}

template <class Narrow, class Short, class Int, class Long>
std::string whole_text(std::span<const std::byte> element) {
  switch (element.size()) {
    case sizeof(Narrow):
      return std::to_string(read_as<Narrow>(element));
    case sizeof(Short):
      return std::to_string(read_as<Short>(element));
    case sizeof(Int):
      return std::to_string(read_as<Int>(element));
    default:
      return std::to_string(read_as<Long>(element));
  }
}

// A character in UTF-8; what is no character, or would upset a terminal, becomes '?'.
std::string utf8(std::uint32_t code) {
  const bool control = code < 0x20 || (code >= 0x7f && code < 0xa0);
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  if (control || surrogate || code > 0x10ffff) return "?";
  if (code < 0x80) return std::string(1, static_cast<char>(code));
  std::string tail;  // the last six bits, and six more each time
  std::uint32_t lead = 0x3f;
  while (code > lead) {
    tail.insert(tail.begin(), static_cast<char>(0x80 | (code & 0x3f)));
    code >>= 6;
    lead >>= 1;
  }
  return static_cast<char>((~(lead << 1 | 1) & 0xff) | code) + tail;
}

// NumPy pads text with zeros.
std::string quoted(std::span<const std::byte> element, std::size_t character_bytes) {
  std::size_t size = element.size();
  while (size > 0 && element[size - 1] == std::byte{0}) --size;
  std::string text = "'";
  for (std::size_t i = 0; i < size; i += character_bytes) {
    const std::span<const std::byte> unit = element.subspan(i, character_bytes);
    const std::uint32_t code =
        character_bytes == 1 ? read_as<std::uint8_t>(unit) : read_as<std::uint32_t>(unit);
    text += character_bytes == 1 && code > 0x7e ? "?" : utf8(code);
  }
  return text + "'";
}

std::string complex_text(std::span<const std::byte> element) {
  const std::size_t half = element.size() / 2;
  const std::string imaginary = real_text(element.subspan(half));
  return "(" + real_text(element.first(half)) + (imaginary.starts_with('-') ? "" : "+") +
         imaginary + "j)";
}

// Prints axis `axis` and those behind it at `place`.
void append_axis(const Operand& x, const NpyDtype& dtype, std::int64_t place, int axis,
                 std::int64_t& left, std::string& text) {
  const auto width = static_cast<std::size_t>(dtype.item_bytes);
  if (axis == x.layout.rank()) {
    text += value_text(x.bytes.subspan(static_cast<std::size_t>(place) * width, width), dtype);
    --left;
    return;
  }
  text += '[';
  for (std::int64_t i = 0; i < x.layout.shape()[axis]; ++i) {
    if (i > 0) text += ", ";
    if (left <= 0) {
      text += "...";
      break;
    }
    append_axis(x, dtype, place + i * x.layout.strides()[axis], axis + 1, left, text);
  }
  text += ']';
}

}  // namespace

std::string value_text(std::span<const std::byte> element, const NpyDtype& dtype) {
  switch (dtype.kind) {
    case 'b':
      return element[0] == std::byte{0} ? "False" : "True";
    case 'i':
    case 'm':
    case 'M':
      return whole_text<std::int8_t, std::int16_t, std::int32_t, std::int64_t>(element);
    case 'u':
      return whole_text<std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t>(element);
    case 'f':
      return real_text(element);
    case 'c':
      return complex_text(element);
    case 'S':
      return quoted(element, 1);
    case 'U':
      return quoted(element, 4);
    default:
      return hexadecimal(element);
  }
}

std::string values_text(const Operand& x, const NpyDtype& dtype, std::int64_t limit) {
  std::string text;
  if (x.layout.rank() > 0 && x.layout.empty()) return "[]";
  append_axis(x, dtype, x.layout.offset(), 0, limit, text);
  return text;
}

}  // namespace strided_npy
