// A strict reader of the Python literals that a .npy header is made of.
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "strided/core/checked_math.hpp"
#include "strided/core/config.hpp"
#include "strided/core/dims.hpp"
#include "strided/core/error.hpp"
#include "strided/interop/npy/dtype.hpp"
#include "strided/interop/npy/text.hpp"

namespace strided::inline STRIDED_ABI {
namespace detail {

inline constexpr const char kNpyNoBytes[] = "its items have no bytes, at least 1 is needed";

// Reads strings, whole numbers, True and False, tuples of sizes and types from the front of a text.
// Every call leaves the text behind what it read, or raises an Error that begins with `where`. The
// text is untrusted: nothing is read past its end, recursion has a limit, and nothing is allocated
// before it is known to be there.
class NpyLiteral {
 public:
  NpyLiteral(std::string_view text, const std::string& where, NpyOrder order = NpyOrder::native)
      : text_(text), where_(where), order_(order) {}

  [[noreturn]] void fail(const std::string& what, ErrorCode code = ErrorCode::file_format) const {
    npy_fail(code, where_, what);
  }

  // The next character that is no white space; 0 at the end.
  [[nodiscard]] char peek() {
    while (at_ < text_.size() &&
           std::string_view(" \t\r\n\f").find(text_[at_]) != std::string_view::npos) {
      ++at_;
    }
    return at_ < text_.size() ? text_[at_] : '\0';
  }

  [[nodiscard]] bool take(char wanted) {
    if (peek() != wanted || at_ == text_.size()) return false;
    ++at_;
    return true;
  }

  void expect(char wanted, const char* context) {
    if (!take(wanted)) {
      fail("the header needs a '" + std::string(1, wanted) + "' " + context + ", not " + next());
    }
  }

  void expect_end() {
    if (peek() != '\0' || at_ != text_.size()) fail("the header goes on after its end: " + next());
  }

  // What is between the quotes, escapes left as they are.
  [[nodiscard]] std::string_view string(const char* context) {
    const char quote = peek();
    if (quote != '\'' && quote != '"') {
      fail(std::string("the header needs a string ") + context + ", not " + next());
    }
    const std::size_t begin = ++at_;
    const std::string_view ends = quote == '"' ? "\"\n\r" : "'\n\r";
    while (at_ < text_.size() && ends.find(text_[at_]) == std::string_view::npos) {
      at_ += text_[at_] == '\\' ? std::size_t{2} : std::size_t{1};
    }
    if (at_ >= text_.size() || text_[at_] != quote) fail("a string in the header has no end");
    return text_.substr(begin, at_++ - begin);
  }

  [[nodiscard]] bool boolean(const char* context) {
    for (const std::string_view word : {std::string_view("True"), std::string_view("False")}) {
      if (peek() == word.front() && text_.substr(at_, word.size()) == word) {
        at_ += word.size();
        return word == "True";
      }
    }
    fail(std::string("the header needs True or False ") + context + ", not " + next());
  }

  // A size: at least 0. Python 2 wrote it with an L behind.
  [[nodiscard]] std::int64_t size() {
    if (peek() == '-') fail("a size in the header is negative: " + next());
    const std::string_view digits = text_.substr(at_);
    std::int64_t value = 0;
    const std::from_chars_result read =
        std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (read.ec == std::errc::result_out_of_range) {
      fail("a size in the header does not fit 64 bits: " + next());
    }
    const auto length = static_cast<std::size_t>(read.ptr - digits.data());
    if (read.ec != std::errc() || (digits.front() == '0' && length > 1)) {
      fail("the header needs a whole number as a size, not " + next());
    }
    at_ += length;
    if (at_ < text_.size() && text_[at_] == 'L') ++at_;
    return value;
  }

  // "()", "(3,)", "(3, 4)". "(3)" is a number in Python, not a tuple, and NumPy refuses it too.
  [[nodiscard]] Dims shape() {
    expect('(', "before a shape");
    Dims sizes;
    bool comma = true;
    while (!take(')')) {
      if (!comma) fail("the header needs a ',' between the sizes of a shape, not " + next());
      if (sizes.size() == static_cast<std::size_t>(kMaxRank)) {
        fail("its shape has more than " + std::to_string(kMaxRank) + " dimensions",
             ErrorCode::unsupported);
      }
      sizes.push_back(size());
      comma = take(',');
    }
    if (sizes.size() == 1 && !comma) {
      fail(std::string("the header has a number where a shape is needed; (") +
           std::to_string(sizes[0]) + ",) is one");
    }
    return sizes;
  }

  // A type string, or a list of fields, which is taken as one item of all their bytes.
  [[nodiscard]] NpyDtype dtype() {
    if (peek() == '(') {
      fail("its items are arrays themselves; their sizes belong in the shape",
           ErrorCode::unsupported);
    }
    const std::size_t begin = at_;
    NpyDtype type = item(0);
    if (type.item_bytes == 0) fail(kNpyNoBytes, ErrorCode::unsupported);
    if (text_[begin] == '[') type.descr = text_.substr(begin, at_ - begin);
    return type;
  }

