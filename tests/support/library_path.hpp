// The operators as a type; see reference_path.hpp.
#pragma once

#include <cstdint>
#include <utility>

#include "strided/strided.hpp"

namespace strided_test {

struct LibraryPath {
  template <class... A>
  static void copy(A&&... a) {
    strided::copy(std::forward<A>(a)...);
  }
  template <class... A>
  static void fill(A&&... a) {
    strided::fill(std::forward<A>(a)...);
  }
  template <class... A>
  static auto as_strided(A&&... a) {
    return strided::as_strided(std::forward<A>(a)...);
  }
  template <class... A>
  static void as_strided_copy(A&&... a) {
    strided::as_strided_copy(std::forward<A>(a)...);
  }
  template <class... A>
  static void as_strided_scatter(A&&... a) {
    strided::as_strided_scatter(std::forward<A>(a)...);
  }
  template <class... A>
  static auto strided_slice(A&&... a) {
    return strided::strided_slice(std::forward<A>(a)...);
  }
  template <class... A>
  static void strided_slice_assign(A&&... a) {
    strided::strided_slice_assign(std::forward<A>(a)...);
  }
  template <class... A>
  static bool bitwise_equal(A&&... a) {
    return strided::bitwise_equal(std::forward<A>(a)...);
  }
  template <class T>
  static bool has_internal_overlap(const strided::StridedView<T>& view) {
    return strided::has_internal_overlap(view);
  }
  template <class T>
  static bool overlaps(const strided::StridedView<T>& a, const strided::StridedView<T>& b) {
    return strided::overlaps(a, b);
  }
};

}  // namespace strided_test
