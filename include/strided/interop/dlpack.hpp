// DLPack tensors as views, without copying, and views as DLPack tensors.
//
// DLPack is the struct by which NumPy, PyTorch, JAX, CuPy, TVM and others hand arrays to each other
// (https://dmlc.github.io/dlpack). Needs <dlpack/dlpack.h> of version 0.6 or later, and nothing
// else; with 1.0 and later the versioned structs are understood too.
//
//   import   auto tensor = DlpackTensor::take(managed)     owns the tensor, calls its deleter
//            tensor.view<float>()
//            dlpack_view<const float>(tensor)              borrows a DLTensor
//   export   to_dlpack(view, owner)                        a DLManagedTensor* for others to take
//
// In Python a managed tensor travels in a capsule named "dltensor": who takes the pointer renames
// the capsule to "used_dltensor", and the deleter is then theirs to call. It may need Python's lock
// (older NumPy's does), so let go of Python's tensors with the lock held.
//
//   auto tensor = std::make_shared<DlpackTensor>(DlpackTensor::take(managed));
//   DLManagedTensor* turned = to_dlpack(tensor->view<float>().permute({1, 0}), tensor);
#pragma once

#include <dlpack/dlpack.h>

#include <cstdint>
#include <type_traits>
#include <utility>

#include "strided/core/config.hpp"
#include "strided/core/error.hpp"
#include "strided/core/result.hpp"
#include "strided/interop/dlpack/dtype.hpp"
#include "strided/interop/dlpack/export.hpp"
#include "strided/interop/dlpack/import.hpp"
#include "strided/interop/dlpack/version.hpp"
#include "strided/view/strided_view.hpp"

namespace strided::inline STRIDED_ABI {

// Owns a managed tensor: its deleter, if it has one, is called exactly once, when the last owner by
// move is destroyed or given another tensor. The views look at the tensor's memory: keep the owner
// as long as them.
//
//   const DlpackTensor tensor = DlpackTensor::take(managed);
//   StridedView<float> v = tensor.view<float>();
class DlpackTensor {
 public:
  DlpackTensor() noexcept = default;  // owns nothing

  // Takes a DLManagedTensor* or a DLManagedTensorVersioned*, which is the caller's no longer,
  // whatever is refused later. Null owns nothing.
  template <detail::DlpackManaged Managed>
  [[nodiscard]] static DlpackTensor take(Managed* managed) noexcept {
    DlpackTensor owner;
    if (managed == nullptr) return owner;
    owner.managed_ = managed;
    owner.end_ = [](void* pointer) {
      auto* const self = static_cast<Managed*>(pointer);
      if (self->deleter != nullptr) self->deleter(self);
    };
    if constexpr (detail::DlpackVersioned<Managed>) {
      // Of another major version only the fields up to the deleter may be looked at.
      owner.major_ = managed->version.major;
      if (owner.major_ != detail::kDlpackMajor) return owner;
      owner.read_only_ = (managed->flags & detail::kDlpackReadOnly) != 0;
    }
    owner.tensor_ = &managed->dl_tensor;
    return owner;
  }

  // Moves the tensor; the other owns nothing then.
  DlpackTensor(DlpackTensor&& other) noexcept { swap(other); }
  DlpackTensor& operator=(DlpackTensor&& other) noexcept {
    DlpackTensor taken(std::move(other));
    swap(taken);
    return *this;
  }
  // Calls the deleter of a tensor that it owns.
  ~DlpackTensor() {
    if (managed_ != nullptr) end_(managed_);
  }

  // The tensor, for its dtype or its device. Errors: unsupported (none owned, or one of another
  // major version than that of the dlpack.h in use).
  [[nodiscard]] const DLTensor& tensor() const STRIDED_LIFETIMEBOUND {
    raise_if(usable().in("DlpackTensor"));
    return *tensor_;
  }
  // Whether the producer flagged the tensor; a DLManagedTensor cannot say.
  [[nodiscard]] bool read_only() const noexcept { return read_only_; }

  // As dlpack_view and dlpack_view_as. Errors: theirs, those of tensor(), and unsupported for
  // elements that are not const where the tensor is read-only.
  template <DlpackElement T>
  [[nodiscard]] Result<StridedView<T>> try_view(
      DlpackNullStrides null_strides = DlpackNullStrides::row_major) const noexcept
      STRIDED_LIFETIMEBOUND {
    if (Failure failure = usable<T>()) return failure.in("dlpack_view");
    return try_dlpack_view<T>(*tensor_, null_strides);
  }
  template <DlpackElement T>
  [[nodiscard]] StridedView<T> view(
      DlpackNullStrides null_strides = DlpackNullStrides::row_major) const STRIDED_LIFETIMEBOUND {
    return try_view<T>(null_strides).value();
  }
  template <class T>
  [[nodiscard]] Result<StridedView<T>> try_view_as(
      DlpackNullStrides null_strides = DlpackNullStrides::row_major) const noexcept
      STRIDED_LIFETIMEBOUND {
    if (Failure failure = usable<T>()) return failure.in("dlpack_view_as");
    return try_dlpack_view_as<T>(*tensor_, null_strides);
  }
  template <class T>
  [[nodiscard]] StridedView<T> view_as(
      DlpackNullStrides null_strides = DlpackNullStrides::row_major) const STRIDED_LIFETIMEBOUND {
    return try_view_as<T>(null_strides).value();
  }

 private:
  template <class T = const void>
  [[nodiscard]] Failure usable() const noexcept {
    if (managed_ == nullptr) {
      return Failure{ErrorCode::unsupported, "there is no tensor: it was null or is moved from"};
    }
    if (tensor_ == nullptr) {
      return detail::dlpack_unsupported("the major version of the tensor is ", major_,
                                        "for the dlpack.h in use exactly ", detail::kDlpackMajor);
    }
    if (read_only_ && !std::is_const_v<T>) {
      return Failure{ErrorCode::unsupported, "the tensor is read-only, a view of const is needed"};
    }
    return {};
  }

  void swap(DlpackTensor& other) noexcept {
    std::swap(managed_, other.managed_);
    std::swap(end_, other.end_);
    std::swap(tensor_, other.tensor_);
    std::swap(major_, other.major_);
    std::swap(read_only_, other.read_only_);
  }

  void* managed_ = nullptr;
  void (*end_)(void*) = nullptr;
  const DLTensor* tensor_ = nullptr;  // null: the version is not ours
  std::uint32_t major_ = 0;
  bool read_only_ = false;
};

}  // namespace strided::inline STRIDED_ABI