 private:
  static constexpr int kDeepest = 32;

  // What comes next, for a message.
  [[nodiscard]] std::string next() {
    if (peek() == '\0' && at_ >= text_.size()) return "its end";
    const std::size_t last = text_.find_last_not_of(" \t\r\n\f");  // headers are padded
    return npy_quoted(text_.substr(at_, last + 1 - at_));
  }

  [[nodiscard]] NpyDtype item(int depth) {
    if (depth > kDeepest) {
      fail(std::string("its fields are nested more than ") + std::to_string(kDeepest) + " deep",
           ErrorCode::unsupported);
    }
    if (take('[')) return fields(depth);
    if (take('(')) {  // an array of items: (type, shape)
      NpyDtype type = item(depth + 1);
      expect(',', "between a type and its shape");
      multiply(type.item_bytes, shape());
      expect(')', "behind a type and its shape");
      return type;
    }
    return npy_parse_type(string("as a type"), where_, order_);
  }

  // (name, type), ... with a third entry for a field that is an array; the '[' is read already. No
  // name or title comes twice, but for the empty name of bytes that only fill a gap.
  [[nodiscard]] NpyDtype fields(int depth) {
    NpyDtype record;
    std::set<std::string> names;
    while (!take(']')) {
      expect('(', "before a field");
      const bool titled = take('(');
      std::string name = field_name(titled ? "as the title of a field" : "as the name of a field");
      if (titled) {
        add_name(names, std::move(name));
        expect(',', "between the title and the name of a field");
        name = field_name("as the name of a field");
        expect(')', "behind the title and the name of a field");
      }
      expect(',', "behind the name of a field");
      const bool is_record = peek() == '[';
      const NpyDtype type = item(depth + 1);
      const bool is_gap = !titled && name.empty() && type.kind == 'V' && !is_record;
      if (!is_gap) add_name(names, std::move(name));
      std::int64_t bytes = type.item_bytes;
      if (take(',') && peek() != ')') {
        multiply(bytes, peek() == '(' ? shape() : Dims{size()});
        (void)take(',');
      }
      expect(')', "behind a field");
      add(record.item_bytes, bytes);
      if (!take(',') && peek() != ']') fail("the header needs a ',' between fields, not " + next());
    }
    return record;
  }

  [[nodiscard]] std::string field_name(const char* context) {
    const std::string_view quoted = string(context);
    bool valid = true;
    std::string name = npy_unescaped(quoted, valid);
    if (!valid) fail("the header has the string " + npy_quoted(quoted) + " with a wrong escape");
    return name;
  }

  void add_name(std::set<std::string>& names, std::string name) const {
    const auto [at, is_new] = names.insert(std::move(name));
    if (!is_new) fail("the header has a field " + npy_quoted(*at) + " twice");
  }

  void multiply(std::int64_t& bytes, const Dims& sizes) const {
    if (bytes == 0) {
      fail("a field is an array of items of no bytes, at least 1 is needed",
           ErrorCode::unsupported);
    }
    bool empty = false;
    for (const std::int64_t n : sizes) empty = empty || n == 0;
    if (empty) bytes = 0;
    for (std::size_t i = 0; !empty && i < sizes.size(); ++i) {
      if (multiply_overflows(bytes, sizes[i], bytes)) bytes = kInt64Max;
    }
    require_fitting(bytes);
  }

  void add(std::int64_t& bytes, std::int64_t more) const {
    bytes += more;  // both fit 32 bits
    require_fitting(bytes);
  }

  void require_fitting(std::int64_t bytes) const {
    if (bytes > kNpyMostItemBytes) {
      fail(std::string("its items are larger than ") + std::to_string(kNpyMostItemBytes) + " bytes",
           ErrorCode::unsupported);
    }
  }

  std::string_view text_;
  const std::string& where_;
  NpyOrder order_;
  std::size_t at_ = 0;
};

[[nodiscard]] inline NpyDtype npy_parse_dtype(std::string_view descr, const std::string& where,
                                              NpyOrder order) {
  if (descr.empty() || descr.front() != '[') {
    NpyDtype type = npy_parse_type(descr, where, order);
    if (type.item_bytes == 0) npy_fail(ErrorCode::unsupported, where, kNpyNoBytes);
    return type;
  }
  NpyLiteral literal(descr, where, order);
  NpyDtype type = literal.dtype();
  literal.expect_end();
  return type;
}

}  // namespace detail

inline NpyDtype NpyDtype::parse(std::string_view descr, const std::string& where) {
  return detail::npy_parse_dtype(descr, where, detail::NpyOrder::native);
}

}  // namespace strided::inline STRIDED_ABI
