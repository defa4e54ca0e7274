// A failed call leaves everything as it was: one call at least for every error that an operator or
// a plan can give.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <iterator>
#include <new>
#include <string>
#include <vector>

#include "strided/reference/reference.hpp"
#include "strided/strided.hpp"
#include "support/library_path.hpp"
#include "support/reference_path.hpp"
#include "support/vectors.hpp"

namespace strided_test {
namespace {
bool memory_is_short = false;
}  // namespace
}  // namespace strided_test

// Temporaries are asked for without exceptions; this program can refuse them.
void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept {
  if (strided_test::memory_is_short) return nullptr;
  try {
    return ::operator new[](bytes);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

namespace strided_test {
namespace {

using strided::AsStridedParam;
using strided::CopyOptions;
using strided::Dims;
using strided::ErrorCode;
using strided::Layout;
using strided::Rules;
using strided::StridedSliceSpec;

using View = strided::StridedView<std::int64_t>;

constexpr std::int64_t kCount = 64;

// Two memories of 0 .. 63 and ways to look at them.
struct Memory {
  std::vector<std::int64_t> a = arange(kCount);
  std::vector<std::int64_t> b = arange(kCount);

  View source(const Dims& shape) { return View(a, shape); }
  View target(const Dims& shape) { return View(b, shape); }
  View target(const Dims& shape, const Dims& strides, std::int64_t offset = 0) {
    return View(b, shape, strides, offset);
  }
};

struct Call {
  ErrorCode code;
  const char* what;
  std::function<void(Memory&)> run;
};

constexpr std::int64_t kHuge = std::int64_t{1} << 40;

template <class Path>
std::vector<Call> as_strided_calls() {
  const auto copy_of_9 = [](AsStridedParam param, const Dims& y, Rules rules = Rules::ascend) {
    return [=](Memory& m) { Path::as_strided_copy(m.source({3, 3}), param, m.target(y), rules); };
  };
  const auto scatter = [](Dims size, Dims stride, std::int64_t offset, const Dims& value) {
    return [=](Memory& m) {
      Path::as_strided_scatter(m.target({kCount}), size, stride, offset, m.source(value));
    };
  };
  const Dims nine = Dims::filled(9, 1);
  return {
      {ErrorCode::rank_too_large, "nine dimensions", copy_of_9({nine, nine, {0}}, nine)},
      {ErrorCode::length_mismatch, "too few strides", copy_of_9({{2, 2}, {1}, {0}}, {2, 2})},
      {ErrorCode::length_mismatch, "two offsets", copy_of_9({{2}, {1}, {0, 1}}, {2})},
      {ErrorCode::length_mismatch, "no offset", copy_of_9({{2}, {1}, {}}, {2})},
      {ErrorCode::nonpositive_size, "a size of 0", copy_of_9({{2, 0}, {1, 1}, {0}}, {2, 0})},
      {ErrorCode::negative_size, "a size of -1",
       copy_of_9({{2, -1}, {1, 1}, {0}}, {2, 1}, Rules::torch)},
      {ErrorCode::negative_stride, "a stride of -1", copy_of_9({{2}, {-1}, {4}}, {2})},
      {ErrorCode::negative_offset, "offset -1", copy_of_9({{2}, {1}, {-1}}, {2}, Rules::strided)},
      {ErrorCode::overflow, "2^80 elements",
       copy_of_9({{kHuge, kHuge}, {0, 0}, {0}}, {1, 1}, Rules::strided)},
      {ErrorCode::overflow, "a reach of 2^80",
       copy_of_9({{kHuge}, {kHuge}, {0}}, {1}, Rules::strided)},
      {ErrorCode::out_of_bounds, "the tenth of nine", copy_of_9({{2, 2}, {2, 3}, {5}}, {2, 2})},
      {ErrorCode::out_of_bounds, "before the storage",
       copy_of_9({{4}, {-1}, {2}}, {4}, Rules::strided)},
      {ErrorCode::shape_mismatch, "y of another shape", copy_of_9({{2, 2}, {2, 3}, {0}}, {4})},
      {ErrorCode::internal_overlap, "y overlaps itself",
       [](Memory& m) {
         Path::as_strided_copy(m.source({9}), AsStridedParam{{2, 2}, {2, 3}, {0}},
                               m.target({2, 2}, {1, 1}));
       }},
      {ErrorCode::internal_overlap, "y overlaps itself, x has no common stride",
       [](Memory& m) {
         Path::as_strided_copy(m.source({3, 3}).transpose(0, 1),
                               AsStridedParam{{2, 2}, {2, 3}, {0}}, m.target({2, 2}, {1, 1}));
       }},
      {ErrorCode::out_of_bounds, "scatter outside", scatter({2}, {60}, 5, {2})},
      {ErrorCode::negative_offset, "scatter before", scatter({2}, {1}, -1, {2})},
      {ErrorCode::shape_mismatch, "scatter of another shape", scatter({2, 2}, {2, 1}, 0, {4})},
      {ErrorCode::internal_overlap, "scatter twice to one", scatter({2, 2}, {1, 1}, 0, {2, 2})},
      {ErrorCode::needs_copy, "scatter through the vector of a transpose",
       [](Memory& m) {
         Path::as_strided_scatter(m.target({3, 4}).transpose(0, 1), Dims{2}, Dims{1}, 0,
                                  m.source({2}), Rules::ascend);
       }},
  };
}

template <class Path>
std::vector<Call> slice_calls() {
  const auto assign = [](const Dims& var, const StridedSliceSpec& spec, const Dims& value,
                         Rules rules = Rules::ascend) {
    return
        [=](Memory& m) { Path::strided_slice_assign(m.target(var), spec, m.source(value), rules); };
  };
  const Dims nine = Dims::filled(9, 1);
  const Dims ones = Dims::filled(32, 1);
  const Dims most = Dims::filled(31, 1);
  return {
      {ErrorCode::length_mismatch, "ends", assign({4}, {{0}, {1, 1}, {1}}, {1})},
      {ErrorCode::length_mismatch, "strides", assign({4}, {{0}, {1}, {}}, {1})},
      {ErrorCode::spec_too_long, "32 entries",
       assign({2}, {ones, ones, ones, 0, 0, 0, 0x7fffffff}, {1})},
      {ErrorCode::several_ellipses, "two of them",
       assign({4}, {{0, 0}, {1, 1}, {1, 1}, 0, 0, 3}, {1})},
      {ErrorCode::several_ellipses, "one of them past the spec",
       assign({4}, {{0}, {1}, {1}, 0, 0, 0x80000001}, {4})},
      {ErrorCode::too_many_entries, "two for one dimension",
       assign({4}, {{0, 0}, {1, 1}, {1, 1}}, {1, 1})},
      {ErrorCode::rank_too_small, "a scalar", assign({}, {{}, {}, {}}, {})},
      {ErrorCode::rank_too_large, "nine dimensions", assign(nine, {{}, {}, {}}, nine)},
      {ErrorCode::rank_too_large, "33 dimensions of the slice",
       assign({1, 1}, {most, most, most, 0, 0, 0, 0x7fffffff}, ones, Rules::strided)},
      {ErrorCode::empty_var, "no rows", assign({0, 3}, {{0}, {1}, {1}}, {0, 3})},
      {ErrorCode::nonpositive_stride, "backwards", assign({2, 4}, {{1}, {0}, {-1}}, {1, 4})},
      {ErrorCode::nonpositive_stride, "zero", assign({2, 4}, {{1}, {0}, {0}}, {1, 4})},
      {ErrorCode::zero_stride, "zero", assign({4}, {{0}, {4}, {0}}, {4}, Rules::strided)},
      {ErrorCode::overflow, "the one stride without a counterpart",
       assign({4}, {{0}, {4}, {strided::kInt64Min}}, {1}, Rules::strided)},
      {ErrorCode::innermost_stride, "two", assign({2, 4}, {{0, 0}, {2, 4}, {1, 2}}, {2, 2})},
      {ErrorCode::shrink_stride, "two", assign({2, 4}, {{0}, {1}, {2}, 0, 0, 0, 0, 1}, {4})},
      {ErrorCode::shrink_stride, "backwards",
       assign({4}, {{0}, {1}, {-1}, 0, 0, 0, 0, 1}, {}, Rules::tensorflow)},
      {ErrorCode::index_out_of_range, "shrink at the end",
       assign({4}, {{4}, {5}, {1}, 0, 0, 0, 0, 1}, {})},
      {ErrorCode::shape_mismatch, "no broadcast for ascend", assign({4}, {{0}, {2}, {1}}, {1})},
      {ErrorCode::shape_mismatch, "a value of higher rank",
       assign({4}, {{0}, {2}, {1}}, {1, 2}, Rules::tensorflow)},
      {ErrorCode::not_broadcastable, "two to three",
       assign({4}, {{0}, {3}, {1}}, {2}, Rules::tensorflow)},
      {ErrorCode::internal_overlap, "a slice that overlaps itself",
       [](Memory& m) {
         Path::strided_slice_assign(m.target({3, 3}, {1, 1}),
                                    StridedSliceSpec{{0, 0}, {3, 3}, {1, 1}}, m.source({3, 3}));
       }},
  };
}

template <class Path>
std::vector<Call> copy_calls() {
  return {
      {ErrorCode::shape_mismatch, "(2, 3) to (3, 2)",
       [](Memory& m) {
         Path::copy(m.source({2, 3}), m.target({3, 2}));
       }},
      {ErrorCode::shape_mismatch, "a scalar to a vector of one",
       [](Memory& m) { Path::copy(m.source({}), m.target({1})); }},
      {ErrorCode::internal_overlap, "to a repeated element",
       [](Memory& m) { Path::copy(m.source({3}), m.target({3}, {0})); }},
      {ErrorCode::internal_overlap, "to windows",
       [](Memory& m) {
         Path::copy(m.source({3, 4}), m.target({3, 4}, {3, -1}, 5));
       }},
      {ErrorCode::internal_overlap, "fill of windows",
       [](Memory& m) {
         Path::fill(m.target({3, 4}, {3, 1}), std::int64_t{-1});
       }},
  };
}

std::vector<Call> library_calls() {
  const auto reversed = [](Memory& m, const CopyOptions& options) {
    strided::copy(m.target({kCount}), m.target({kCount}, {-1}, kCount - 1), options);
  };
  std::vector<Call> calls = {
      {ErrorCode::temporary_forbidden, "reversed in place",
       [=](Memory& m) { reversed(m, {.allow_temporary = false}); }},
      {ErrorCode::out_of_memory, "reversed in place",
       [=](Memory& m) {
         memory_is_short = true;
         try {
           reversed(m, {});
         } catch (...) {
           memory_is_short = false;
           throw;
         }
         memory_is_short = false;
       }},
      {ErrorCode::null_data, "a plan without a source",
       [](Memory& m) { strided::CopyPlan(Layout({4}), Layout({4}), 8)(nullptr, m.b.data()); }},
      {ErrorCode::null_data, "a plan without a destination",
       [](Memory& m) { strided::CopyPlan(Layout({4}), Layout({4}), 8)(m.a.data(), nullptr); }},
      {ErrorCode::element_size, "elements of no bytes",
       [](Memory&) { strided::CopyPlan(Layout({4}), Layout({4}), 0); }},
      {ErrorCode::overflow, "a plan over 2^66 bytes",
       [](Memory&) { strided::CopyPlan(Layout({2}, {strided::kInt64Max}), Layout({2}), 8); }},
  };
#if STRIDED_DEBUG_CHECKS
  calls.push_back({ErrorCode::broken_promise, "reversed in place, said to be disjoint",
                   [=](Memory& m) { reversed(m, {.assume_disjoint = true}); }});
#endif
  return calls;
}

// Errors that no operator and no plan gives, and who does.
const std::vector<std::pair<ErrorCode, const char*>>& given_elsewhere() {
  static const std::vector<std::pair<ErrorCode, const char*>> codes = {
    {ErrorCode::ok, "no error"},
    {ErrorCode::stride_mismatch, "interop: mdspan"},
    {ErrorCode::not_nested, "interop: mdspan"},
    {ErrorCode::misaligned, "the constructors of views, which operators are given"},
    {ErrorCode::axis_out_of_range, "view algebra"},
    {ErrorCode::repeated_axis, "view algebra: permute, diagonal"},
    {ErrorCode::size_mismatch, "view algebra: reshape, split, squeeze"},
    {ErrorCode::not_inferable, "view algebra: reshape"},
#if !STRIDED_DEBUG_CHECKS
    {ErrorCode::broken_promise, "builds with checks"},
#endif
    {ErrorCode::file_access, "interop"},
    {ErrorCode::file_format, "interop"},
    {ErrorCode::unsupported, "interop; every copy where STRIDED_FORCE_ISA names what is not there"},
  };
  return codes;
}

void expect_failures_change_nothing(const std::vector<Call>& calls, std::vector<ErrorCode>& seen) {
  for (const Call& call : calls) {
    Memory memory;
    EXPECT_EQ(code_of([&] { call.run(memory); }), call.code)
        << call.what << ", code " << static_cast<int>(call.code);
    EXPECT_EQ(memory.a, arange(kCount)) << call.what;
    EXPECT_EQ(memory.b, arange(kCount)) << call.what;
    seen.push_back(call.code);
  }
}

TEST(FailedCalls, LeaveTheDestinationUnchangedForEveryError) {
  std::vector<ErrorCode> seen;
  expect_failures_change_nothing(as_strided_calls<LibraryPath>(), seen);
  expect_failures_change_nothing(slice_calls<LibraryPath>(), seen);
  expect_failures_change_nothing(copy_calls<LibraryPath>(), seen);
  expect_failures_change_nothing(library_calls(), seen);
  for (int number = 0; number <= static_cast<int>(ErrorCode::unsupported); ++number) {
    const auto code = static_cast<ErrorCode>(number);
    const bool covered = std::find(seen.begin(), seen.end(), code) != seen.end();
    const bool elsewhere = std::any_of(given_elsewhere().begin(), given_elsewhere().end(),
                                       [&](const auto& entry) { return entry.first == code; });
    EXPECT_NE(covered, elsewhere) << "code " << number;
  }
  std::printf("%zu calls for %zu of the %d codes; the others come from:\n", seen.size(),
              static_cast<std::size_t>(ErrorCode::unsupported) + 1 - given_elsewhere().size(),
              static_cast<int>(ErrorCode::unsupported) + 1);
  for (const auto& [code, where] : given_elsewhere()) {
    std::printf("  code %d: %s\n", static_cast<int>(code), where);
  }
}

TEST(FailedCalls, TheReferenceRefusesTheSame) {
  std::vector<ErrorCode> seen;
  expect_failures_change_nothing(as_strided_calls<ReferencePath>(), seen);
  expect_failures_change_nothing(slice_calls<ReferencePath>(), seen);
  expect_failures_change_nothing(copy_calls<ReferencePath>(), seen);
  Memory memory;
  EXPECT_EQ(code_of([&] {
              strided::reference::copy(memory.target({8}), memory.target({8}, {1}, 3),
                                       {.assume_disjoint = true});
            }),
            ErrorCode::broken_promise);
  EXPECT_EQ(memory.b, arange(kCount));
}

// An element whose copy may find no memory: what is read first fails before anything is assigned.
struct Fragile {
  std::int64_t value = 0;
  Fragile() = default;
  explicit Fragile(std::int64_t v) : value(v) {}
  Fragile(const Fragile& other) : value(other.value) {
    if (memory_is_short) throw std::bad_alloc();
  }
  Fragile& operator=(const Fragile&) = default;
  ~Fragile() {}
};

TEST(FailedCalls, ElementsThatCannotBeReadLeaveTheDestinationUnchanged) {
  std::vector<Fragile> elements;
  for (std::int64_t k = 0; k < 8; ++k) elements.emplace_back(k);
  const strided::StridedView<Fragile> all(elements, {8});
  memory_is_short = true;
  const ErrorCode code = code_of([&] { strided::copy(all.flip(0), all); });
  memory_is_short = false;
  EXPECT_EQ(code, ErrorCode::out_of_memory);
  for (std::int64_t k = 0; k < 8; ++k) EXPECT_EQ(all(k).value, k);
}

}  // namespace
}  // namespace strided_test
