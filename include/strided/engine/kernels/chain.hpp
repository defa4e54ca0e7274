// Chain: several loops walked as one, where one side of the copy is contiguous all along.
#pragma once

#include <cstdint>

#include "strided/core/config.hpp"
#include "strided/engine/kernels/kernel.hpp"

namespace strided::inline STRIDED_ABI::kernels {

// On the contiguous side, position k of a chain is k runs from the start. This class tells where it
// is on the other side. All loops but the last are written down in a table when the chain is made.
class Chain {
 public:
  // The innermost loop and those folded around it; all but the last of them have at most
  // kMaxChained positions together.
  Chain(std::int64_t count, std::int64_t stride, const Fold* folds, int fold_count) noexcept
      : count_(count), stride_(stride) {
    for (int i = 0; i < fold_count; ++i) {
      if (listed_ == 0)
        list_loop(count_, stride_);
      else
        unroll_loop(count_, stride_);
      count_ = folds[i].count;
      stride_ = folds[i].stride_bytes;
    }
    size_ = (listed_ == 0 ? 1 : listed_) * count_;
  }

  [[nodiscard]] std::int64_t size() const noexcept { return size_; }

  // Whether all places are a multiple of `bytes` apart.
  [[nodiscard]] bool keeps_phase(std::int64_t bytes) const noexcept {
    for (std::int64_t k = 0; k < listed_; ++k) {
      if (list_[k] % bytes != 0) return false;
    }
    return stride_ % bytes == 0;
  }

  // The places of `n` positions from `first` on.
  void places(std::int64_t first, std::int64_t n, std::int64_t* result) const noexcept {
    if (listed_ == 0) {
      for (std::int64_t k = 0; k < n; ++k) result[k] = (first + k) * stride_;
      return;
    }
    std::int64_t inner = first % listed_;
    std::int64_t outer = first / listed_ * stride_;
    for (std::int64_t k = 0; k < n; ++k) {
      result[k] = outer + list_[inner];
      if (++inner == listed_) {
        inner = 0;
        outer += stride_;
      }
    }
  }

 private:
  void list_loop(std::int64_t count, std::int64_t stride) noexcept {
    for (std::int64_t k = 0; k < count; ++k) list_[k] = k * stride;
    listed_ = count;
  }
  // The list so far, once for every step of a loop around it.
  void unroll_loop(std::int64_t count, std::int64_t stride) noexcept {
    for (std::int64_t k = listed_; k < count * listed_; ++k) list_[k] = list_[k - listed_] + stride;
    listed_ *= count;
  }

  std::int64_t count_;
  std::int64_t stride_;
  std::int64_t size_ = 0;
  std::int64_t listed_ = 0;  // 0: a single loop, no list
  std::int64_t list_[kMaxChained];
};

}  // namespace strided::inline STRIDED_ABI::kernels
