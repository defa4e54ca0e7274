// A view as a managed tensor of DLPack.
#pragma once

#include <dlpack/dlpack.h>

#include <cstdint>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include "strided/core/config.hpp"
#include "strided/core/dims.hpp"
#include "strided/core/error.hpp"
#include "strided/core/result.hpp"
#include "strided/interop/dlpack/dtype.hpp"
#include "strided/interop/dlpack/version.hpp"
#include "strided/view/layout.hpp"
#include "strided/view/strided_view.hpp"

namespace strided::inline STRIDED_ABI {
namespace detail {

// All that an exported tensor needs to live; its own deleter ends it.
template <DlpackManaged Managed>
struct DlpackExport {
  Managed managed{};
  Dims shape;
  Dims strides;
  std::shared_ptr<const void> owner;

  static void end(Managed* self) noexcept { delete static_cast<DlpackExport*>(self->manager_ctx); }
};

template <DlpackManaged Managed, DlpackElement T>
[[nodiscard]] Result<Managed*> dlpack_export(const StridedView<T>& view,
                                             std::shared_ptr<const void> owner,
                                             const char* call) noexcept {
  using Export = DlpackExport<Managed>;
  auto* const whole = new (std::nothrow) Export;
  if (whole == nullptr) {
    return Failure{ErrorCode::out_of_memory, "a managed tensor", -1, std::int64_t{sizeof(Export)}}
        .in(call);
  }
  whole->shape = view.shape();
  whole->strides = view.is_contiguous() ? row_major_strides(view.shape()) : view.strides();
  whole->owner = std::move(owner);
  Managed& managed = whole->managed;
  managed.manager_ctx = whole;
  managed.deleter = &Export::end;
  if constexpr (DlpackVersioned<Managed>) {
    managed.version.major = kDlpackMajor;
    managed.version.minor = kDlpackMinor;
    managed.flags = std::is_const_v<T> ? kDlpackReadOnly : 0;
  }
  DLTensor& tensor = managed.dl_tensor;
  const void* first = first_of(view);
  if (first == nullptr) first = whole;
  tensor.data = const_cast<void*>(first);  // of const elements only with the flag above
  tensor.device.device_type = kDLCPU;
  tensor.device.device_id = 0;
  tensor.ndim = view.rank();
  tensor.dtype = kDlpackDtype<std::remove_const_t<T>>;
  tensor.shape = whole->shape.data();
  tensor.strides = whole->strides.data();
  tensor.byte_offset = 0;
  return &managed;
}

}  // namespace detail

// The view as a tensor that others may keep: it holds `owner` until its deleter is called, once, by
// whoever takes it. `owner` keeps the view's memory alive; empty, the caller sees to that. Nothing
// is copied.
//
// data is the address of element (0, 0, ...), with byte_offset 0, as NumPy and PyTorch have it
// (DLPack's wish for addresses that are multiples of 256 is not kept by them either). It is never
// null: DLPack wishes null where there is no element, but PyTorch 1.13 does not call the deleter
// then, and NumPy sends an address too. Strides are always there: the view's, and those of a
// row-major array for a contiguous or empty view, whatever its axes of size 1 say (PyTorch takes no
// negative ones; 1.13 ends the process at one). The device is the CPU.
//
// This struct has no word for "read-only": a view of const elements is refused by the compiler, as
// NumPy refuses its arrays that are not writable. Errors: out_of_memory.
//
//   auto pixels = std::make_shared<std::vector<float>>(6);
//   DLManagedTensor* tensor = to_dlpack(StridedView<float>(*pixels, {2, 3}).transpose(0, 1),
//   pixels);
template <DlpackElement T>
  requires(!std::is_const_v<T>)
[[nodiscard]] Result<DLManagedTensor*> try_to_dlpack(const StridedView<T>& view,
                                                     std::shared_ptr<const void> owner) noexcept {
  return detail::dlpack_export<DLManagedTensor>(view, std::move(owner), "to_dlpack");
}
template <DlpackElement T>
  requires(!std::is_const_v<T>)
[[nodiscard]] DLManagedTensor* to_dlpack(const StridedView<T>& view,
                                         std::shared_ptr<const void> owner) {
  return try_to_dlpack(view, std::move(owner)).value();
}

#if defined(DLPACK_MAJOR_VERSION)
// The same as the struct of DLPack 1.0 and later, with the version of the header it is compiled
// with; a view of const elements becomes a tensor that is flagged read-only.
template <DlpackElement T>
[[nodiscard]] Result<DLManagedTensorVersioned*> try_to_dlpack_versioned(
    const StridedView<T>& view, std::shared_ptr<const void> owner) noexcept {
  return detail::dlpack_export<DLManagedTensorVersioned>(view, std::move(owner),
                                                         "to_dlpack_versioned");
}
template <DlpackElement T>
[[nodiscard]] DLManagedTensorVersioned* to_dlpack_versioned(const StridedView<T>& view,
                                                            std::shared_ptr<const void> owner) {
  return try_to_dlpack_versioned(view, std::move(owner)).value();
}
#endif

}  // namespace strided::inline STRIDED_ABI
