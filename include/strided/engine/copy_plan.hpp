// CopyPlan: a prepared copy between two layouts, for elements of any type of a given width.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>

#include "strided/core/config.hpp"
#include "strided/core/result.hpp"
#include "strided/core/rules.hpp"
#include "strided/engine/dispatch.hpp"
#include "strided/engine/explain.hpp"
#include "strided/engine/normalize.hpp"
#include "strided/engine/overlapped.hpp"
#include "strided/engine/parts.hpp"
#include "strided/engine/plan.hpp"
#include "strided/view/layout.hpp"
#include "strided/view/overlap.hpp"

namespace strided::inline STRIDED_ABI {

// Every copy of the library is execute(make_plan(normalize(src, dst))); a CopyPlan keeps what the
// first two stages made, to run on other storages of the same layouts. It knows bytes, not types:
// callers whose element type is known only at run time use it directly. A plain value; making one
// allocates nothing, unless the destination's strides interleave so that only a map of its elements
// tells whether it overlaps itself (has_internal_overlap: at most 64 MiB, and up to a second).
//
//   CopyPlan plan(src.layout(), dst.layout(), sizeof(float));
//   plan(src.storage().data(), dst.storage().data());   // the layouts carry the offsets
class CopyPlan {
 public:
  CopyPlan() noexcept {}  // moves nothing; not defaulted, or all 32 loops would be zeroed first

  // Prepares the copy from one layout to another. Like every function here that plans, a template:
  // a file that only looks at memory does not pay for compiling the kernels.
  //
  // Errors: shape_mismatch, element_size, overflow, internal_overlap (of the destination).
  template <std::same_as<Layout> L>
  CopyPlan(const L& src, const Layout& dst, std::size_t element_bytes) {
    raise_if(make(src, dst, element_bytes, "CopyPlan"));
  }

  // The same, without exceptions.
  template <std::same_as<Layout> L>
  [[nodiscard]] static Result<CopyPlan> try_make(const L& src, const Layout& dst,
                                                 std::size_t element_bytes) noexcept {
    return try_make(src, dst, element_bytes, "CopyPlan");
  }

  // Copies; storages are the starts that the layouts count from, and hold all that the layouts
  // touch. They may overlap in any way: the answer is as if the source had been read first. Errors:
  // null_data, temporary_forbidden, broken_promise, out_of_memory; nothing is written then.
  void operator()(const void* src_storage, void* dst_storage,
                  const CopyOptions& options = {}) const {
    raise_if(try_run(src_storage, dst_storage, options));
  }

  // The same, without exceptions.
  [[nodiscard]] Failure try_run(const void* src_storage, void* dst_storage,
                                const CopyOptions& options = {}) const noexcept {
    if (plan_.nest.run_bytes == 0) return {};
    if (src_storage == nullptr || dst_storage == nullptr) {
      return Failure{ErrorCode::null_data, src_storage == nullptr ? "src" : "dst", -1,
                     plan_.nest.total_bytes / plan_.nest.element_bytes}
          .in("copy");
    }
    const auto* src = static_cast<const std::byte*>(src_storage);
    auto* dst = static_cast<std::byte*>(dst_storage);
    if ((STRIDED_DEBUG_CHECKS || !options.assume_disjoint) && ranges_meet(src, dst)) {
      return engine::copy_overlapping(plan_, src, dst, options).in("copy");
    }
    engine::execute_parts(plan_, src, dst, options.executor);
    return {};
  }

  // Which kernel, which loops, and why, in words; for storages that begin on a cache line, and
  // without an executor.
  [[nodiscard]] std::string explain() const { return engine::explain(plan_); }

  // The bytes that a run writes.
  [[nodiscard]] std::int64_t total_bytes() const noexcept { return plan_.nest.total_bytes; }
  // The plan itself, for tools that draw or count it.
  [[nodiscard]] const engine::Plan& stages() const noexcept { return plan_; }

  // For a source that is one element, written to every element of a destination which may then even
  // overlap itself.
  template <std::same_as<Layout> L>
  [[nodiscard]] static Result<CopyPlan> try_make_fill(const L& dst, std::size_t element_bytes,
                                                      bool allow_internal_overlap) noexcept {
    const Layout one = Layout::unchecked(dst.shape(), Dims::filled(dst.shape().size(), 0), 0);
    return try_make(one, dst, element_bytes, "fill", allow_internal_overlap);
  }

 private:
  template <std::same_as<Layout> L>
  [[nodiscard]] static Result<CopyPlan> try_make(const L& src, const Layout& dst,
                                                 std::size_t element_bytes, const char* call,
                                                 bool allow_internal_overlap = false) noexcept {
    Result<CopyPlan> result{std::in_place};  // made where it will be used, never copied
    if (Failure failure = (*result).make(src, dst, element_bytes, call, allow_internal_overlap)) {
      result.fail(failure);
    }
    return result;
  }

  // Completes an untouched plan.
  template <std::same_as<Layout> L>
  [[nodiscard]] Failure make(const L& src, const Layout& dst, std::size_t element_bytes,
                             const char* call, bool allow_internal_overlap = false) noexcept {
    const engine::Dispatch& dispatch = engine::dispatch();
    const auto width = static_cast<std::int64_t>(element_bytes);  // negative where it does not fit
    if (dispatch.failure) return dispatch.failure.in(call);
    if (Failure failure = engine::normalize_into(plan_.nest, src, dst, width)) {
      return failure.in(call);
    }
    if (!allow_internal_overlap && !engine::is_nested_destination(plan_.nest) &&
        has_internal_overlap(dst)) {
      return detail::internal_overlap_of(dst, "dst").in(call);
    }
    // Only a fill that may overlap itself has such loops: what they repeat is written once.
    while (plan_.nest.rank > 0 && plan_.nest.loops[plan_.nest.rank - 1].dst_stride_bytes == 0) {
      plan_.nest.total_bytes /= plan_.nest.loops[--plan_.nest.rank].count;
    }
    engine::choose_kernel(plan_, *dispatch.kernels, engine::exceeds_caches(plan_.nest));
    return {};
  }

  [[nodiscard]] bool ranges_meet(const std::byte* src, const std::byte* dst) const noexcept {
    const auto s = reinterpret_cast<std::uintptr_t>(src);
    const auto d = reinterpret_cast<std::uintptr_t>(dst);
    return s + static_cast<std::uintptr_t>(plan_.nest.src_range.lowest) <
               d + static_cast<std::uintptr_t>(plan_.nest.dst_range.end) &&
           d + static_cast<std::uintptr_t>(plan_.nest.dst_range.lowest) <
               s + static_cast<std::uintptr_t>(plan_.nest.src_range.end);
  }

  engine::Plan plan_{};
};

// The same as the constructor, without exceptions: `if (auto plan = make_copy_plan(...))
// (*plan)(...)`
template <std::same_as<Layout> L>
[[nodiscard]] Result<CopyPlan> make_copy_plan(const L& src, const Layout& dst,
                                              std::size_t element_bytes) noexcept {
  return CopyPlan::try_make(src, dst, element_bytes);
}

}  // namespace strided::inline STRIDED_ABI
