// DLPack tensors made by hand for the tests.
#pragma once

#include <dlpack/dlpack.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "strided/interop/dlpack.hpp"

namespace dlpack_support {

// A tensor with its shape and strides; copies are not needed and would point into the original.
struct HandMade {
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> strides;
  DLTensor tensor{};

  HandMade(void* data, DLDataType dtype, std::vector<std::int64_t> sizes,
           std::vector<std::int64_t> steps)
      : shape(std::move(sizes)), strides(std::move(steps)) {
    tensor.data = data;
    tensor.device.device_type = kDLCPU;
    tensor.ndim = static_cast<std::int32_t>(shape.size());
    tensor.dtype = dtype;
    tensor.shape = shape.data();
    tensor.strides = strides.empty() ? nullptr : strides.data();
  }
  HandMade(const HandMade&) = delete;
  HandMade& operator=(const HandMade&) = delete;
};

inline constexpr DLDataType kInt32{kDLInt, 32, 1};

// A managed tensor on the stack whose deleter counts its calls in manager_ctx.
template <class Managed>
Managed counting(const DLTensor& tensor, int& calls) {
  Managed managed{};
  managed.dl_tensor = tensor;
  managed.manager_ctx = &calls;
  managed.deleter = [](Managed* self) { ++*static_cast<int*>(self->manager_ctx); };
  return managed;
}

}  // namespace dlpack_support
