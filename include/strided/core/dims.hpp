// Dims: a short list of 64-bit numbers (sizes, strides, axes, indices), on the stack.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <span>  // std::data and std::size, at a quarter of the cost of <iterator>
#include <string>
#include <type_traits>

#include "strided/core/config.hpp"
#include "strided/core/error.hpp"

namespace strided::inline STRIDED_ABI {

// The largest rank a view may have; also the capacity of Dims.
inline constexpr int kMaxRank = 32;

// Any integer type but bool.
template <class T>
concept Integer =
    std::is_integral_v<std::remove_cvref_t<T>> && !std::is_same_v<std::remove_cvref_t<T>, bool>;

namespace detail {

// An unsigned value past INT64_MAX becomes INT64_MAX, never a negative number: a size_t that ran
// below zero is then refused as too large, and is not taken for "the last one".
template <Integer I>
[[nodiscard]] constexpr std::int64_t to_int64(I value) noexcept {
  if constexpr (std::is_unsigned_v<I> && sizeof(I) >= sizeof(std::int64_t)) {
    constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
    if (value > static_cast<I>(kMost)) return kMost;
  }
  return static_cast<std::int64_t>(value);
}

}  // namespace detail

class Dims;

// A contiguous run of integers of any width: std::vector<int>, std::array<std::int64_t, 3> ...
template <class R>
concept IntegerList =
    !std::is_same_v<std::remove_cvref_t<R>, Dims> && requires(const std::remove_cvref_t<R>& list) {
  { *std::data(list) } -> Integer;
  { std::size(list) } -> std::convertible_to<std::size_t>;
};

// Up to kMaxRank signed 64-bit numbers. Only the live entries are ever written, read or copied: a
// list of two costs two. Throws Error(rank_too_large) for more than kMaxRank entries.
//
//   Dims shape{6, 5};  shape.size() == 2;  shape[1] == 5;  shape == Dims{6, 5}
class Dims {
  // The helpers stand first: a constant expression can only use templates defined above it.
  static constexpr void require_room(std::size_t count) {
    if (count > static_cast<std::size_t>(kMaxRank)) {
      std::string message = "Dims: the list has ";
      message.append(std::to_string(count)).append(" entries, at most ");
      message.append(std::to_string(kMaxRank)).append(" are allowed");
      raise(Error(ErrorCode::rank_too_large, message));
    }
  }
  // Constants must be initialized as a whole; at run time the tail stays untouched.
  constexpr void settle() noexcept {
    if (std::is_constant_evaluated()) {
      for (std::int64_t& value : values_) value = 0;  // unreachable: at run time
    }
  }
  template <Integer I>
  constexpr void assign(const I* values, std::size_t count) {
    settle();
    require_room(count);
    // Never more than there is room for, which the line above sees to and compilers do not see.
    constexpr std::size_t kRoom = kMaxRank;
    const std::size_t live = count < kRoom ? count : kRoom;
    for (std::size_t i = 0; i < live; ++i) values_[i] = detail::to_int64(values[i]);
    size_ = static_cast<std::uint32_t>(live);
  }
  constexpr void take(const Dims& other) noexcept {
    for (std::size_t i = 0; i < other.size_; ++i) values_[i] = other.values_[i];
    size_ = other.size_;
  }

 public:
  // As those of std::vector.
  using value_type = std::int64_t;
  using iterator = std::int64_t*;
  using const_iterator = const std::int64_t*;

  constexpr Dims() noexcept { settle(); }  // no entries
  // The entries of a list, in order; an unsigned one past INT64_MAX becomes INT64_MAX. Errors:
  // rank_too_large.
  constexpr Dims(std::initializer_list<std::int64_t> values) {
    assign(values.begin(), values.size());
  }
  template <IntegerList R>
  constexpr Dims(const R& list) {  // implicit: a shape often lives in a vector already
    assign(std::data(list), std::size(list));
  }
  // Copies the live entries alone.
  constexpr Dims(const Dims& other) noexcept {
    settle();
    take(other);
  }
  constexpr Dims& operator=(const Dims& other) noexcept {
    take(other);
    return *this;
  }
  constexpr ~Dims() = default;  // trivial

  // `count` copies of `value`.
  [[nodiscard]] static constexpr Dims filled(std::size_t count, std::int64_t value) {
    Dims dims;
    dims.require_room(count);
    for (std::size_t i = 0; i < count; ++i) dims.push_back(value);
    return dims;
  }

  // As those of std::vector.
  [[nodiscard]] constexpr std::size_t size() const noexcept { return size_; }
  [[nodiscard]] constexpr bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] constexpr std::int64_t* data() noexcept { return values_; }
  [[nodiscard]] constexpr const std::int64_t* data() const noexcept { return values_; }
  [[nodiscard]] constexpr iterator begin() noexcept { return values_; }
  [[nodiscard]] constexpr iterator end() noexcept { return values_ + size_; }
  [[nodiscard]] constexpr const_iterator begin() const noexcept { return values_; }
  [[nodiscard]] constexpr const_iterator end() const noexcept { return values_ + size_; }

  // Entry i, not checked.
  template <Integer I>
  [[nodiscard]] constexpr std::int64_t& operator[](I i) noexcept {
    return values_[static_cast<std::size_t>(i)];
  }
  template <Integer I>
  [[nodiscard]] constexpr const std::int64_t& operator[](I i) const noexcept {
    return values_[static_cast<std::size_t>(i)];
  }

  // As those of std::vector, with positions for iterators; positions are not checked. Errors:
  // rank_too_large, where there are kMaxRank entries already.
  constexpr void push_back(std::int64_t value) {
    require_room(size_ + std::size_t{1});
    values_[size_++] = value;
  }
  constexpr void insert(std::size_t position, std::int64_t value) {
    push_back(value);
    for (std::size_t i = size_ - std::size_t{1}; i > position; --i) {
      values_[i] = values_[i - 1];
      values_[i - 1] = value;
    }
  }
  constexpr void erase(std::size_t position) noexcept {
    for (std::size_t i = position + 1; i < size_; ++i) values_[i - 1] = values_[i];
    --size_;
  }
  constexpr void clear() noexcept { size_ = 0; }

  // Equal lengths and equal entries.
  friend constexpr bool operator==(const Dims& a, const Dims& b) noexcept {
    if (a.size_ != b.size_) return false;
    for (std::size_t i = 0; i < a.size_; ++i) {
      if (a.values_[i] != b.values_[i]) return false;
    }
    return true;
  }

 private:
  std::int64_t values_[kMaxRank];
  std::uint32_t size_ = 0;
};

// "(6, 5)", "(3,)", "()" - the way Python prints a shape.
[[nodiscard]] inline std::string to_string(const Dims& dims) {
  std::string text = "(";
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (i > 0) text += ", ";
    text += std::to_string(dims[i]);
  }
  return text + (dims.size() == 1 ? ",)" : ")");
}

}  // namespace strided::inline STRIDED_ABI
