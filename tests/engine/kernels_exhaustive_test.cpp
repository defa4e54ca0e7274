// Every small size, misalignment and step that a kernel can meet, on every instruction set, against
// plain loops; every byte around and between, too.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "strided/strided.hpp"
#include "support/generate.hpp"
#include "support/kernel_sets.hpp"

namespace strided_test {
namespace {

using strided::Dims;
using strided::Layout;
using strided::kernels::KernelSet;

constexpr std::int64_t kElementWidths[] = {1, 2, 4, 8, 16};
constexpr std::int64_t kCacheLine = 64;
constexpr std::byte kGapByte{0xa5};

class KernelsExhaustive : public testing::Test {
 protected:
  // Calls body(set) for every instruction set of this machine and tells how many copies it made.
  template <class Body>
  void for_each_instruction_set(Body body) {
    const testing::TestInfo* test = testing::UnitTest::GetInstance()->current_test_info();
    for (const KernelSet* set : all_kernel_sets()) {
      copies_ = 0;
      body(*set);
      std::printf("%s.%s: %lld copies, %s\n", test->test_suite_name(), test->name(),
                  static_cast<long long>(copies_), set->name);
    }
  }

  // One copy, `src_shift` and `dst_shift` bytes after the start of a line; through the caches and
  // past them.
  void check(const KernelSet& set, std::int64_t width, const Layout& src, std::int64_t src_shift,
             const Layout& dst, std::int64_t dst_shift) {
    if (HasFailure()) return;
    const auto nest = strided::engine::normalize(src, dst, width);
    ASSERT_TRUE(nest);
    strided::engine::Plan plan = strided::engine::make_plan(*nest, set);
    const std::byte* from = line(source_) + src_shift;
    const std::int64_t dst_bytes = dst.empty() ? 0 : (dst.bounds().highest + 1) * width;
    const std::int64_t all_bytes = dst_shift + dst_bytes + kCacheLine;
    ASSERT_LE(all_bytes, kBytes);
    std::byte* wanted = line(wanted_);
    std::byte* got = line(got_);
    std::memset(wanted, std::to_integer<int>(kGapByte), static_cast<std::size_t>(all_bytes));
    copy_plainly(width, src, from, dst, wanted + dst_shift);
    for (const bool streaming : {false, true}) {
      std::memset(got, std::to_integer<int>(kGapByte), static_cast<std::size_t>(all_bytes));
      plan.block.streaming = streaming;
      strided::engine::execute(plan, from, got + dst_shift);
      ++copies_;
      if (std::memcmp(got, wanted, static_cast<std::size_t>(all_bytes)) == 0) continue;
      ADD_FAILURE() << set.name << (streaming ? ", streaming, " : ", ") << width << " bytes, "
                    << describe(src) << " + " << src_shift << " bytes -> " << describe(dst) << " + "
                    << dst_shift << " bytes";
      return;
    }
  }

 private:
  static constexpr std::int64_t kBytes = 1 << 19;

  // Of rank 1 or 2.
  static void copy_plainly(std::int64_t width, const Layout& src, const std::byte* from,
                           const Layout& dst, std::byte* to) {
    const auto last = src.rank() - 1;
    const std::int64_t rows = last == 0 ? 1 : src.shape()[0];
    const auto place = [&](const Layout& layout, std::int64_t r, std::int64_t c) {
      const std::int64_t row = last == 0 ? 0 : r * layout.strides()[0];
      return (layout.offset() + row + c * layout.strides()[last]) * width;
    };
    for (std::int64_t r = 0; r < rows; ++r) {
      for (std::int64_t c = 0; c < src.shape()[last]; ++c) {
        std::memcpy(to + place(dst, r, c), from + place(src, r, c),
                    static_cast<std::size_t>(width));
      }
    }
  }

  static std::vector<std::byte> random_bytes() {
    std::vector<std::byte> bytes(static_cast<std::size_t>(kBytes + 2 * kCacheLine));
    Random random(7);
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(random.bits());
    return bytes;
  }
  static std::byte* line(std::vector<std::byte>& bytes) {
    const auto past = reinterpret_cast<std::uintptr_t>(bytes.data()) % kCacheLine;
    return bytes.data() + (kCacheLine - past);
  }

