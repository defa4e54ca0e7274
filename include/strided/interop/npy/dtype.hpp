// What an element of a .npy file is: NumPy's type string, reduced to what moving elements needs.
#pragma once

#include <bit>
#include <charconv>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>

#include "strided/core/config.hpp"
#include "strided/core/error.hpp"
#include "strided/interop/npy/text.hpp"

namespace strided::inline STRIDED_ABI {

// An element type as NumPy names it. `descr` is what the header says ("<f4", "|u1", "<M8[ns]", or a
// list of fields as Python writes it, in UTF-8); `kind` is NumPy's letter: b bool, i u integers,
// f c real and complex, m M time, S bytes, U text, V anything else, a list of fields included.
//
//   NpyDtype::parse("<c8")   is {descr "<c8", kind 'c', item_bytes 8}
struct NpyDtype {
  std::string descr;            // NumPy's type string, or a list of fields
  char kind = 'V';              // NumPy's letter
  std::int64_t item_bytes = 0;  // the size of an element

  // Reads a type string or a list of fields. Errors: file_format for what NumPy would not write,
  // unsupported for Python objects, for numbers in the other byte order and for items of no bytes.
  // `where` begins the message.
  [[nodiscard]] static NpyDtype parse(std::string_view descr,
                                      const std::string& where = "NpyDtype");

