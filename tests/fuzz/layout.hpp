// Layouts from any numbers, against sums with room to spare; and chains of view algebra, of which
// each link must stay within the elements it was given.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "fuzz/check.hpp"
#include "fuzz/input.hpp"
#include "strided/view/algebra.hpp"
#include "strided/view/layout.hpp"
#include "strided/view/reshape.hpp"
#include "strided/view/strided_view.hpp"

namespace strided_test {

// A number of any size, held twice: its last 64 bits, and about. It is within 64 bits where the two
// agree, and is 2^64 away from them elsewhere.
struct WideInt {
  std::uint64_t last_bits;
  double about;

  explicit WideInt(std::int64_t value)
      : last_bits(static_cast<std::uint64_t>(value)), about(static_cast<double>(value)) {}
  WideInt(std::uint64_t bits, double size) : last_bits(bits), about(size) {}

  std::int64_t value() const { return static_cast<std::int64_t>(last_bits); }
  bool fits() const { return std::abs(static_cast<double>(value()) - about) < 0x1p40; }

  friend WideInt operator+(WideInt a, WideInt b) {
    return {a.last_bits + b.last_bits, a.about + b.about};
  }
  friend WideInt operator-(WideInt a, WideInt b) {
    return {a.last_bits - b.last_bits, a.about - b.about};
  }
  friend WideInt operator*(WideInt a, WideInt b) {
    return {a.last_bits * b.last_bits, a.about * b.about};
  }
};

// What Layout::try_make must say, worked out with room to spare.
inline strided::ErrorCode expected_layout_code(const strided::Dims& shape,
                                               const strided::Dims& strides, std::int64_t offset,
                                               strided::Bounds& bounds, std::int64_t& count) {
  using strided::ErrorCode;
  if (shape.size() != strides.size()) return ErrorCode::length_mismatch;
  bool empty = false;
  for (const std::int64_t size : shape) {
    if (size < 0) return ErrorCode::negative_size;
    empty = empty || size == 0;
  }
  bounds = {};
  count = 0;
  if (empty) return ErrorCode::ok;
  WideInt product(1);
  WideInt lowest(offset);
  WideInt highest(offset);
  for (std::size_t i = 0; i < shape.size(); ++i) {
    product = product * WideInt(shape[i]);
    if (shape[i] == 1) continue;
    WideInt& end = strides[i] < 0 ? lowest : highest;
    end = end + WideInt(shape[i] - 1) * WideInt(strides[i]);
  }
  for (const WideInt& number : {product, lowest, highest, highest - lowest}) {
    if (!number.fits()) return ErrorCode::overflow;
  }
  bounds = {lowest.value(), highest.value()};
  count = product.value();
  return ErrorCode::ok;
}

// The offsets of all elements in logical order; only for layouts of a few.
inline std::vector<std::int64_t> all_offsets(const strided::Layout& layout) {
  std::vector<std::int64_t> offsets;
  for (std::int64_t k = 0; k < layout.size(); ++k) {
    offsets.push_back(layout.offset_of_position(k));
  }
  return offsets;
}

inline constexpr std::int64_t kFewOffsets = 512;

// Whether each offset is the one before it and one; they may be the largest there are.
inline bool follow_each_other(const std::vector<std::int64_t>& offsets) {
  for (std::size_t k = 1; k < offsets.size(); ++k) {
    const auto step =
        static_cast<std::uint64_t>(offsets[k]) - static_cast<std::uint64_t>(offsets[k - 1]);
    if (offsets[k] < offsets[k - 1] || step != 1) return false;
  }
  return true;
}

// is_contiguous and is_dense, against the list of the offsets.
inline void check_density(const strided::Layout& layout) {
  if (layout.size() > kFewOffsets) return;
  std::vector<std::int64_t> offsets = all_offsets(layout);
  FUZZ_EXPECT(layout.is_contiguous() == follow_each_other(offsets), describe_layout(layout));
  std::sort(offsets.begin(), offsets.end());
  FUZZ_EXPECT(layout.is_dense() == follow_each_other(offsets), describe_layout(layout));
}

// What a link of the chain keeps of the layout before it.
enum class Keeps { nothing, elements, order };

struct Link {
  const char* name;
  strided::Result<strided::Layout> result;
  Keeps keeps;
};

inline Link next_link(FuzzInput& input, const strided::Layout& a) {
  using namespace strided;
  const std::int64_t kind = input.between(0, 12);
  const auto axis = [&] {
    return input.rare() ? input.number() : input.between(-a.rank() - 1, a.rank());
  };
  switch (kind) {
    case 0: {
      Dims axes = input.numbers(static_cast<std::size_t>(a.rank()));
      if (!input.flag()) {  // a rotation, which is lawful
        for (std::int64_t i = 0; i < a.rank(); ++i) axes[i] = (i + 1) % a.rank();
      }
      return {"permute", try_permute(a, axes), Keeps::elements};
    }
    case 1: {
      const std::int64_t first = axis();
      return {"transpose", try_transpose(a, first, axis()), Keeps::elements};
    }
    case 2:
      return {"flip", try_flip(a, axis()), Keeps::elements};
    case 3: {
      const std::int64_t at = axis();
      const std::int64_t begin = input.number();
      const std::int64_t end = input.number();
      return {"slice", try_slice(a, at, begin, end, input.number()), Keeps::nothing};
    }
    case 4: {
      const std::int64_t at = axis();
      const std::int64_t start = input.number();
      return {"narrow", try_narrow(a, at, start, input.number()), Keeps::nothing};
    }
    case 5: {
      const std::int64_t at = axis();
      return {"select", try_select(a, at, input.number()), Keeps::nothing};
    }
    case 6: {
      Dims wanted = a.shape();
      for (std::int64_t& size : wanted) {
        if (size == 1) size = input.number();
      }
      if (input.flag() && wanted.size() < kMaxRank) wanted.insert(0, input.number());
      if (input.rare() && !wanted.empty()) wanted[0] = input.number();
      return {"broadcast_to", try_broadcast_to(a, wanted), Keeps::nothing};
    }
    case 7:
      return {"squeeze", input.flag() ? try_squeeze(a, axis()) : squeeze(a), Keeps::order};
    case 8:
      return {"unsqueeze", try_unsqueeze(a, axis()), Keeps::order};
    case 9: {
      Dims wanted = input.numbers(static_cast<std::size_t>(input.between(0, 5)));
      if (!input.flag()) wanted.push_back(-1);
      return {"reshape", try_reshape(a, wanted), Keeps::order};
    }
    case 10:
      return {"collapse", collapse(a), Keeps::order};
    case 11: {
      const std::int64_t at = axis();
      const std::int64_t size = input.number();
      return {"windows", try_windows(a, at, size, input.number()), Keeps::nothing};
    }
    default: {
      const std::int64_t first = axis();
      const std::int64_t second = axis();
      return {"diagonal", try_diagonal(a, first, second, input.number()), Keeps::nothing};
    }
  }
}

inline void check_chain(FuzzInput& input, strided::Layout layout) {
  const strided::Bounds outer = layout.bounds();
  for (int link = 0; link < 8 && !input.done(); ++link) {
    const Link next = next_link(input, layout);
    const auto what = [&] { return std::string(next.name) + " of " + describe_layout(layout); };
    if (fuzz_code_of(next.result) != strided::ErrorCode::ok) continue;
    const strided::Layout& made = *next.result;
    expect_sound(made, outer, what);
    check_density(made);
    if (next.keeps != Keeps::nothing) {
      FUZZ_EXPECT(made.size() == layout.size(), what() + ": " + describe_layout(made));
      if (made.size() == layout.size() && made.size() <= kFewOffsets) {
        std::vector<std::int64_t> before = all_offsets(layout);
        std::vector<std::int64_t> after = all_offsets(made);
        if (next.keeps == Keeps::elements) {
          std::sort(before.begin(), before.end());
          std::sort(after.begin(), after.end());
        }
        FUZZ_EXPECT(before == after, what() + ": " + describe_layout(made));
      }
    }
    layout = made;
  }
}

// A view over real memory, as long as the fuzzer says, exactly: accepted or refused as the bounds
// say, and what is accepted can be read.
inline void check_view(FuzzInput& input, const strided::Layout& layout,
                       const strided::Bounds& bounds) {
  constexpr std::int64_t kMostElements = 1024;
  std::int64_t elements = input.between(0, kMostElements);
  const bool fits = !bounds.empty() && bounds.lowest >= 0 && bounds.highest < kMostElements;
  if (fits && input.flag()) elements = bounds.highest + (input.flag() ? 1 : 0);
  const std::unique_ptr<std::uint16_t[]> memory(
      new std::uint16_t[static_cast<std::size_t>(elements) + 1]());
  const std::span<std::uint16_t> storage(memory.get(), static_cast<std::size_t>(elements));
  const auto view = strided::StridedView<std::uint16_t>::try_make(storage, layout);
  const bool inside = bounds.empty() || (bounds.lowest >= 0 && bounds.highest < elements);
  FUZZ_EXPECT(
      fuzz_code_of(view) == (inside ? strided::ErrorCode::ok : strided::ErrorCode::out_of_bounds),
      describe_layout(layout) + " over " + std::to_string(elements));
  if (!view || layout.size() > kMostElements) return;
  std::int64_t sum = 0;
  for (const std::uint16_t& element : *view) {
    sum += element;
    const std::int64_t at = &element - memory.get();
    FUZZ_EXPECT(at >= 0 && at < elements, describe_layout(layout));
  }
  FUZZ_EXPECT(sum == 0, describe_layout(layout));
}

inline void fuzz_layout(std::span<const std::uint8_t> bytes) {
  FuzzInput input(bytes);
  const bool is_long = input.rare();
  const auto rank = static_cast<std::size_t>(input.between(0, is_long ? strided::kMaxRank : 6));
  const strided::Dims shape = input.numbers(rank);
  const std::size_t strides_given = input.rare() ? rank / 2 : rank;
  const strided::Dims strides = input.numbers(strides_given);
  const std::int64_t offset = input.number();

  strided::Bounds bounds;
  std::int64_t count = 0;
  const strided::ErrorCode expected = expected_layout_code(shape, strides, offset, bounds, count);
  const auto layout = strided::Layout::try_make(shape, strides, offset);
  const auto what = [&] {
    return "shape " + to_string(shape) + " strides " + to_string(strides) + " offset " +
           std::to_string(offset);
  };
  FUZZ_EXPECT(fuzz_code_of(layout) == expected, what() + ": " + layout.message());
  FUZZ_EXPECT(fuzz_code_of([&] { (void)strided::Layout(shape, strides, offset); }) == expected,
              what());
  const auto row_major = strided::Layout::try_row_major(shape, offset);
  if (fuzz_code_of(row_major) == strided::ErrorCode::ok) {
    FUZZ_EXPECT(row_major->is_contiguous(), what());
    FUZZ_EXPECT(row_major->empty() || row_major->bounds().highest - offset == row_major->size() - 1,
                what());
  }
  if (!layout) return;
  FUZZ_EXPECT(layout->size() == count, what());
  FUZZ_EXPECT(
      layout->bounds().lowest == bounds.lowest && layout->bounds().highest == bounds.highest,
      what());
  check_density(*layout);
  check_view(input, *layout, bounds);
  check_chain(input, *layout);
}

}  // namespace strided_test
