// MpiBuffers: memory for packed messages that is used again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <utility>

#if defined(__linux__)
#include <sys/mman.h>
#endif

#include "strided/core/checked_math.hpp"
#include "strided/core/config.hpp"
#include "strided/core/error.hpp"
#include "strided/core/result.hpp"

namespace strided::inline STRIDED_ABI {

namespace detail {

// Memory new to the process is paid for page by page when it is first written. What the system
// does not do is no failure.
inline void ask_for_huge_pages([[maybe_unused]] std::byte* memory,
                               [[maybe_unused]] std::size_t bytes) noexcept {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
  constexpr std::size_t kHugePage = std::size_t{2} << 20;
  if (bytes < 2 * kHugePage) return;
  const std::size_t past = reinterpret_cast<std::uintptr_t>(memory) % kHugePage;
  const std::size_t skip = past == 0 ? 0 : kHugePage - past;
  static_cast<void>(::madvise(memory + skip, bytes - skip, MADV_HUGEPAGE));
#endif
}

// In front of the packed bytes, a cache line before them.
struct MpiBlock {
  static constexpr std::align_val_t kAlignment{64};

  MpiBlock* next = nullptr;
  std::size_t bytes = 0;

  [[nodiscard]] std::byte* data() noexcept {
    return static_cast<std::byte*>(static_cast<void*>(this)) + static_cast<std::size_t>(kAlignment);
  }

  // Null where there is no memory.
  [[nodiscard]] static MpiBlock* make(std::size_t bytes) noexcept {
    constexpr auto kHeader = static_cast<std::size_t>(kAlignment);
    void* const memory = ::operator new(kHeader + bytes, kAlignment, std::nothrow);
    if (memory != nullptr) ask_for_huge_pages(static_cast<std::byte*>(memory), bytes);
    return memory == nullptr ? nullptr : new (memory) MpiBlock{nullptr, bytes};
  }
  static void free(MpiBlock* block) noexcept { ::operator delete(block, kAlignment); }
};

class MpiPacked;

}  // namespace detail

// Keeps the memory of packed messages for the next ones. Memory that is new to the process costs,
// past some MiB, as much as packing and sending: programs that send large views again and again
// pass one object of this class to all calls. It grows to what is under way at a time, and gives it
// back when it is destroyed or told to, after the last request that uses it. One thread at a time.
//
//   MpiBuffers buffers;
//   for (...) mpi_send(matrix.permute({1, 0}), 1, 0, comm, {.buffers = &buffers});
class MpiBuffers {
 public:
  // Keeps nothing at first. Not copied and not moved: requests refer to it.
  MpiBuffers() noexcept = default;
  MpiBuffers(const MpiBuffers&) = delete;
  MpiBuffers& operator=(const MpiBuffers&) = delete;
  ~MpiBuffers() { clear(); }  // no request may use it any longer

  // Gives back what is not in use.
  void clear() noexcept {
    while (kept_ != nullptr) detail::MpiBlock::free(std::exchange(kept_, kept_->next));
  }

  // The bytes that are kept and not in use.
  [[nodiscard]] std::size_t kept_bytes() const noexcept {
    std::size_t bytes = 0;
    for (const detail::MpiBlock* block = kept_; block != nullptr; block = block->next) {
      bytes += block->bytes;
    }
    return bytes;
  }

 private:
  friend class detail::MpiPacked;

  // The smallest of those kept that will do, or a new one for which a smaller one goes.
  [[nodiscard]] detail::MpiBlock* take(std::size_t bytes) noexcept {
    detail::MpiBlock** best = nullptr;
    for (detail::MpiBlock** at = &kept_; *at != nullptr; at = &(*at)->next) {
      if ((*at)->bytes >= bytes && (best == nullptr || (*at)->bytes < (*best)->bytes)) best = at;
    }
    if (best != nullptr) return std::exchange(*best, (*best)->next);
    if (kept_ != nullptr) detail::MpiBlock::free(std::exchange(kept_, kept_->next));
    return detail::MpiBlock::make(bytes);
  }
  void give(detail::MpiBlock* block) noexcept { block->next = std::exchange(kept_, block); }

  detail::MpiBlock* kept_ = nullptr;
};

namespace detail {

// Room for packed elements, not initialized; from `home`, where there is one, and back to it.
class MpiPacked {
 public:
  static constexpr auto kAlignment = static_cast<std::size_t>(MpiBlock::kAlignment);

  MpiPacked() noexcept = default;
  MpiPacked(const MpiPacked&) = delete;
  MpiPacked& operator=(const MpiPacked&) = delete;
  ~MpiPacked() {
    if (block_ == nullptr) return;
    home_ == nullptr ? MpiBlock::free(block_) : home_->give(block_);
  }

  // Once. Errors: out_of_memory.
  template <class T>
  [[nodiscard]] Failure allocate(std::int64_t elements, MpiBuffers* home) noexcept {
    std::int64_t bytes = 0;
    if (multiply_overflows(elements, std::int64_t{sizeof(T)}, bytes)) {
      bytes = kInt64Max;
    } else if (fits_memory(bytes)) {
      home_ = home;
      const auto size = static_cast<std::size_t>(bytes);
      block_ = home == nullptr ? MpiBlock::make(size) : home->take(size);
    }
    if (block_ != nullptr) return {};
    return Failure{ErrorCode::out_of_memory, "a buffer", -1, bytes}.held_against(
        "MpiWay::datatype needs none");
  }

  template <class T>
  [[nodiscard]] std::span<T> elements(std::int64_t count) const noexcept {
    return {static_cast<T*>(static_cast<void*>(block_->data())), static_cast<std::size_t>(count)};
  }

 private:
  MpiBlock* block_ = nullptr;
  MpiBuffers* home_ = nullptr;
};

}  // namespace detail
}  // namespace strided::inline STRIDED_ABI
