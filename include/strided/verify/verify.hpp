// Runs an operator twice, by the engine and by the reference, and compares every bit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>

#include "strided/core/config.hpp"
#include "strided/core/dims.hpp"
#include "strided/core/rules.hpp"
#include "strided/ops/as_strided.hpp"
#include "strided/ops/copy.hpp"
#include "strided/ops/fill.hpp"
#include "strided/ops/strided_slice.hpp"
#include "strided/reference/reference.hpp"
#include "strided/verify/difference.hpp"
#include "strided/verify/twin.hpp"
#include "strided/view/layout.hpp"
#include "strided/view/strided_view.hpp"

namespace strided::inline STRIDED_ABI {

// What a verification found. True if both results are equal, bit for bit, in the whole storage of
// the destination: the elements between those of the view count too.
struct VerifyReport {
  std::int64_t elements = 0;  // compared: the storage of the destination
  Difference difference{};    // the first one, if any
  bool outside_view = false;  // then difference.index counts in the storage

  // Whether both results are equal.
  [[nodiscard]] explicit operator bool() const noexcept { return !difference.found; }

  // "bit for bit equal, 12 elements", or
  // "first differs at (1, 2): engine 0x7fc00001, reference 0x7fc00000".
  [[nodiscard]] std::string message() const {
    if (!difference.found) {
      return "bit for bit equal, " + std::to_string(elements) +
             (elements == 1 ? " element" : " elements");
    }
    const std::string where = outside_view
                                  ? "outside the destination, at element " +
                                        std::to_string(difference.index[0]) + " of its storage"
                                  : "at " + to_string(difference.index);
    return "first differs " + where + ": engine " + difference.a + ", reference " + difference.b;
  }
};

namespace detail {

template <class T>
[[nodiscard]] VerifyReport compare_twins(const StridedView<const T>& engine,
                                         const StridedView<const T>& reference) {
  VerifyReport report;
  report.elements = static_cast<std::int64_t>(engine.storage().size());
  report.difference = first_difference(engine, reference);
  if (report.difference.found) return report;
  const Dims all{report.elements};
  report.difference = first_difference(StridedView<const T>(engine.storage(), all),
                                       StridedView<const T>(reference.storage(), all));
  report.outside_view = report.difference.found;
  return report;
}

// `by_engine` and `by_reference` are given the same source and destination on storages of their
// own.
template <class S, class T, class Engine, class Reference>
[[nodiscard]] VerifyReport run_twice(const StridedView<S>& source,
                                     const StridedView<T>& destination, Engine by_engine,
                                     Reference by_reference) {
  static_assert(std::is_trivially_copyable_v<T>,
                "strided: verification compares bits; this type is not trivially copyable");
  static_assert(std::is_same_v<std::remove_const_t<S>, T>,
                "strided: source and destination have different element types");
  const Twin<T> first(source, destination);
  const Twin<T> second(source, destination);
  by_engine(first.source(), first.destination());
  by_reference(second.source(), second.destination());
  return compare_twins<T>(first.destination(), second.destination());
}

}  // namespace detail

// copy(src, dst, options) by engine and reference, on copies of the storage: `dst` itself stays as
// it is. Source and destination may overlap. Throws what the operator throws.
//
//   if (VerifyReport report = verify_copy(src, dst); !report) std::puts(report.message().c_str());
template <class S, class T>
[[nodiscard]] VerifyReport verify_copy(const StridedView<S>& src, const StridedView<T>& dst,
                                       const CopyOptions& options = {}) {
  return detail::run_twice(
      src, dst, [&](const auto& s, const auto& d) { strided::copy(s, d, options); },
      [&](const auto& s, const auto& d) { reference::copy(s, d, options); });
}

// The same of fill(dst, value, options).
template <class T>
[[nodiscard]] VerifyReport verify_fill(const StridedView<T>& dst,
                                       const std::type_identity_t<T>& value,
                                       const FillOptions& options = {}) {
  return detail::run_twice(
      StridedView<const T>(), dst,
      [&](const auto&, const auto& d) { strided::fill(d, value, options); },
      [&](const auto&, const auto& d) { reference::fill(d, value, options); });
}

// The same of as_strided_copy(x, param, y, rules).
template <class X, class Y>
[[nodiscard]] VerifyReport verify_as_strided_copy(const StridedView<X>& x,
                                                  const AsStridedParam& param,
                                                  const StridedView<Y>& y,
                                                  Rules rules = Rules::ascend) {
  return detail::run_twice(
      x, y, [&](const auto& s, const auto& d) { strided::as_strided_copy(s, param, d, rules); },
      [&](const auto& s, const auto& d) { reference::as_strided_copy(s, param, d, rules); });
}

// The same of as_strided_scatter(v, size, stride, offset, value, rules).
template <class T, class V>
[[nodiscard]] VerifyReport verify_as_strided_scatter(const StridedView<T>& v, const Dims& size,
                                                     const Dims& stride, std::int64_t offset,
                                                     const StridedView<V>& value,
                                                     Rules rules = Rules::strided) {
  return detail::run_twice(
      value, v,
      [&](const auto& s, const auto& d) {
        strided::as_strided_scatter(d, size, stride, offset, s, rules);
      },
      [&](const auto& s, const auto& d) {
        reference::as_strided_scatter(d, size, stride, offset, s, rules);
      });
}

// The same of strided_slice_assign(var, spec, value, rules).
template <class T, class V>
[[nodiscard]] VerifyReport verify_strided_slice_assign(const StridedView<T>& var,
                                                       const StridedSliceSpec& spec,
                                                       const StridedView<V>& value,
                                                       Rules rules = Rules::ascend) {
  return detail::run_twice(
      value, var,
      [&](const auto& s, const auto& d) { strided::strided_slice_assign(d, spec, s, rules); },
      [&](const auto& s, const auto& d) { reference::strided_slice_assign(d, spec, s, rules); });
}

}  // namespace strided::inline STRIDED_ABI
