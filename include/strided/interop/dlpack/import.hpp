// A DLTensor that somebody else owns, as a view. Everything that can be checked is, before there is
// a view; that the memory is there, the producer vouches for.
#pragma once

#include <dlpack/dlpack.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>

#include "strided/core/checked_math.hpp"
#include "strided/core/config.hpp"
#include "strided/core/dims.hpp"
#include "strided/core/error.hpp"
#include "strided/core/result.hpp"
#include "strided/interop/dlpack/dtype.hpp"
#include "strided/view/layout.hpp"
#include "strided/view/strided_view.hpp"

namespace strided::inline STRIDED_ABI {

// What null strides mean: row-major, as up to DLPack 1.1 and as NumPy still sends them, or an
// error, as from DLPack 1.2 on.
enum class DlpackNullStrides : std::uint8_t { row_major, refused };

// Shape and strides of a tensor, in elements from its element (0, 0, ...), for callers that learn
// the element type at run time. Errors: negative_size (ndim, a size), rank_too_large (ndim over
// kMaxRank), length_mismatch (null shape, or null strides where they are refused), overflow.
[[nodiscard]] inline Result<Layout> try_dlpack_layout(
    const DLTensor& tensor,
    DlpackNullStrides null_strides = DlpackNullStrides::row_major) noexcept {
  constexpr const char* kCall = "dlpack_layout";
  const std::int64_t rank = tensor.ndim;
  if (rank < 0) return Failure{ErrorCode::negative_size, "ndim", -1, rank, 0}.in(kCall);
  if (rank > kMaxRank) {
    return Failure{ErrorCode::rank_too_large, "shape", -1, rank, kMaxRank}.in(kCall);
  }
  const auto count = static_cast<std::size_t>(rank);
  if (rank > 0 && tensor.shape == nullptr) {
    return Failure{ErrorCode::length_mismatch, "shape", -1, -1, rank}.in(kCall);
  }
  const Dims shape(std::span<const std::int64_t>(tensor.shape, count));
  Result<Layout> layout(std::in_place);
  if (tensor.strides != nullptr) {
    layout = Layout::try_make(shape, std::span<const std::int64_t>(tensor.strides, count));
  } else if (rank == 0 || null_strides == DlpackNullStrides::row_major) {
    layout = Layout::try_row_major(shape);
  } else {
    return Failure{ErrorCode::length_mismatch, "strides", -1, -1, rank}
        .held_against("DlpackNullStrides::row_major takes null as row-major")
        .in(kCall);
  }
  if (!layout) layout.fail(layout.error().in(kCall));
  return layout;
}
[[nodiscard]] inline Layout dlpack_layout(
    const DLTensor& tensor, DlpackNullStrides null_strides = DlpackNullStrides::row_major) {
  return try_dlpack_layout(tensor, null_strides).value();
}

namespace detail {

// By their numbers; the gaps were devices once.
inline constexpr const char* kDlpackDevices[] = {
    "the device type is ",
    "the device type (CPU) is ",
    "the device type (CUDA) is ",
    "the device type (CUDA pinned) is ",
    "the device type (OpenCL) is ",
    "the device type is ",
    "the device type is ",
    "the device type (Vulkan) is ",
    "the device type (Metal) is ",
    "the device type (VPI) is ",
    "the device type (ROCm) is ",
    "the device type (ROCm pinned) is ",
    "the device type (extension) is ",
    "the device type (CUDA managed) is ",
    "the device type (oneAPI) is ",
    "the device type (WebGPU) is ",
    "the device type (Hexagon) is ",
    "the device type (MAIA) is ",
    "the device type (Trainium) is ",
};

[[nodiscard]] inline Failure dlpack_check_device(const DLDevice& device) noexcept {
  // Producers may be newer than our header: read as an enum, an unknown number is undefined.
  std::int32_t type = 0;
  static_assert(sizeof(device.device_type) == sizeof(type));
  std::memcpy(&type, &device.device_type, sizeof(type));
  if (type == kDLCPU || type == kDLCUDAHost || type == kDLROCMHost || type == kDLCUDAManaged) {
    return {};
  }
  const bool named = type >= 0 && type < std::int32_t{std::size(kDlpackDevices)};
  return dlpack_unsupported(kDlpackDevices[named ? type : 0], type,
                            "copy the tensor to the CPU first: memory that the CPU addresses", -1);
}

inline constexpr const char kDlpackPastLast[] = "with it elements lie past the last address";

// Refuses elements at addresses that do not exist; `first` is that of element (0, 0, ...).
[[nodiscard]] inline Failure dlpack_check_addresses(std::uintptr_t first, const Bounds& bounds,
                                                    std::size_t element_bytes) noexcept {
  constexpr std::uintptr_t kMost = std::numeric_limits<std::uintptr_t>::max();
  const std::uint64_t below = magnitude(bounds.lowest);
  const std::uint64_t above = static_cast<std::uint64_t>(bounds.highest) + 1;
  if (below > first / element_bytes || above > (kMost - first) / element_bytes) {
    const bool is_below = below > first / element_bytes;
    return Failure{ErrorCode::overflow, "the reach of the strides", -1,
                   is_below ? bounds.lowest : bounds.highest}
        .held_against(is_below ? "with it elements lie before the first address" : kDlpackPastLast);
  }
  return {};
}

template <class T>
[[nodiscard]] Result<StridedView<T>> dlpack_make_view(const DLTensor& tensor, Failure type_failure,
                                                      DlpackNullStrides null_strides) noexcept {
  static_assert(std::is_trivially_copyable_v<T>, "a tensor holds plain bytes");
  if (Failure failure = dlpack_check_device(tensor.device)) return failure;
  if (type_failure) return type_failure;
  const Result<Layout> layout = try_dlpack_layout(tensor, null_strides);
  if (!layout) return layout.error();
  if (layout->empty()) {  // touches nothing: whatever data and byte_offset are
    return StridedView<T>::try_from_pointer(nullptr, *layout);
  }
  if (tensor.data == nullptr) return Failure{ErrorCode::null_data, "data", -1, layout->size()};
  const auto address = reinterpret_cast<std::uintptr_t>(tensor.data);
  constexpr auto kMostOffset = std::uint64_t{std::numeric_limits<std::ptrdiff_t>::max()};
  if (tensor.byte_offset > kMostOffset ||
      tensor.byte_offset > std::numeric_limits<std::uintptr_t>::max() - address) {
    return Failure{ErrorCode::overflow, "byte_offset", -1, to_int64(tensor.byte_offset)}
        .held_against(tensor.byte_offset > std::uint64_t{kInt64Max}
                          ? "or more: elements lie past the last address"
                          : kDlpackPastLast);
  }
  const std::uintptr_t first = address + static_cast<std::uintptr_t>(tensor.byte_offset);
  if (first % alignof(T) != 0) {
    return Failure{ErrorCode::misaligned, "data + byte_offset", -1,
                   static_cast<std::int64_t>(first % alignof(T)), std::int64_t{alignof(T)}};
  }
  if (Failure failure = dlpack_check_addresses(first, layout->bounds(), sizeof(T))) return failure;
  void* const start = static_cast<char*>(tensor.data) + tensor.byte_offset;
  return StridedView<T>::try_from_pointer(static_cast<T*>(start), *layout);
}

}  // namespace detail

// A borrowed tensor as elements of type T, of which DLPack type and size are checked: float for
// float32, std::complex<float> for complex64, and so on (kDlpackDtype). StridedView<T> counts in
// elements, as DLPack does; strides may be negative or 0. The view is valid as long as the tensor's
// memory; whether T may be other than const, only the caller knows (DlpackTensor checks it).
//
// Memory of the CPU is taken, and what a CPU addresses as well: pinned (CUDA, ROCm) and managed
// memory (CUDA), where the caller has waited for the device's work. Other devices are refused.
//
// Errors: those of dlpack_layout; unsupported (device, element type, lanes), null_data (only if
// there is an element), misaligned, overflow (byte_offset, the strides' reach).
//
//   StridedView<const float> image = dlpack_view<const float>(managed->dl_tensor);
template <DlpackElement T>
[[nodiscard]] Result<StridedView<T>> try_dlpack_view(
    const DLTensor& tensor,
    DlpackNullStrides null_strides = DlpackNullStrides::row_major) noexcept {
  Result<StridedView<T>> view =
      detail::dlpack_make_view<T>(tensor, detail::dlpack_check_type<T>(tensor.dtype), null_strides);
  view.told_of("dlpack_view");
  return view;
}
template <DlpackElement T>
[[nodiscard]] StridedView<T> dlpack_view(
    const DLTensor& tensor, DlpackNullStrides null_strides = DlpackNullStrides::row_major) {
  return try_dlpack_view<T>(tensor, null_strides).value();
}

// The same, where the size of an element alone is checked, all lanes together: for elements that
// C++ has no type for. T is any struct of plain bytes; elements of less than a byte are refused.
//
//   struct Half { std::uint16_t bits; };
//   StridedView<const Half> halves = dlpack_view_as<const Half>(tensor);   // float16 or bfloat16
template <class T>
[[nodiscard]] Result<StridedView<T>> try_dlpack_view_as(
    const DLTensor& tensor,
    DlpackNullStrides null_strides = DlpackNullStrides::row_major) noexcept {
  Result<StridedView<T>> view =
      detail::dlpack_make_view<T>(tensor, detail::dlpack_check_size<T>(tensor.dtype), null_strides);
  view.told_of("dlpack_view_as");
  return view;
}
template <class T>
[[nodiscard]] StridedView<T> dlpack_view_as(
    const DLTensor& tensor, DlpackNullStrides null_strides = DlpackNullStrides::row_major) {
  return try_dlpack_view_as<T>(tensor, null_strides).value();
}

}  // namespace strided::inline STRIDED_ABI
