// What the system is told about the pages of mapped files. All of it is advice: without
// <sys/mman.h> nothing is said.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <istream>
#include <span>
#include <strided/view/layout.hpp>
#include <string>

#include "parts.hpp"

#if __has_include(<sys/mman.h>) && __has_include(<unistd.h>)
#include <sys/mman.h>
#include <unistd.h>
#define STRIDED_NPY_HAS_MADVISE 1
#else
#define STRIDED_NPY_HAS_MADVISE 0
#endif

namespace strided_npy {

// What Linux's control groups allow this process, and those that they are in, at most `most`.
// `groups` is /proc/self/cgroup: lines of number:controllers:/path, where the second version names
// no controller.
[[nodiscard]] inline std::int64_t memory_of_groups(std::istream& groups, const std::string& root,
                                                   std::int64_t most) {
  for (std::string line; std::getline(groups, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    if (!controllers.empty() && controllers != "memory") continue;
    const std::string folder = root + (controllers.empty() ? "" : "/memory");
    const char* const name = controllers.empty() ? "/memory.max" : "/memory.limit_in_bytes";
    for (std::string path = line.substr(second + 1);; path.resize(path.rfind('/'))) {
      std::int64_t limit = 0;  // the file may say "max", or not be there
      if (std::ifstream(folder + path + name) >> limit && limit > 0) most = std::min(most, limit);
      if (path.find('/') == std::string::npos) break;
    }
  }
  return most;
}

// How much of the arrays a copy may have in memory at a time: an eighth of what the machine has, or
// of what its control group allows the process where that is less, and at least 64 MiB.
[[nodiscard]] inline std::int64_t memory_for_parts() {
  std::int64_t memory = std::int64_t{4} << 30;
#if STRIDED_NPY_HAS_MADVISE && defined(_SC_PHYS_PAGES)
  const std::int64_t pages = ::sysconf(_SC_PHYS_PAGES);
  if (pages > 0) memory = pages * ::sysconf(_SC_PAGESIZE);
  std::ifstream groups("/proc/self/cgroup");
  memory = memory_of_groups(groups, "/sys/fs/cgroup", memory);
#endif
  return std::max(memory / 8, std::int64_t{64} << 20);
}

#if STRIDED_NPY_HAS_MADVISE

// `begin` and `size` count from the start of a mapping's bytes, which need not be that of a page.
inline void advise(std::span<const std::byte> mapped, std::int64_t begin, std::int64_t size,
                   int advice) {
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto address =
      reinterpret_cast<std::uintptr_t>(mapped.data()) + static_cast<std::uintptr_t>(begin);
  const std::uintptr_t start = address / page * page;
  void* const first = const_cast<std::byte*>(mapped.data()) + begin - (address - start);
  static_cast<void>(::madvise(first, static_cast<std::size_t>(size) + (address - start), advice));
}

// Tells of a whole array that it will be looked at in parts: what the system reads at a page that
// is not there is that page. By itself it reads 128 KiB, of which a part may use one page.
inline void expect_parts(std::span<const std::byte> mapped) {
  advise(mapped, 0, static_cast<std::int64_t>(mapped.size()), MADV_RANDOM);
}

// Has the system read what a part will look at.
inline void read_ahead(std::span<const std::byte> mapped, const strided::Layout& part,
                       std::int64_t item_bytes) {
  constexpr double kMostRuns = 1 << 16;            // more cost more than they save
  constexpr std::int64_t kCallBytes = 128 * 1024;  // Linux cuts longer calls short
  const Runs runs = runs_of(part, item_bytes);
  if (runs.count() > kMostRuns) return;
  runs.for_each([&](std::int64_t begin) {
    for (std::int64_t done = 0; done < runs.run_bytes; done += kCallBytes) {
      advise(mapped, begin + done, std::min(kCallBytes, runs.run_bytes - done), MADV_WILLNEED);
    }
  });
}

// Takes the pages of a part, and those between them, out of the process. They stay the file's: what
// was written goes to the disk, and what is read again comes back. Only for files mapped shared:
// other memory would lose its contents.
inline void let_go(std::span<const std::byte> mapped, const strided::Layout& part,
                   std::int64_t item_bytes) {
  const strided::Bounds bounds = part.bounds();
  advise(mapped, bounds.lowest * item_bytes, (bounds.highest - bounds.lowest + 1) * item_bytes,
         MADV_DONTNEED);
}

#else

inline void expect_parts(std::span<const std::byte>) {}
inline void read_ahead(std::span<const std::byte>, const strided::Layout&, std::int64_t) {}
inline void let_go(std::span<const std::byte>, const strided::Layout&, std::int64_t) {}

#endif

}  // namespace strided_npy