  // Equal in all three.
  friend bool operator==(const NpyDtype&, const NpyDtype&) = default;
};

// NumPy's kind letter for a C++ type; 0 for a type that NumPy has no letter for. A type of your own
// joins in by a specialization: template <> inline constexpr char strided::kNpyKind<half> = 'f';
template <class T>
inline constexpr char kNpyKind = std::is_same_v<T, bool>       ? 'b'
                                 : std::is_floating_point_v<T> ? 'f'
                                 : !std::is_integral_v<T>      ? '\0'
                                 : std::is_signed_v<T>         ? 'i'
                                                               : 'u';
template <class T>
inline constexpr char kNpyKind<std::complex<T>> = 'c';

namespace detail {

inline constexpr char kNpyNativeOrder = std::endian::native == std::endian::little ? '<' : '>';

// NumPy's own limit.
inline constexpr std::int64_t kNpyMostItemBytes = std::numeric_limits<std::int32_t>::max();

// Raises "<where>: <what>".
[[noreturn]] inline void npy_fail(ErrorCode code, const std::string& where,
                                  const std::string& what) {
  raise(Error(code, where + ": " + what));
}

// The text of an untrusted file for a message, shortened, in the quotes that Python would take.
[[nodiscard]] inline std::string npy_quoted(std::string_view text) {
  constexpr std::size_t kLongest = 40;
  std::size_t end = text.size() < kLongest ? text.size() : kLongest;
  while (end < text.size() && end > 0 && (text[end] & 0xc0) == 0x80) --end;  // whole characters
  std::string quoted = npy_printable(text.substr(0, end));
  if (end < text.size()) quoted += "...";
  const bool has_single = quoted.find('\'') != std::string::npos;
  const char quote = has_single && quoted.find('"') == std::string::npos ? '"' : '\'';
  quoted.insert(quoted.begin(), quote);
  return quoted += quote;
}

// The sizes that NumPy's kinds have. Text and raw bytes have any.
[[nodiscard]] constexpr bool npy_size_exists(char kind, std::int64_t bytes) noexcept {
  switch (kind) {
    case 'b':
      return bytes == 1;
    case 'i':
    case 'u':
      return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
    case 'f':
      return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8 || bytes == 12 || bytes == 16;
    case 'c':
      return bytes == 8 || bytes == 16 || bytes == 24 || bytes == 32;
    case 'm':
    case 'M':
      return bytes == 8;
    default:
      return true;
  }
}

// Whether items of a kind and size have a byte order. That of text counts even where it is empty.
[[nodiscard]] constexpr bool npy_has_order(char kind, std::int64_t bytes) noexcept {
  return kind == 'U' || (kind != 'S' && kind != 'V' && bytes > 1);
}

// The bytes that 1 in a type string stands for: text is counted in characters.
[[nodiscard]] constexpr std::int64_t npy_unit_bytes(char kind) noexcept {
  return kind == 'U' ? 4 : 1;
}

// "[ns]", "[25s]" or nothing, behind m8 and M8.
[[nodiscard]] constexpr bool npy_is_time_unit(std::string_view text) noexcept {
  if (text.empty()) return true;
  if (text.size() < 3 || text.front() != '[' || text.back() != ']') return false;
  text = text.substr(1, text.size() - 2);
  std::size_t digits = 0;
  while (digits < text.size() && text[digits] >= '0' && text[digits] <= '9') ++digits;
  constexpr std::size_t kMostDigits = 9;  // a multiple is an int
  if (digits > kMostDigits || (digits > 0 && text.front() == '0')) return false;
  for (const std::string_view unit :
       {"Y", "M", "W", "D", "h", "m", "s", "ms", "us", "ns", "ps", "fs", "as"}) {
    if (text.substr(digits) == unit) return true;
  }
  return false;
}

// Which byte orders a type may have: views need this machine's, a file to write has any.
enum class NpyOrder : bool { native, any };

// Reads one type string: byte order, kind, size, unit of time. No byte order, '=' and '|' mean this
// machine's, as in NumPy; `descr` of the result always names it.
[[nodiscard]] inline NpyDtype npy_parse_type(std::string_view text, const std::string& where,
                                             NpyOrder allowed) {
  std::string_view rest = text;
  char order = '=';
  if (!rest.empty() && std::string_view("<>|=").find(rest.front()) != std::string_view::npos) {
    order = rest.front();
    rest.remove_prefix(1);
  }
  const char kind = rest.empty() ? '\0' : rest.front();
  if (kind == 'O') {
    npy_fail(ErrorCode::unsupported, where,
             "its items are Python objects; in NumPy, x.astype(dtype) makes them numbers or text");
  }
  std::int64_t count = -1;
  std::string_view unit;
  if (kind != '\0' && std::string_view("biufcmMSUV").find(kind) != std::string_view::npos) {
    rest.remove_prefix(1);
    const char* const end = rest.data() + rest.size();
    const std::from_chars_result read = std::from_chars(rest.data(), end, count);
    unit = std::string_view(read.ptr, static_cast<std::size_t>(end - read.ptr));
    if (read.ec != std::errc() || rest.front() == '-') count = -1;
  }
  const bool takes_unit = kind == 'm' || kind == 'M';
  if (count < 0 || !npy_size_exists(kind, count) ||
      !(takes_unit ? npy_is_time_unit(unit) : unit.empty())) {
    npy_fail(
        ErrorCode::file_format, where,
        npy_quoted(text) + " is not a type string of NumPy, such as '" + kNpyNativeOrder + "f4'");
  }
  const std::int64_t unit_bytes = npy_unit_bytes(kind);
  if (count > kNpyMostItemBytes / unit_bytes) {
    npy_fail(ErrorCode::unsupported, where,
             std::string("items of type ") + npy_quoted(text) + " are larger than " +
                 std::to_string(kNpyMostItemBytes) + " bytes");
  }
  const bool has_order = npy_has_order(kind, count);
  if (allowed == NpyOrder::native && has_order && (order == '<' || order == '>') &&
      order != kNpyNativeOrder) {
    npy_fail(ErrorCode::unsupported, where,
             "its numbers are " + std::string(order == '<' ? "little" : "big") + "-endian (" +
                 npy_quoted(text) +
                 "), which is not this machine's byte order; in NumPy, "
                 "x.astype(x.dtype.newbyteorder('=')) converts");
  }
  NpyDtype type;
  type.descr = has_order ? kNpyNativeOrder : '|';
  type.descr += kind + std::to_string(count) + std::string(unit);
  type.kind = kind;
  type.item_bytes = count * unit_bytes;
  return type;
}

}  // namespace detail

// The NumPy type of a C++ type that has one: npy_dtype_of<float>().descr is "<f4".
template <class T>
  requires(kNpyKind<T> != '\0')
[[nodiscard]] NpyDtype npy_dtype_of() {
  NpyDtype type;
  type.kind = kNpyKind<T>;
  type.item_bytes = static_cast<std::int64_t>(sizeof(T));
  constexpr std::int64_t kUnit = detail::npy_unit_bytes(kNpyKind<T>);
  static_assert(sizeof(T) % kUnit == 0, "strided: a character of kind 'U' has four bytes");
  type.descr = detail::npy_has_order(type.kind, type.item_bytes) ? detail::kNpyNativeOrder : '|';
  type.descr += type.kind + std::to_string(type.item_bytes / kUnit);
  return type;
}

}  // namespace strided::inline STRIDED_ABI
