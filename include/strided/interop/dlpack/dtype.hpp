// DLPack's element types, and which of them a C++ type is.
#pragma once

#include <dlpack/dlpack.h>

#include <climits>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>  // std::size
#include <type_traits>

#include "strided/core/config.hpp"
#include "strided/core/error.hpp"
#include "strided/core/result.hpp"

namespace strided::inline STRIDED_ABI {
namespace detail {

// kDLBool of DLPack 0.8 and later; the number is the same for those who have an older header.
inline constexpr std::uint8_t kDlpackBool = 6;

// As NumPy and PyTorch: floating-point types in the formats of IEEE 754 without padding, which the
// long double of x86 is not.
template <class T>
[[nodiscard]] constexpr DLDataType dlpack_dtype_of() noexcept {
  constexpr auto kBits = static_cast<std::uint8_t>(sizeof(T) * CHAR_BIT);
  if constexpr (std::is_same_v<T, bool>) {
    return {kDlpackBool, kBits, 1};
  } else if constexpr (std::is_integral_v<T>) {
    return {std::is_signed_v<T> ? kDLInt : kDLUInt, kBits, 1};
  } else if constexpr (std::numeric_limits<T>::is_iec559 && sizeof(T) <= sizeof(std::int64_t)) {
    return {kDLFloat, kBits, 1};
  } else {
    return {0, 0, 0};
  }
}

}  // namespace detail

// DLPack's type for a C++ type; one of 0 bits for a type that DLPack has none for. A type of your
// own joins in by a specialization:
//
//   template <> inline constexpr DLDataType strided::kDlpackDtype<bfloat16> = {kDLBfloat, 16, 1};
template <class T>
inline constexpr DLDataType kDlpackDtype = detail::dlpack_dtype_of<T>();
template <class T>
inline constexpr DLDataType kDlpackDtype<std::complex<T>> = {
    kDLComplex, static_cast<std::uint8_t>(2 * detail::dlpack_dtype_of<T>().bits),
    detail::dlpack_dtype_of<T>().lanes};

// Elements, const or not, that DLPack has a type for.
template <class T>
concept DlpackElement = std::is_trivially_copyable_v<T> && kDlpackDtype<std::remove_const_t<T>>
.lanes == 1 && kDlpackDtype<std::remove_const_t<T>>.bits == sizeof(T) * CHAR_BIT;

namespace detail {

// By the codes of DLPack 1.1. What follows the prefix is the name alone.
inline constexpr const char kDlpackTypeIs[] = "the tensor holds ";
inline constexpr const char* kDlpackTypeNames[] = {
    "the tensor holds int",
    "the tensor holds uint",
    "the tensor holds float",
    "the tensor holds handle",
    "the tensor holds bfloat",
    "the tensor holds complex",
    "the tensor holds bool",
    "the tensor holds float_e3m4_",
    "the tensor holds float_e4m3_",
    "the tensor holds float_e4m3b11fnuz_",
    "the tensor holds float_e4m3fn_",
    "the tensor holds float_e4m3fnuz_",
    "the tensor holds float_e5m2_",
    "the tensor holds float_e5m2fnuz_",
    "the tensor holds float_e8m0fnu_",
    "the tensor holds float_e2m3fn_",
    "the tensor holds float_e3m2fn_",
    "the tensor holds float_e2m1fn_",
    "the tensor holds unknown_",
};

[[nodiscard]] constexpr const char* dlpack_type_is(std::uint8_t code) noexcept {
  constexpr std::size_t kUnknown = std::size(kDlpackTypeNames) - 1;
  return kDlpackTypeNames[code < kUnknown ? code : kUnknown];
}

[[nodiscard]] constexpr Failure dlpack_unsupported(const char* what, std::int64_t value,
                                                   const char* wanted,
                                                   std::int64_t limit) noexcept {
  Failure failure{ErrorCode::unsupported, what, -1, value, limit};
  failure.against = wanted;
  return failure;
}

// What a view of T needs, up to the number of bits; types that joined in have a DLPack name alone.
template <class T>
[[nodiscard]] constexpr const char* dlpack_needed_for() noexcept {
  if constexpr (std::is_same_v<T, bool>) return "for a view of bool a tensor of bool";
  if constexpr (std::is_same_v<T, float>) return "for a view of float a tensor of float";
  if constexpr (std::is_same_v<T, double>) return "for a view of double a tensor of float";
  if constexpr (std::is_same_v<T, std::complex<float>>) {
    return "for a view of std::complex<float> a tensor of complex";
  }
  if constexpr (std::is_same_v<T, std::complex<double>>) {
    return "for a view of std::complex<double> a tensor of complex";
  }
  if constexpr (std::is_integral_v<T> && sizeof(T) <= sizeof(std::int64_t)) {
    constexpr const char* kSigned[] = {
        "for a view of std::int8_t a tensor of int", "for a view of std::int16_t a tensor of int",
        "for a view of std::int32_t a tensor of int", "for a view of std::int64_t a tensor of int"};
    constexpr const char* kUnsigned[] = {"for a view of std::uint8_t a tensor of uint",
                                         "for a view of std::uint16_t a tensor of uint",
                                         "for a view of std::uint32_t a tensor of uint",
                                         "for a view of std::uint64_t a tensor of uint"};
    constexpr std::size_t kAt = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3;
    return std::is_signed_v<T> ? kSigned[kAt] : kUnsigned[kAt];
  }
  return dlpack_type_is(kDlpackDtype<T>.code) + sizeof(kDlpackTypeIs) - 1;
}

template <DlpackElement T>
[[nodiscard]] constexpr Failure dlpack_check_type(const DLDataType& given) noexcept {
  constexpr DLDataType kNeeded = kDlpackDtype<std::remove_const_t<T>>;
  if (given.code != kNeeded.code || given.bits != kNeeded.bits) {
    return dlpack_unsupported(dlpack_type_is(given.code), given.bits,
                              dlpack_needed_for<std::remove_const_t<T>>(), kNeeded.bits);
  }
  if (given.lanes != 1) {
    return dlpack_unsupported(
        "the number of lanes of an element is ", given.lanes,
        given.lanes > 1 ? "take it by dlpack_view_as: for dlpack_view exactly " : "exactly ", 1);
  }
  return {};
}

// Strides count elements of all lanes, so the lanes are part of the size.
template <class T>
[[nodiscard]] constexpr Failure dlpack_check_size(const DLDataType& given) noexcept {
  if (given.bits % CHAR_BIT != 0) {  // which may be packed
    return dlpack_unsupported("the number of bits of a lane is ", given.bits, "a multiple of ",
                              CHAR_BIT);
  }
  const std::int64_t bits = std::int64_t{given.bits} * given.lanes;
  constexpr auto kNeeded = static_cast<std::int64_t>(sizeof(T) * CHAR_BIT);
  if (bits != kNeeded) {
    return dlpack_unsupported("the number of bits of an element is ", bits, "exactly ", kNeeded);
  }
  return {};
}

}  // namespace detail
}  // namespace strided::inline STRIDED_ABI
