// What the reference operators share: a walk over all indices, and elements held as bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

#include "strided/core/config.hpp"
#include "strided/core/dims.hpp"
#include "strided/core/result.hpp"
#include "strided/view/layout.hpp"
#include "strided/view/strided_view.hpp"

namespace strided::inline STRIDED_ABI {
namespace reference::detail {

// Calls body(index) for every index of `shape`, the last entry moving fastest.
template <class Body>
void for_each_index(const Dims& shape, Body body) {
  for (std::int64_t extent : shape) {
    if (extent == 0) return;
  }
  Dims index = Dims::filled(shape.size(), 0);
  for (;;) {
    body(index);
    std::size_t axis = shape.size();
    while (axis > 0 && ++index[axis - 1] == shape[axis - 1]) index[--axis] = 0;
    if (axis == 0) return;
  }
}

// offset + index[0] * strides[0] + index[1] * strides[1] + ...
inline std::size_t place(const Layout& layout, const Dims& index) {
  std::int64_t at = layout.offset();
  for (std::size_t i = 0; i < index.size(); ++i) at += index[i] * layout.strides()[i];
  return static_cast<std::size_t>(at);
}

// An element outside its storage. Trivially copyable elements are held as bytes: a float that
// passes through a register may come out with other bits (a signaling NaN on x87), bytes do not.
template <class T>
using Held =
    std::conditional_t<std::is_trivially_copyable_v<T>, std::array<std::byte, sizeof(T)>, T>;

template <class T>
Held<T> hold(const T& element) {
  if constexpr (std::is_trivially_copyable_v<T>) {
    Held<T> bytes;
    std::memcpy(bytes.data(), static_cast<const void*>(&element), sizeof(T));
    return bytes;
  } else {
    return element;
  }
}

template <class T>
void put(const Held<T>& held, T& element) {
  if constexpr (std::is_trivially_copyable_v<T>) {
    std::memcpy(static_cast<void*>(&element), held.data(), sizeof(T));
  } else {
    element = held;
  }
}

// All elements in logical order.
template <class T>
std::vector<Held<T>> read_all(const StridedView<const T>& source) {
  const std::span<const T> storage = source.storage();
  std::vector<Held<T>> elements;
  elements.reserve(static_cast<std::size_t>(source.size()));
  for_each_index(source.shape(), [&](const Dims& index) {
    elements.push_back(hold(storage[place(source.layout(), index)]));
  });
  return elements;
}

// The counterpart of read_all.
template <class T>
void write_all(const std::vector<Held<T>>& elements, const StridedView<T>& destination) {
  const std::span<T> storage = destination.storage();
  std::size_t next = 0;
  for_each_index(destination.shape(), [&](const Dims& index) {
    put<T>(elements[next++], storage[place(destination.layout(), index)]);
  });
}

// The places of all elements in logical order; a place that is used twice is there twice.
inline std::vector<std::size_t> all_places(const Layout& layout) {
  std::vector<std::size_t> places;
  places.reserve(static_cast<std::size_t>(layout.size()));
  for_each_index(layout.shape(),
                 [&](const Dims& index) { places.push_back(place(layout, index)); });
  return places;
}

// Refuses a destination in which two indices name one element.
template <class T>
Failure check_writable(const StridedView<T>& destination, const char* subject) {
  std::vector<bool> named(destination.storage().size());
  bool twice = false;
  for_each_index(destination.shape(), [&](const Dims& index) {
    const std::size_t k = place(destination.layout(), index);
    twice = twice || named[k];
    named[k] = true;
  });
  return twice ? Failure{ErrorCode::internal_overlap, subject} : Failure{};
}

inline Failure check_same_shape(const Dims& given, const Dims& needed, const char* subject) {
  if (given == needed) return {};
  Failure failure{ErrorCode::shape_mismatch, subject};
  failure.given = given;
  failure.needed = needed;
  return failure;
}

// Everything is read, then everything is written.
template <class T>
void move_all(const StridedView<const T>& source, const StridedView<T>& destination) {
  write_all<T>(read_all<T>(source), destination);
}

}  // namespace reference::detail
}  // namespace strided::inline STRIDED_ABI
