// Copies in parts that touch few pages of memory each, for files larger than memory.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <strided/core/dims.hpp>
#include <strided/view/layout.hpp>
#include <vector>

namespace strided_npy {

inline constexpr std::int64_t kPageBytes = 4096;  // for estimates

// The bytes a layout touches, as runs of one length: `run_bytes` from byte `first`, and again for
// each index of `extents`, `steps` bytes apart, which are positive. Gaps of less than a page count
// as touched. With the runs one behind the other, the first of them fastest, `packed` is the
// layout.
struct Runs {
  std::int64_t first = 0;
  std::int64_t run_bytes = 0;
  strided::Dims extents;
  strided::Dims steps;
  strided::Layout packed;

  [[nodiscard]] double count() const {
    return std::accumulate(extents.begin(), extents.end(), 1.0,
                           [](double a, std::int64_t b) { return a * static_cast<double>(b); });
  }
  // From the first byte to behind the last.
  [[nodiscard]] std::int64_t span_bytes() const {
    std::int64_t bytes = run_bytes;
    for (std::size_t i = 0; i < extents.size(); ++i) bytes += (extents[i] - 1) * steps[i];
    return bytes;
  }
  // An estimate: where a run begins within a page is left open.
  [[nodiscard]] double pages() const {
    return count() * (static_cast<double>(run_bytes) / kPageBytes + 1);
  }
  // Calls visit(first byte) for each run.
  template <class Visit>
  void for_each(const Visit& visit) const {
    strided::Dims index = strided::Dims::filled(extents.size(), 0);
    for (std::size_t axis = 0;;) {
      std::int64_t begin = first;
      for (std::size_t i = 0; i < index.size(); ++i) begin += index[i] * steps[i];
      visit(begin);
      for (axis = 0; axis < index.size(); ++axis) {
        if (++index[axis] < extents[axis]) break;
        index[axis] = 0;
      }
      if (axis == index.size()) return;
    }
  }
};

// The layout touches at least one element.
[[nodiscard]] inline Runs runs_of(const strided::Layout& layout, std::int64_t item_bytes) {
  std::vector<int> by_step(static_cast<std::size_t>(layout.rank()));
  std::iota(by_step.begin(), by_step.end(), 0);
  const auto step_of = [&](int axis) {
    const std::int64_t stride = layout.strides()[axis];
    return layout.shape()[axis] == 1 ? 0 : (stride < 0 ? -stride : stride) * item_bytes;
  };
  std::sort(by_step.begin(), by_step.end(), [&](int a, int b) { return step_of(a) < step_of(b); });
  Runs runs{layout.bounds().lowest * item_bytes, item_bytes, {}, {}, {}};
  strided::Dims strides = strided::Dims::filled(static_cast<std::size_t>(layout.rank()), 0);
  std::int64_t offset = 0;
  std::int64_t packed_bytes = item_bytes;  // of all runs so far
  for (const int axis : by_step) {
    const std::int64_t step = step_of(axis);
    const std::int64_t count = layout.shape()[axis];
    std::int64_t packed_step = step;
    if (step - runs.run_bytes < kPageBytes) {  // never again, once it was not
      runs.run_bytes += step * (count - 1);
      packed_bytes = runs.run_bytes;
    } else {
      runs.extents.push_back(count);
      runs.steps.push_back(step);
      packed_step = packed_bytes;
      packed_bytes *= count;
    }
    const std::int64_t stride = packed_step / item_bytes;
    const bool is_reversed = layout.strides()[axis] < 0;
    strides[static_cast<std::size_t>(axis)] = is_reversed ? -stride : stride;
    if (is_reversed) offset += stride * (count - 1);
  }
  runs.packed = strided::Layout(layout.shape(), strides, offset);
  return runs;
}

// The shape of the parts in which to copy `source` to `target`, so that a part touches about
// `memory_bytes` on both sides together: halves of halves of the whole, each time along the
// dimension with which all parts together touch the fewest pages, the outermost of the target if
// there are several.
//
//   part_shape(Layout({1 << 14, 1 << 14}, {1, 1 << 14}), Layout({1 << 14, 1 << 14}), 4, 64 << 20)
//     is (4096, 2048): of a transpose, runs of pages on both sides
[[nodiscard]] inline strided::Dims part_shape(const strided::Layout& source,
                                              const strided::Layout& target,
                                              std::int64_t item_bytes, std::int64_t memory_bytes) {
  const auto pages = [&](const strided::Dims& shape) {
    return runs_of(strided::Layout(shape, source.strides(), source.offset()), item_bytes).pages() +
           runs_of(strided::Layout(shape, target.strides(), target.offset()), item_bytes).pages();
  };
  const auto parts = [&](const strided::Dims& shape) {
    double count = 1;
    for (std::size_t i = 0; i < shape.size(); ++i) {
      count *= static_cast<double>((target.shape()[i] - 1) / shape[i] + 1);
    }
    return count;
  };
  strided::Dims shape = target.shape();
  if (target.empty()) return shape;
  while (pages(shape) * kPageBytes > static_cast<double>(memory_bytes)) {
    strided::Dims best = shape;
    double best_pages = 0;
    for (std::size_t i = 0; i < shape.size(); ++i) {
      if (shape[i] == 1) continue;
      strided::Dims halved = shape;
      halved[i] = (shape[i] + 1) / 2;
      const double all_pages = pages(halved) * parts(halved);
      if (best == shape || all_pages < best_pages) {
        best = halved;
        best_pages = all_pages;
      }
    }
    if (best == shape) break;  // a single element
    shape = best;
  }
  return shape;
}

// Where a dimension may be cut so that no page belongs to two parts: after so many of its first
// elements, and then after every so many; 0 where pages do not tell.
struct PageCuts {
  std::int64_t first = 0;
  std::int64_t every = 0;
};

// Of a dimension whose elements follow each other in an array, whose first one is `first_byte`
// bytes past the start of a page.
[[nodiscard]] inline PageCuts page_cuts(std::int64_t stride, std::int64_t item_bytes,
                                        std::int64_t first_byte) {
  const std::int64_t past = (first_byte + (stride < 0 ? item_bytes : 0)) % kPageBytes;
  if ((stride != 1 && stride != -1) || kPageBytes % item_bytes != 0 || past % item_bytes != 0) {
    return {};
  }
  const std::int64_t until_page = stride > 0 ? (kPageBytes - past) % kPageBytes : past;
  return {until_page / item_bytes, kPageBytes / item_bytes};
}

// Moves the borders of parts of this shape to pages, where they are long enough: `shape` becomes a
// multiple of a page, and the result is how long the first part of each dimension is, if it
// differs. `source_start` and `target_start` are the addresses of the two arrays.
[[nodiscard]] inline strided::Dims align_to_pages(
    strided::Dims& shape, const strided::Layout& source, const strided::Layout& target,
    std::int64_t item_bytes, std::uintptr_t source_start, std::uintptr_t target_start) {
  strided::Dims first = strided::Dims::filled(shape.size(), 0);
  const auto past_page = [&](const strided::Layout& layout, std::uintptr_t start) {
    return (static_cast<std::int64_t>(start % kPageBytes) + layout.offset() * item_bytes) %
           kPageBytes;
  };
  for (std::size_t i = 0; i < shape.size(); ++i) {
    PageCuts cuts = page_cuts(source.strides()[i], item_bytes, past_page(source, source_start));
    if (cuts.every == 0) {
      cuts = page_cuts(target.strides()[i], item_bytes, past_page(target, target_start));
    }
    if (cuts.every == 0 || shape[i] < 2 * cuts.every || shape[i] == target.shape()[i]) continue;
    shape[i] -= shape[i] % cuts.every;
    first[i] = cuts.first;
  }
  return first;
}

// Calls visit(part of source, part of target) for every part, in the order of the target's indices;
// the last part along a dimension may be smaller, and the first is `first` long where that is not
// 0.
template <class Visit>
void for_each_part(const strided::Layout& source, const strided::Layout& target,
                   const strided::Dims& part, const strided::Dims& first, const Visit& visit) {
  if (target.empty()) return;
  strided::Dims start = strided::Dims::filled(part.size(), 0);
  for (;;) {
    strided::Dims shape = part;
    for (std::size_t i = 0; i < shape.size(); ++i) {
      if (start[i] == 0 && first[i] != 0) shape[i] = first[i];
      shape[i] = std::min(shape[i], target.shape()[i] - start[i]);
    }
    visit(strided::Layout(shape, source.strides(), source.offset_of(start)),
          strided::Layout(shape, target.strides(), target.offset_of(start)));
    std::size_t axis = part.size();
    for (; axis > 0; --axis) {
      start[axis - 1] += shape[axis - 1];
      if (start[axis - 1] < target.shape()[axis - 1]) break;
      start[axis - 1] = 0;
    }
    if (axis == 0) return;
  }
}
template <class Visit>
void for_each_part(const strided::Layout& source, const strided::Layout& target,
                   const strided::Dims& part, const Visit& visit) {
  for_each_part(source, target, part, strided::Dims::filled(part.size(), 0), visit);
}

}  // namespace strided_npy
