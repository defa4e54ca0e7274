// Result<T>: a value or the Failure that prevented it.
#pragma once

#include <cstddef>
#include <span>  // std::size
#include <string>
#include <type_traits>
#include <utility>

#include "strided/core/config.hpp"
#include "strided/core/dims.hpp"
#include "strided/core/error.hpp"
#include "strided/core/failure.hpp"
#include "strided/core/sentence.hpp"

namespace strided::inline STRIDED_ABI {

// A value of type T, or the Failure that prevented it. T must be cheap to default-construct.
template <class T>
class [[nodiscard]] Result {
 public:
  // From a value, implicitly: `return layout;`
  constexpr Result(const T& value) noexcept(std::is_nothrow_copy_constructible_v<T>)
      : value_(value) {}
  // A value to be filled in place, for types that are not cheap to copy.
  constexpr explicit Result(std::in_place_t) noexcept {}
  // From a failure, implicitly: its code is not ErrorCode::ok.
  constexpr Result(const Failure& failure) noexcept : failure_(failure) {}

  // Turns into a failure; functions that return one result on every path build it in place.
  constexpr Result& fail(const Failure& failure) noexcept {
    failure_ = failure;
    return *this;
  }

  // A failure is told of the entry point `call` from here on, whatever it was told of.
  constexpr Result& told_of(const char* call) noexcept {
    failure_.call = call;
    return *this;
  }

  // Whether there is a value.
  [[nodiscard]] constexpr bool has_value() const noexcept { return !failure_; }
  [[nodiscard]] constexpr explicit operator bool() const noexcept { return has_value(); }
  // The failure; its code is ErrorCode::ok if there is a value.
  [[nodiscard]] constexpr const Failure& error() const noexcept { return failure_; }
  // The value. Whether there is one is not checked.
  [[nodiscard]] constexpr const T& operator*() const noexcept { return value_; }
  [[nodiscard]] constexpr T& operator*() noexcept { return value_; }
  [[nodiscard]] constexpr const T* operator->() const noexcept { return &value_; }
  // The failure in one sentence; "no error" if there is a value.
  [[nodiscard]] std::string message() const { return failure_.message(); }

  // The value, or throws the failure as strided::Error; told of the entry point `call`, if given.
  [[nodiscard]] constexpr const T& value(const char* call = "") const {
    if (failure_) raise(Error(failure_.code, failure_.in(call).message()));
    return value_;
  }

 private:
  T value_{};
  Failure failure_{};
};

// A list as Dims, without exceptions: converting one of more than kMaxRank entries throws. Errors:
// rank_too_large.
//
//   if (const Result<Dims> axes = try_dims(list)) layout = try_permute(layout, *axes);
[[nodiscard]] constexpr Result<Dims> try_dims(const Dims& list) noexcept {
  return list;
}
template <IntegerList R>
[[nodiscard]] constexpr Result<Dims> try_dims(const R& list) noexcept {
  const auto entries = static_cast<std::size_t>(std::size(list));
  if (entries > std::size_t{kMaxRank}) {
    return Failure{ErrorCode::rank_too_large, "the list", -1, detail::to_int64(entries), kMaxRank}
        .in("Dims");
  }
  return Dims(list);
}

// Throws the failure, if it is one.
constexpr void raise_if(const Failure& failure) {
  if (failure) raise(Error(failure.code, failure.message()));
}

}  // namespace strided::inline STRIDED_ABI