  std::vector<std::byte> source_ = random_bytes();
  std::vector<std::byte> wanted_ = source_;
  std::vector<std::byte> got_ = source_;
  std::int64_t copies_ = 0;
};

// Up to four of the widest registers, and one element.
std::int64_t most_elements(std::int64_t width) {
  return 4 * kCacheLine / width + 1;
}

TEST_F(KernelsExhaustive, EveryCountAndEveryStep) {
  for_each_instruction_set([&](const KernelSet& set) {
    for (const std::int64_t width : kElementWidths) {
      for (std::int64_t count = 0; count <= most_elements(width); ++count) {
        for (std::int64_t src_step = -17; src_step <= 17; ++src_step) {
          for (const std::int64_t dst_step : {1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 17, -1, -2, -17}) {
            check(set, width, placed({count}, {src_step}, 0), width * (count % 5),
                  placed({count}, {dst_step}, 0), width * (count % 7));
          }
        }
      }
    }
  });
}

// Every distance of the source from a line with every distance of the destination: not for each
// count, but several times over all counts.
TEST_F(KernelsExhaustive, EveryMisalignment) {
  static constexpr std::int64_t kSteps[][2] = {{1, 1}, {-1, 1}, {0, 1}, {2, 1},
                                               {3, 1}, {1, 2},  {1, 3}, {5, 7}};
  for_each_instruction_set([&](const KernelSet& set) {
    for (const std::int64_t width : kElementWidths) {
      const std::int64_t most = most_elements(width);
      const std::int64_t rounds = kCacheLine / most + 1;  // so that each pair has its turn
      for (std::int64_t count = 1; count <= most; ++count) {
        for (std::int64_t src_shift = 0; src_shift < kCacheLine; ++src_shift) {
          for (std::int64_t round = 0; round < rounds; ++round) {
            const std::int64_t dst_shift = (src_shift + count + most * round) % kCacheLine;
            for (const auto& [src_step, dst_step] : kSteps) {
              check(set, width, placed({count}, {src_step}, 0), src_shift,
                    placed({count}, {dst_step}, 0), dst_shift);
            }
          }
        }
      }
    }
  });
}

// Runs of every length up to four registers, dense or with gaps on either side.
TEST_F(KernelsExhaustive, EveryRunLength) {
  static constexpr std::int64_t kGapBytes[] = {0, 1, 3, 16, 61};
  for_each_instruction_set([&](const KernelSet& set) {
    for (std::int64_t run = 1; run <= most_elements(1); ++run) {
      for (const std::int64_t src_gap : kGapBytes) {
        for (const std::int64_t dst_gap : kGapBytes) {
          for (const std::int64_t count : {1, 2, 3, 8, 40}) {
            const Layout src({count, run}, {run + src_gap, 1});
            const Layout dst({count, run}, {run + dst_gap, 1});
            check(set, 1, src, run % 3, dst, (run + src_gap) % kCacheLine);
          }
        }
      }
    }
  });
}

// Matrices of runs of whole lines, transposed: few rows and many, tight and with gaps, the rows of
// the source forwards and backwards, to the start of a line and past it.
TEST_F(KernelsExhaustive, EveryFewLines) {
  for_each_instruction_set([&](const KernelSet& set) {
    for (const std::int64_t lines : {1, 2, 3, 4, 8, 9}) {
      for (const std::int64_t rows : {1, 2, 7, 8, 9, 64, 65, 72, 73, 74}) {
        for (const std::int64_t columns : {1, 2, 3, 4, 5, 8, 9}) {
          for (const std::int64_t gap : {0, 1}) {
            for (const std::int64_t direction : {1, -1}) {
              check(set, lines * kCacheLine, placed({rows, columns}, {direction, rows + gap}, 0),
                    columns % 3, placed({rows, columns}, {columns + gap, 1}, 0),
                    columns == 5 ? 16 : 0);
            }
          }
        }
      }
    }
  });
}

// Matrices of every size up to two squares and a bit, transposed; tight and with gaps, forwards and
// with the rows of the source backwards.
TEST_F(KernelsExhaustive, EverySmallTranspose) {
  for_each_instruction_set([&](const KernelSet& set) {
    for (const std::int64_t width : kElementWidths) {
      const std::int64_t most = 2 * 16 / width + kCacheLine / width / 4 + 2;
      for (std::int64_t rows = 1; rows <= most; ++rows) {
        for (std::int64_t columns = 1; columns <= most; ++columns) {
          for (const std::int64_t gap : {0, 1, 5}) {
            for (const std::int64_t direction : {1, -1}) {
              check(set, width, placed({rows, columns}, {direction, rows + gap}, 0), width * gap,
                    placed({rows, columns}, {columns + gap, 1}, 0), width * (rows % 4));
            }
          }
        }
      }
    }
  });
}

// Planes to pixels and back, 2 to 9 streams of every small length; and windows that share a stream.
TEST_F(KernelsExhaustive, EverySmallWeave) {
  for_each_instruction_set([&](const KernelSet& set) {
    for (const std::int64_t width : kElementWidths) {
      for (std::int64_t streams = 2; streams <= 9; ++streams) {
        for (std::int64_t wanted = 1; wanted <= streams + 1; ++wanted) {
          for (std::int64_t count = 1; count <= most_elements(width); ++count) {
            const Layout planes({wanted, count}, {count + 1, 1});
            const Layout pixels({wanted, count}, {1, streams});
            check(set, width, pixels, width * (count % 3), planes, width * (count % 5));
            if (wanted > streams) continue;  // windows, which are a source only
            check(set, width, planes, width * (count % 3), pixels, width * (count % 5));
          }
        }
      }
    }
  });
}

}  // namespace
}  // namespace strided_test
