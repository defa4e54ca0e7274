#include "transfer.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <sstream>
#include <strided/strided.hpp>
#include <string>
#include <vector>

#include "part_file.hpp"
#include "parts.hpp"
#include "progress.hpp"

namespace strided_npy {
namespace {

using strided::CopyPlan;
using strided::Dims;
using strided::Layout;

// A step of a copy, of both arrays together: some hundredths of a second where they are in memory.
constexpr std::int64_t kStepBytes = std::int64_t{256} << 20;

double seconds_of(const auto& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// With two digits behind the point.
std::string rounded(double value) {
  char text[64];
  std::snprintf(text, sizeof(text), "%.2f", value);
  return text;
}

// Of the elements, without what lies between them.
std::size_t bytes_of(const Layout& layout, std::int64_t item_bytes) {
  return static_cast<std::size_t>(layout.size() * item_bytes);
}

// The least number of elements a storage needs for a layout.
std::size_t storage_elements(const Layout& layout) {
  const strided::Bounds bounds = layout.bounds();
  return bounds.empty() ? 0 : static_cast<std::size_t>(bounds.highest) + 1;
}

}  // namespace

void transfer(const Operand& source, const Target& target, std::int64_t item_bytes,
              const TransferOptions& options) {
  const auto plan_of = [&](const Layout& from, const Layout& to) {
    return CopyPlan(from, to, static_cast<std::size_t>(item_bytes));
  };
  const auto shape_within = [&](std::int64_t bytes) {
    return part_shape(source.layout, target.layout, item_bytes, bytes);
  };
  Dims part = shape_within(options.memory_bytes);
  const Dims step = shape_within(std::min(options.memory_bytes, kStepBytes));
  const bool in_parts = part != target.layout.shape();
  const Dims first_part = align_to_pages(part, source.layout, target.layout, item_bytes,
                                         reinterpret_cast<std::uintptr_t>(source.bytes.data()),
                                         reinterpret_cast<std::uintptr_t>(target.bytes.data()));
  Progress progress(target.layout.size());
  const auto copy_in_steps = [&](const Layout& from, const Layout& to, const std::byte* src,
                                 std::byte* dst) {
    for_each_part(from, to, step, [&](const Layout& from_step, const Layout& to_step) {
      plan_of(from_step, to_step)(src, dst);
      progress.advance(to_step.size());
    });
  };
  if (in_parts && source.mapped) expect_parts(source.bytes);
  if (in_parts && target.mapped) expect_parts(target.bytes);
  const PartFile input(in_parts ? source.mapped : MappedFile(), false);
  const PartFile output(in_parts ? target.mapped : MappedFile(), true);
  std::vector<std::byte> read;
  std::vector<std::byte> written;
  const auto copy_part = [&](const Layout& from, const Layout& to) {
    if (input.is_open() && output.is_open()) {
      const Runs from_runs = runs_of(from, item_bytes);
      const Runs to_runs = runs_of(to, item_bytes);
      // Else what lies between the elements would be written, too.
      if (packed_bytes(to_runs) == bytes_of(to, item_bytes)) {
        input.read(from_runs, read);
        written.resize(packed_bytes(to_runs));
        copy_in_steps(from_runs.packed, to_runs.packed, read.data(), written.data());
        output.write(to_runs, written);
        return;
      }
    }
    if (in_parts && source.mapped) read_ahead(source.bytes, from, item_bytes);
    copy_in_steps(from, to, source.bytes.data(), target.bytes.data());
    if (in_parts && source.mapped) let_go(source.bytes, from, item_bytes);
    if (in_parts && target.mapped) let_go(target.bytes, to, item_bytes);
  };
  for_each_part(source.layout, target.layout, part, first_part, copy_part);
  if (!options.explain) return;
  const auto first = [&](const Layout& layout) {
    return Layout(step, layout.strides(), layout.offset());
  };
  std::istringstream lines(plan_of(first(source.layout), first(target.layout)).explain());
  const bool in_steps = step != target.layout.shape();
  std::cout << (in_steps ? "plan, for each part of shape " + to_string(step) : "plan") << ":\n";
  for (std::string line; std::getline(lines, line);) std::cout << "  " << line << '\n';
}

std::vector<std::byte> row_major_bytes(const Operand& x, std::int64_t item_bytes) {
  std::vector<std::byte> bytes(bytes_of(x.layout, item_bytes));
  transfer(x, {bytes, Layout(x.layout.shape())}, item_bytes, {});
  return bytes;
}

std::string time_transfer(const Operand& source, const Layout& target, std::int64_t item_bytes) {
  constexpr double kLongest = 2.0;  // seconds
  constexpr std::size_t kTurns = 15;
  const CopyPlan plan(source.layout, target, static_cast<std::size_t>(item_bytes));
  const std::size_t bytes = bytes_of(source.layout, item_bytes);
  if (bytes == 0) return "time: nothing to copy";
  // Memory of its own for both, written once before, so that no page is new to either.
  std::vector<std::byte> output(storage_elements(target) * static_cast<std::size_t>(item_bytes));
  const std::vector<std::byte> plain_source(bytes, std::byte{1});
  std::vector<std::byte> plain_output(bytes);
  // Small copies are repeated within a turn: a clock has its limits.
  const std::size_t repeats = std::max<std::size_t>(1, (std::size_t{1} << 20) / bytes);
  std::vector<double> ours;
  std::vector<double> plain;
  double total = 0;
  for (std::size_t turn = 0; turn < kTurns && (turn < 3 || total < kLongest); ++turn) {
    ours.push_back(seconds_of([&] {
      for (std::size_t i = 0; i < repeats; ++i) plan(source.bytes.data(), output.data());
    }));
    plain.push_back(seconds_of([&] {
      for (std::size_t i = 0; i < repeats; ++i) {
        std::memcpy(plain_output.data(), plain_source.data(), bytes);
        // Seen from outside, so that no repetition is dropped.
        const volatile std::byte seen = plain_output[i % bytes];
        static_cast<void>(seen);
      }
    }));
    total += ours.back() + plain.back();
  }
  const double moved = static_cast<double>(bytes) * static_cast<double>(repeats) / 1e9;
  const double our_rate = moved / median(ours);
  const double plain_rate = moved / median(plain);
  return "time: " + rounded(our_rate) + " GB/s, memcpy of the same " + std::to_string(bytes) +
         " bytes " + rounded(plain_rate) + " GB/s (ratio " + rounded(our_rate / plain_rate) +
         ", medians of " + std::to_string(ours.size()) + " turns)";
}

}  // namespace strided_npy
