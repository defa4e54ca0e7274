// The reference as a type, so that one test body serves the reference and the operators.
#pragma once

#include <cstdint>
#include <utility>

#include "strided/reference/reference.hpp"

namespace strided_test {

struct ReferencePath {
  template <class... A>
  static void copy(A&&... a) {
    strided::reference::copy(std::forward<A>(a)...);
  }
  template <class... A>
  static void fill(A&&... a) {
    strided::reference::fill(std::forward<A>(a)...);
  }
  template <class... A>
  static auto as_strided(A&&... a) {
    return strided::reference::as_strided(std::forward<A>(a)...);
  }
  template <class... A>
  static void as_strided_copy(A&&... a) {
    strided::reference::as_strided_copy(std::forward<A>(a)...);
  }
  template <class... A>
  static void as_strided_scatter(A&&... a) {
    strided::reference::as_strided_scatter(std::forward<A>(a)...);
  }
  template <class... A>
  static auto strided_slice(A&&... a) {
    return strided::reference::strided_slice(std::forward<A>(a)...);
  }
  template <class... A>
  static void strided_slice_assign(A&&... a) {
    strided::reference::strided_slice_assign(std::forward<A>(a)...);
  }
  template <class... A>
  static bool bitwise_equal(A&&... a) {
    return strided::reference::bitwise_equal(std::forward<A>(a)...);
  }
  template <class T>
  static bool has_internal_overlap(const strided::StridedView<T>& view) {
    return static_cast<bool>(strided::reference::detail::check_writable(view, "a view"));
  }
  template <class T>
  static bool overlaps(const strided::StridedView<T>& a, const strided::StridedView<T>& b) {
    return strided::reference::detail::share_a_byte<T>(a, b);
  }
};

}  // namespace strided_test
