// Copies between any two views of one memory or of two, for elements of 1 to 40 bytes: the answer
// is that of reading everything first, in the whole memory, and a refusal changes nothing. The
// memory lies between pages that nobody may touch, and views often end at them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "fuzz/check.hpp"
#include "fuzz/copy_memories.hpp"
#include "fuzz/input.hpp"
#include "strided/core/rules.hpp"
#include "strided/engine/copy_plan.hpp"
#include "strided/ops/bitwise_equal.hpp"
#include "strided/ops/copy.hpp"
#include "strided/ops/fill.hpp"
#include "strided/reference/reference.hpp"
#include "strided/view/layout.hpp"
#include "strided/view/strided_view.hpp"
#include "support/kernel_sets.hpp"

namespace strided_test {

// A promise that is broken is only found where there are checks; elsewhere anything may happen.
inline bool breaks_promise(const CopyFacts& facts, const strided::CopyOptions& options) {
  return options.assume_disjoint && facts.shares_bytes && !STRIDED_DEBUG_CHECKS;
}

// For elements of which only the width is known.
inline void check_plan(FuzzInput& input, const FuzzCopy& copy) {
  CopyMemories& memories = copy_memories();
  const CopyFacts facts = find_facts(copy);
  const strided::CopyOptions options = fuzz_options(input);
  if (breaks_promise(facts, options)) return;
  if (facts.code == strided::ErrorCode::ok) copy_as_wanted(copy, memories);
  const auto plan =
      strided::make_copy_plan(copy.src, copy.dst, static_cast<std::size_t>(copy.width));
  if (!plan) return expect_end(fuzz_code_of(plan), copy, facts, options);
  FUZZ_EXPECT(!plan->explain().empty(), copy.describe());
  const strided::Failure failure =
      plan->try_run(memories.real(copy.src_memory) + copy.src_at,
                    memories.real(copy.dst_memory) + copy.dst_at, options);
  expect_end(fuzz_code_of(failure), copy, facts, options);
}

// Each set of kernels of this machine, through the caches and past them.
inline void check_kernel_set(FuzzInput& input, const FuzzCopy& copy) {
  static const std::vector<const strided::kernels::KernelSet*> sets = all_kernel_sets();
  CopyMemories& memories = copy_memories();
  const CopyFacts facts = find_facts(copy);
  if (facts.code != strided::ErrorCode::ok || facts.shares_bytes) return;
  const auto nest = strided::engine::normalize(copy.src, copy.dst, copy.width);
  FUZZ_EXPECT(nest, copy.describe() + ": " + nest.message());
  if (!nest || copy.dst.empty()) return;
  copy_as_wanted(copy, memories);
  const strided::kernels::KernelSet& set =
      *sets[static_cast<std::size_t>(input.byte()) % sets.size()];
  strided::engine::Plan plan = strided::engine::make_plan(*nest, set);
  plan.block.streaming = input.flag();
  strided::engine::execute(plan, memories.real(copy.src_memory) + copy.src_at,
                           memories.real(copy.dst_memory) + copy.dst_at);
  FUZZ_EXPECT(memories.as_wanted(), std::string(set.name) + ", " + copy.describe());
}

// Plans between layouts of any numbers, without memory: what is made without a refusal was made
// without an overflow, which a sanitizer would see.
inline void check_plan_of_numbers(FuzzInput& input) {
  static const std::vector<const strided::kernels::KernelSet*> sets = all_kernel_sets();
  const auto rank = static_cast<std::size_t>(input.between(0, 8));
  const strided::Dims shape = input.numbers(rank);
  const strided::Dims src_strides = input.numbers(rank);
  const strided::Dims dst_strides = input.numbers(rank);
  const auto src = strided::Layout::try_make(shape, src_strides, input.number());
  const auto dst = strided::Layout::try_make(shape, dst_strides, input.number());
  if (!src || !dst) return;
  const std::int64_t width = input.rare() ? input.number() : input.between(1, 40);
  const auto what = [&] {
    return std::to_string(width) + " bytes, " + describe_layout(*src) + " -> " +
           describe_layout(*dst);
  };
  const auto nest = strided::engine::normalize(*src, *dst, width);
  const strided::ErrorCode code = fuzz_code_of(nest);
  FUZZ_EXPECT(code == strided::ErrorCode::ok || code == strided::ErrorCode::overflow ||
                  code == strided::ErrorCode::element_size,
              what() + ": " + describe_code(code));
  FUZZ_EXPECT((code == strided::ErrorCode::element_size) == (width < 1), what());
  if (!nest || dst->empty() || !strided::engine::is_nested_destination(*nest)) return;
  for (const strided::kernels::KernelSet* set : sets) {
    const strided::engine::Plan plan = strided::engine::make_plan(*nest, *set);
    FUZZ_EXPECT(plan.kernel != nullptr, what());
    FUZZ_EXPECT(!strided::engine::explain(plan).empty(), what());
  }
}

// The operators, for a type of W bytes, against the reference.
template <std::size_t W>
void check_typed(FuzzInput& input, const FuzzCopy& copy) {
  using T = std::array<unsigned char, W>;
  using strided::StridedView;
  CopyMemories& memories = copy_memories();
  const auto view = [](std::byte* memory, std::size_t at, const strided::Layout& layout) {
    const auto elements = static_cast<std::size_t>(extent_of(layout));
    return StridedView<T>(std::span<T>(reinterpret_cast<T*>(memory + at), elements), layout);
  };
  const StridedView<T> src = view(memories.real(copy.src_memory), copy.src_at, copy.src);
  const StridedView<T> dst = view(memories.real(copy.dst_memory), copy.dst_at, copy.dst);
  const StridedView<T> golden_src = view(memories.wanted(copy.src_memory), copy.src_at, copy.src);
  const StridedView<T> golden_dst = view(memories.wanted(copy.dst_memory), copy.dst_at, copy.dst);

  if (input.rare()) {  // a fill; its value may be an element of the destination
    const strided::FillOptions options{input.flag()};
    T value{};
    if (!dst.empty()) value = dst.storage()[static_cast<std::size_t>(dst.offset())];
    value[0] = static_cast<unsigned char>(value[0] + 1);
    const strided::ErrorCode expected =
        fuzz_code_of([&] { strided::reference::fill(golden_dst, value, options); });
    const strided::ErrorCode code = fuzz_code_of(strided::try_fill(dst, value, options));
    FUZZ_EXPECT(code == expected, copy.describe() + ": fill: " + describe_code(code));
    FUZZ_EXPECT(memories.as_wanted(), copy.describe() + ": fill");
    return;
  }
  const CopyFacts facts = find_facts(copy);
  strided::CopyOptions options = fuzz_options(input);
  if (breaks_promise(facts, options)) return;
  FUZZ_EXPECT(strided::overlaps(src, dst) == facts.shares_bytes ||
                  facts.code == strided::ErrorCode::shape_mismatch,
              copy.describe());
  const strided::ErrorCode expected =
      fuzz_code_of([&] { strided::reference::copy(golden_src, golden_dst, options); });
  const strided::ErrorCode code = fuzz_code_of(strided::try_copy(src, dst, options));
  FUZZ_EXPECT(
      code == expected || code == strided::ErrorCode::temporary_forbidden,
      copy.describe() + ": " + describe_code(code) + ", reference " + describe_code(expected));
  expect_end(code, copy, facts, options);
  FUZZ_EXPECT(strided::bitwise_equal(src, dst) == strided::reference::bitwise_equal(src, dst),
              copy.describe());
}

// Every width of a kernel, those beside them, and a few of which none is a power of two.
using TypedWidths = std::index_sequence<1, 2, 3, 4, 5, 6, 7, 8, 12, 15, 16, 17, 24, 32, 40>;

template <std::size_t... W>
void check_typed_of(FuzzInput& input, const FuzzCopy& copy, std::index_sequence<W...>) {
  ((copy.width == std::int64_t{W} ? check_typed<W>(input, copy) : void()), ...);
}
template <std::size_t... W>
std::int64_t pick_width(FuzzInput& input, std::index_sequence<W...>) {
  static constexpr std::int64_t kWidths[] = {W...};
  return kWidths[input.between(0, std::int64_t{sizeof...(W)} - 1)];
}

// Where a storage of so many bytes lies: before the page behind the memory, behind the one before
// it, or anywhere.
inline std::size_t fuzz_place(FuzzInput& input, std::int64_t bytes) {
  const std::int64_t room = std::int64_t{CopyMemories::kBytes} - bytes;
  const std::int64_t kind = input.between(0, 3);
  if (kind == 0) return static_cast<std::size_t>(room);
  return kind == 1 ? 0 : static_cast<std::size_t>(input.between(0, room));
}

inline void fuzz_copy(std::span<const std::uint8_t> bytes) {
  FuzzInput input(bytes);
  const std::int64_t mode = input.between(0, 6);
  if (mode == 6) return check_plan_of_numbers(input);
  const bool typed = mode >= 4;
  FuzzCopy copy;
  copy.width = typed ? pick_width(input, TypedWidths()) : input.between(1, 40);
  const std::int64_t max_span = 15000 / copy.width;
  const strided::Dims shape = input.shape(2048);
  copy.dst = input.layout(shape, max_span);
  const std::int64_t kind = input.between(0, 7);
  if (kind == 7) {  // the same strides at a shift
    const std::int64_t lowest = copy.dst.empty() ? 0 : copy.dst.bounds().lowest;
    copy.src = strided::Layout(shape, copy.dst.strides(),
                               copy.dst.offset() - lowest + input.between(0, 20));
  } else {
    copy.src = input.layout(input.rare() ? input.shape(64) : shape, max_span);
  }
  copy.src_memory = input.flag() ? 1 : 0;
  const std::int64_t src_bytes = extent_of(copy.src) * copy.width;
  copy.src_at = fuzz_place(input, src_bytes);
  copy.dst_at = fuzz_place(input, extent_of(copy.dst) * copy.width);
  if (input.flag()) {  // close to the destination, by whole elements or not
    const std::int64_t near = static_cast<std::int64_t>(copy.dst_at) +
                              input.between(-70, 70) * (input.flag() ? 1 : copy.width);
    const std::int64_t room = std::int64_t{CopyMemories::kBytes} - src_bytes;
    copy.src_at = static_cast<std::size_t>(near < 0 ? 0 : near > room ? room : near);
  }
  copy_memories().reset();
  if (typed) return check_typed_of(input, copy, TypedWidths());
  if (mode >= 2) return check_kernel_set(input, copy);
  check_plan(input, copy);
}

}  // namespace strided_test
