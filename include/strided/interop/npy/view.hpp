// The bytes of a .npy file as a view of typed elements.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>

#include "strided/core/config.hpp"
#include "strided/core/error.hpp"
#include "strided/interop/npy/dtype.hpp"
#include "strided/interop/npy/header.hpp"
#include "strided/view/strided_view.hpp"

namespace strided::inline STRIDED_ABI {
namespace detail {

// What views items of this type without a change: "view<float>()".
[[nodiscard]] inline std::string npy_viewer_of(const NpyDtype& dtype) {
  const std::string bits = std::to_string(8 * dtype.item_bytes);
  const auto real = [&](std::int64_t bytes) -> std::string {
    if (bytes == std::int64_t{sizeof(float)}) return "float";
    if (bytes == std::int64_t{sizeof(double)}) return "double";
    return bytes == std::int64_t{sizeof(long double)} ? "long double" : "";
  };
  std::string type;
  if (dtype.kind == 'b') type = "bool";
  if (dtype.kind == 'i') type = "std::int" + bits + "_t";
  if (dtype.kind == 'u') type = "std::uint" + bits + "_t";
  if (dtype.kind == 'f') type = real(dtype.item_bytes);
  if (dtype.kind == 'c' && !real(dtype.item_bytes / 2).empty()) {
    type.append("std::complex<").append(real(dtype.item_bytes / 2)).append(">");
  }
  if (!type.empty()) return type.insert(0, "view<").append(">()");
  return std::string("view_as<T>() with a T of ") + std::to_string(dtype.item_bytes) +
         (dtype.item_bytes == 1 ? " byte" : " bytes");
}

template <class T>
void npy_require_type(const NpyDtype& dtype, const std::string& where, const char* call) {
  const char other_order = kNpyNativeOrder == '<' ? '>' : '<';
  if (dtype.descr.starts_with(other_order) && npy_has_order(dtype.kind, dtype.item_bytes)) {
    npy_fail(ErrorCode::unsupported, call,
             where + " holds items of type " + npy_quoted(dtype.descr) +
                 ", not of this machine's byte order; view_as<T>() takes their bytes as they are");
  }
  const NpyDtype wanted = npy_dtype_of<std::remove_const_t<T>>();
  if (dtype.kind != wanted.kind || dtype.item_bytes != wanted.item_bytes) {
    npy_fail(ErrorCode::unsupported, call,
             where + " holds items of type " + npy_quoted(dtype.descr) + ", not '" + wanted.descr +
                 "'; " + npy_viewer_of(dtype) + " takes them");
  }
}

// `data` holds header.data_bytes bytes; `call` is who asks.
template <class T, class Byte>
[[nodiscard]] StridedView<T> npy_view(Byte* data, const NpyHeader& header, const std::string& where,
                                      const char* call) {
  static_assert(std::is_trivially_copyable_v<T>, "a file holds plain bytes");
  if (header.dtype.item_bytes != static_cast<std::int64_t>(sizeof(T))) {
    npy_fail(ErrorCode::unsupported, call,
             where + " holds items of " + std::to_string(header.dtype.item_bytes) + " bytes (" +
                 npy_quoted(header.dtype.descr) + "), not of " + std::to_string(sizeof(T)) + "; " +
                 npy_viewer_of(header.dtype) + " takes them");
  }
  using Void = std::conditional_t<std::is_const_v<T>, const void, void>;
  T* const elements = static_cast<T*>(static_cast<Void*>(data));
  const auto count = static_cast<std::size_t>(header.data_bytes) / sizeof(T);
  return StridedView<T>(std::span<T>(elements, count), header.layout());
}

}  // namespace detail
}  // namespace strided::inline STRIDED_ABI
