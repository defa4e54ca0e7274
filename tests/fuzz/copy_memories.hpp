// One copy of the fuzzer: where it lies in memory, what is to be expected of it, and whether that
// came true.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "fuzz/check.hpp"
#include "fuzz/input.hpp"
#include "strided/core/rules.hpp"
#include "strided/view/layout.hpp"
#include "support/guarded.hpp"

namespace strided_test {

// Two memories, and what each should hold after the call.
class CopyMemories {
 public:
  static constexpr std::size_t kBytes = std::size_t{1} << 15;

  CopyMemories() {
    for (std::size_t m = 0; m < 2; ++m) {
      pattern_[m] = fuzz_pattern(kBytes, static_cast<std::uint32_t>(m + 1));
    }
    reset();
  }
  void reset() {
    for (std::size_t m = 0; m < 2; ++m) {
      std::memcpy(guarded_[m].begin(), pattern_[m].data(), kBytes);
      wanted_[m] = pattern_[m];
    }
  }
  [[nodiscard]] std::byte* real(std::size_t m) const { return guarded_[m].begin(); }
  [[nodiscard]] std::byte* wanted(std::size_t m) {
    return reinterpret_cast<std::byte*>(wanted_[m].data());
  }
  [[nodiscard]] bool as_wanted() const { return hold(wanted_); }
  [[nodiscard]] bool unchanged() const { return hold(pattern_); }

 private:
  using Bytes = std::array<std::vector<std::uint8_t>, 2>;
  [[nodiscard]] bool hold(const Bytes& bytes) const {
    return std::memcmp(real(0), bytes[0].data(), kBytes) == 0 &&
           std::memcmp(real(1), bytes[1].data(), kBytes) == 0;
  }
  Guarded guarded_[2] = {Guarded(kBytes), Guarded(kBytes)};
  Bytes pattern_;
  Bytes wanted_;
};

inline CopyMemories& copy_memories() {
  static CopyMemories memories;
  return memories;
}

// One copy: two layouts over memories 0 or 1, their storages `at` bytes after the start.
struct FuzzCopy {
  std::int64_t width = 1;
  strided::Layout src;
  strided::Layout dst;
  std::size_t src_memory = 0;
  std::size_t dst_memory = 0;
  std::size_t src_at = 0;
  std::size_t dst_at = 0;

  [[nodiscard]] std::string describe() const {
    return std::to_string(width) + " bytes, " + describe_layout(src) + " at byte " +
           std::to_string(src_at) + " of memory " + std::to_string(src_memory) + " -> " +
           describe_layout(dst) + " at byte " + std::to_string(dst_at) + " of memory " +
           std::to_string(dst_memory);
  }
  // The byte, within its memory, at which element k of one side starts.
  [[nodiscard]] std::size_t src_byte(std::int64_t k) const {
    return src_at + static_cast<std::size_t>(src.offset_of_position(k) * width);
  }
  [[nodiscard]] std::size_t dst_byte(std::int64_t k) const {
    return dst_at + static_cast<std::size_t>(dst.offset_of_position(k) * width);
  }
};

// What there is to know of a copy, found byte by byte.
struct CopyFacts {
  strided::ErrorCode code = strided::ErrorCode::ok;
  bool shares_bytes = false;
  bool onto_itself = false;
};

inline CopyFacts find_facts(const FuzzCopy& copy) {
  CopyFacts facts;
  if (!(copy.src.shape() == copy.dst.shape())) {
    facts.code = strided::ErrorCode::shape_mismatch;
    return facts;
  }
  const auto width = static_cast<std::size_t>(copy.width);
  std::vector<std::uint8_t> written(CopyMemories::kBytes);
  facts.onto_itself = copy.src_memory == copy.dst_memory;
  for (std::int64_t k = 0; k < copy.dst.size(); ++k) {
    const std::size_t first = copy.dst_byte(k);
    if (written[first] != 0) facts.code = strided::ErrorCode::internal_overlap;
    facts.onto_itself = facts.onto_itself && first == copy.src_byte(k);
    std::memset(&written[first], 1, width);
  }
  if (copy.src_memory != copy.dst_memory) return facts;
  for (std::int64_t k = 0; k < copy.src.size() && !facts.shares_bytes; ++k) {
    facts.shares_bytes = std::memchr(&written[copy.src_byte(k)], 1, width) != nullptr;
  }
  return facts;
}

// The copy, in the memories as they should be.
inline void copy_as_wanted(const FuzzCopy& copy, CopyMemories& memories) {
  const auto width = static_cast<std::size_t>(copy.width);
  std::vector<std::byte> held(static_cast<std::size_t>(copy.src.size()) * width);
  for (std::int64_t k = 0; k < copy.src.size(); ++k) {
    std::memcpy(held.data() + static_cast<std::size_t>(k) * width,
                memories.wanted(copy.src_memory) + copy.src_byte(k), width);
  }
  for (std::int64_t k = 0; k < copy.dst.size(); ++k) {
    std::memcpy(memories.wanted(copy.dst_memory) + copy.dst_byte(k),
                held.data() + static_cast<std::size_t>(k) * width, width);
  }
}

// Is `code` what a copy with these facts and options may end with?
inline bool may_end_with(strided::ErrorCode code, const CopyFacts& facts,
                         const strided::CopyOptions& options) {
  using strided::ErrorCode;
  if (facts.code != ErrorCode::ok) return code == facts.code;
  const bool meets = facts.shares_bytes && !facts.onto_itself;
  if (options.assume_disjoint && meets) return code == ErrorCode::broken_promise;
  if (!options.allow_temporary && meets && code == ErrorCode::temporary_forbidden) return true;
  return code == ErrorCode::ok;
}

inline strided::CopyOptions fuzz_options(FuzzInput& input) {
  strided::CopyOptions options;
  options.allow_temporary = !input.rare();
  options.assume_disjoint = input.rare();
  return options;
}

inline void expect_end(strided::ErrorCode code, const FuzzCopy& copy, const CopyFacts& facts,
                       const strided::CopyOptions& options) {
  const CopyMemories& memories = copy_memories();
  FUZZ_EXPECT(may_end_with(code, facts, options), copy.describe() + ": " + describe_code(code));
  if (code == strided::ErrorCode::ok) {
    FUZZ_EXPECT(memories.as_wanted(), copy.describe());
  } else {
    FUZZ_EXPECT(memories.unchanged(), copy.describe() + ": " + describe_code(code));
  }
}

}  // namespace strided_test
