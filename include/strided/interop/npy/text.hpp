// The text of .npy headers: its encodings, and how much of it may be printed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "strided/core/config.hpp"

namespace strided::inline STRIDED_ABI {
namespace detail {

[[nodiscard]] constexpr bool npy_is_ascii(std::string_view text) noexcept {
  for (const char c : text) {
    if (static_cast<unsigned char>(c) > 0x7f) return false;
  }
  return true;
}

// The bytes of the UTF-8 character at the front of a text that is not empty; 0 where there is none:
// a stray or missing byte, an overlong form, a surrogate, a number past U+10FFFF.
[[nodiscard]] constexpr std::size_t npy_utf8_length(std::string_view text) noexcept {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? std::uint32_t{static_cast<unsigned char>(text[i])} : std::uint32_t{0};
  };
  const std::uint32_t first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc0 || first > 0xf4) return 0;
  std::uint32_t code = first & (0x7fU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
    code = code << 6 | (byte(i) & 0x3f);
  }
  constexpr std::array<std::uint32_t, 5> kLeast{0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  return code < kLeast[length] || surrogate || code > 0x10ffff ? 0 : length;
}

[[nodiscard]] constexpr bool npy_is_utf8(std::string_view text) noexcept {
  while (!text.empty()) {
    const std::size_t length = npy_utf8_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

inline void npy_append_utf8(std::string& text, std::uint32_t code) {
  const auto more = [&](int shift) { text += static_cast<char>(0x80 | (code >> shift & 0x3f)); };
  if (code < 0x80) {
    text += static_cast<char>(code);
  } else if (code < 0x800) {
    text += static_cast<char>(0xc0 | code >> 6);
    more(0);
  } else if (code < 0x10000) {
    text += static_cast<char>(0xe0 | code >> 12);
    more(6);
    more(0);
  } else {
    text += static_cast<char>(0xf0 | code >> 18);
    more(12);
    more(6);
    more(0);
  }
}

// Versions 1 and 2 are in Latin-1, in which each byte is a character.
[[nodiscard]] inline std::string npy_utf8_from_latin1(std::string_view text) {
  std::string utf8;
  for (const char c : text) npy_append_utf8(utf8, static_cast<unsigned char>(c));
  return utf8;
}

// What a Python string stands for, given what is between its quotes; `valid` turns false for an
// escape that Python refuses, and for characters given by their name.
[[nodiscard]] inline std::string npy_unescaped(std::string_view text, bool& valid) {
  constexpr std::string_view kLetters = "abfnrtv\\'\"";
  constexpr std::string_view kMeanings = "\a\b\f\n\r\t\v\\'\"";
  const auto digit = [](char c) -> std::uint32_t {
    constexpr std::string_view kDigits = "0123456789abcdef";
    const std::size_t at = kDigits.find(c >= 'A' && c <= 'F' ? static_cast<char>(c + 32) : c);
    return at == std::string_view::npos ? 16 : static_cast<std::uint32_t>(at);
  };
  std::string plain;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i++];
    if (c != '\\' || i == text.size()) {
      plain += c;
      continue;
    }
    const char escape = text[i++];
    const std::size_t letter = kLetters.find(escape);
    const std::size_t hex_digits = escape == 'x' ? 2 : escape == 'u' ? 4 : escape == 'U' ? 8 : 0;
    std::uint32_t code = 0;
    if (letter != std::string_view::npos) {
      plain += kMeanings[letter];
    } else if (hex_digits > 0) {
      for (std::size_t k = 0; k < hex_digits; ++k) {
        const std::uint32_t value = i < text.size() ? digit(text[i++]) : 16;
        valid = valid && value < 16;
        code = code << 4 | (value & 15);
      }
      valid = valid && code <= 0x10ffff;
      npy_append_utf8(plain, code);
    } else if (digit(escape) < 8) {
      code = digit(escape);
      for (int k = 0; k < 2 && i < text.size() && digit(text[i]) < 8; ++k) {
        code = code << 3 | digit(text[i++]);
      }
      npy_append_utf8(plain, code);
    } else if (escape == 'N') {
      valid = false;
    } else if (escape != '\n') {  // an end of line is left out; Python keeps what it does not know
      plain += '\\';
      plain += escape;
    }
  }
  return plain;
}

}  // namespace detail

// Untrusted text as it may be printed: '?' for control characters and for bytes that are no UTF-8.
[[nodiscard]] inline std::string npy_printable(std::string_view text) {
  std::string printable;
  while (!text.empty()) {
    const std::size_t length = detail::npy_utf8_length(text);
    const auto first = static_cast<unsigned char>(text[0]);
    const bool control =
        first < 0x20 || first == 0x7f ||
        (length == 2 && first == 0xc2 && static_cast<unsigned char>(text[1]) < 0xa0);
    if (length == 0 || control) {
      printable += '?';
    } else {
      printable += text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return printable;
}

}  // namespace strided::inline STRIDED_ABI
