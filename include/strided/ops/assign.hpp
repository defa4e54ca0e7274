// Element types that are not trivially copyable: plain assignment, in the loops of the engine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>
#include <vector>

#include "strided/core/config.hpp"
#include "strided/core/result.hpp"
#include "strided/core/rules.hpp"
#include "strided/engine/execute.hpp"
#include "strided/engine/loop_nest.hpp"
#include "strided/engine/normalize.hpp"
#include "strided/engine/temporary.hpp"
#include "strided/view/overlap.hpp"
#include "strided/view/strided_view.hpp"

namespace strided::inline STRIDED_ABI::detail {

// Copies of the elements of `src` in logical order; empty and a failure if there is no memory.
template <class T>
[[nodiscard]] Failure read_elements(const StridedView<const T>& src, std::vector<T>& values) {
  std::int64_t bytes = 0;
  if (multiply_overflows(src.size(), std::int64_t{sizeof(T)}, bytes)) {
    return engine::no_temporary(kInt64Max);
  }
  // unreachable: with 64 bits what does not fit overflows
  if (!fits_memory(bytes)) return engine::no_temporary(bytes);
#if STRIDED_HAS_EXCEPTIONS
  try {
    values.assign(src.begin(), src.end());
  } catch (const std::bad_alloc&) {
    return engine::no_temporary(bytes);
  }
#else
  values.assign(src.begin(), src.end());
#endif
  return {};
}

template <class T>
void assign_disjoint(const engine::LoopNest& nest, const T* src, T* dst) {
  const std::int64_t run = nest.run_bytes / nest.element_bytes;
  engine::for_each_index(nest, nest.rank, reinterpret_cast<const std::byte*>(src),
                         reinterpret_cast<std::byte*>(dst),
                         [&](const std::byte* from, std::byte* to) {
                           for (std::int64_t i = 0; i < run; ++i) {
                             reinterpret_cast<T*>(to)[i] = reinterpret_cast<const T*>(from)[i];
                           }
                         });
}

// Errors, before the first assignment: as copy(). What an assignment throws passes through.
template <class T>
[[nodiscard]] Failure assign_elements(const StridedView<const T>& src, const StridedView<T>& dst,
                                      const CopyOptions& options) {
  const Result<engine::LoopNest> nest =
      engine::normalize(src.layout(), dst.layout(), std::int64_t{sizeof(T)});
  if (!nest) return nest.error();
  if (has_internal_overlap(dst)) return internal_overlap_of(dst.layout(), "dst");
  if (dst.empty()) return {};
  const T* from = src.storage().data();
  T* to = dst.storage().data();
  const std::int64_t shift = engine::shift_bytes(*nest, reinterpret_cast<const std::byte*>(from),
                                                 reinterpret_cast<const std::byte*>(to));
  if (shift == 0 && engine::same_strides(*nest)) return {};  // every element onto itself
  const bool promised = options.assume_disjoint && !STRIDED_DEBUG_CHECKS;
  const Found meet = promised ? Found::no : views_meet(src, dst);
  if (engine::written_as_read(meet, options)) {
    assign_disjoint(*nest, from, to);
    return {};
  }
  if (Failure failure = engine::check_temporary(nest->total_bytes, meet, options)) return failure;
  std::vector<T> values;
  if (Failure failure = read_elements(src, values)) return failure;
  auto value = values.begin();
  // Moved: all that an assignment may lack was there when the copies were made.
  for (T& element : dst) element = std::move(*value++);
  return {};
}

template <class T>
[[nodiscard]] Failure assign_elements(const StridedView<T>& src, const StridedView<T>& dst,
                                      const CopyOptions& options) {
  return assign_elements(StridedView<const T>(src), dst, options);
}

}  // namespace strided::inline STRIDED_ABI::detail
