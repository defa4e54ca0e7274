// What the import and the export of DLPack tensors say.
#pragma once

#if __has_include(<dlpack/dlpack.h>)

#include <dlpack/dlpack.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "interop/dlpack_support.hpp"
#include "messages/out_of_memory.hpp"
#include "messages/row.hpp"
#include "strided/interop/dlpack.hpp"

namespace strided_test::messages {

// A tensor of shape (6,), unless `change` makes another one of it, that is looked at as elements of
// type T.
template <class T = int, class Change>
void view_changed(const Change& change, DlpackNullStrides null = DlpackNullStrides::row_major) {
  dlpack_support::HandMade made(storage, dlpack_support::kInt32, {6}, {1});
  change(made.tensor);
  drop(dlpack_view<T>(made.tensor, null));
}
template <class T>
void view_as(DLDataType dtype) {
  dlpack_support::HandMade made(storage, dtype, {6}, {1});
  drop(dlpack_view_as<T>(made.tensor));
}
inline void view_strided(std::vector<std::int64_t> shape, std::vector<std::int64_t> strides) {
  const dlpack_support::HandMade made(storage, dlpack_support::kInt32, std::move(shape),
                                      std::move(strides));
  drop(dlpack_view<int>(made.tensor));
}

// As DLPack 1.0 has it, whichever version the header is of.
struct Versioned {
  struct {
    std::uint32_t major;
    std::uint32_t minor;
  } version;
  void* manager_ctx;
  void (*deleter)(Versioned*);
  std::uint64_t flags;
  DLTensor dl_tensor;
};
inline void view_versioned(std::uint32_t major, std::uint64_t flags) {
  Versioned managed{{major, 0}, nullptr, nullptr, flags, {}};
  drop(DlpackTensor::take(&managed).view<int>());
}

inline constexpr std::uint32_t kOtherMajor = detail::kDlpackMajor + 1;
inline constexpr auto kCuda = static_cast<DLDeviceType>(2);
inline constexpr auto kOpenCl = static_cast<DLDeviceType>(4);

// clang-format off
inline const std::vector<Row> kDlpackRows{
    {ErrorCode::unsupported, [] { view_changed([](DLTensor& t) { t.device.device_type = kCuda; }); },
     "dlpack_view: the device type (CUDA) is 2, copy the tensor to the CPU first: memory that the CPU addresses is needed"},
    {ErrorCode::unsupported, [] { view_changed([](DLTensor& t) { t.device.device_type = kOpenCl; }); },
     "dlpack_view: the device type (OpenCL) is 4, copy the tensor to the CPU first: memory that the CPU addresses is needed"},
    {ErrorCode::unsupported, [] { view_changed([](DLTensor& t) { t.dtype = {kDLFloat, 64, 1}; }); },
     "dlpack_view: the tensor holds float64, for a view of std::int32_t a tensor of int32 is needed"},
    {ErrorCode::unsupported, [] { view_changed<bool>([](DLTensor&) {}); },
     "dlpack_view: the tensor holds int32, for a view of bool a tensor of bool8 is needed"},
    {ErrorCode::unsupported, [] { view_changed([](DLTensor& t) { t.dtype = {255, 8, 1}; }); },
     "dlpack_view: the tensor holds unknown_8, for a view of std::int32_t a tensor of int32 is needed"},
    {ErrorCode::unsupported, [] { view_changed([](DLTensor& t) { t.dtype.lanes = 4; }); },
     "dlpack_view: the number of lanes of an element is 4, take it by dlpack_view_as: for dlpack_view exactly 1 is needed"},
    {ErrorCode::unsupported, [] { view_changed([](DLTensor& t) { t.dtype.lanes = 0; }); },
     "dlpack_view: the number of lanes of an element is 0, exactly 1 is needed"},
    {ErrorCode::unsupported, [] { view_as<int>({kDLUInt, 16, 4}); },
     "dlpack_view_as: the number of bits of an element is 64, exactly 32 is needed"},
    {ErrorCode::unsupported, [] { view_as<int>({kDLUInt, 4, 8}); },
     "dlpack_view_as: the number of bits of a lane is 4, a multiple of 8 is needed"},
    {ErrorCode::unsupported, [] { drop(DlpackTensor().view<int>()); },
     "dlpack_view: there is no tensor: it was null or is moved from"},
    {ErrorCode::unsupported, [] { drop(DlpackTensor().view_as<int>()); },
     "dlpack_view_as: there is no tensor: it was null or is moved from"},
    {ErrorCode::unsupported, [] { drop(DlpackTensor().tensor()); },
     "DlpackTensor: there is no tensor: it was null or is moved from"},
    {ErrorCode::unsupported, [] { view_versioned(kOtherMajor, 0); },
     "dlpack_view: the major version of the tensor is " + std::to_string(kOtherMajor) + ", for the dlpack.h in use exactly " + std::to_string(detail::kDlpackMajor) + " is needed"},
    {ErrorCode::unsupported, [] { view_versioned(detail::kDlpackMajor, 1); },
     "dlpack_view: the tensor is read-only, a view of const is needed"},
    {ErrorCode::negative_size, [] { view_changed([](DLTensor& t) { t.ndim = -1; }); },
     "dlpack_view: ndim is -1, it must be at least 0"},
    {ErrorCode::negative_size, [] { view_strided({2, -3}, {3, 1}); },
     "dlpack_view: shape[1] is -3, it must be at least 0"},
    {ErrorCode::rank_too_large, [] { view_strided(std::vector<std::int64_t>(33, 1), std::vector<std::int64_t>(33, 1)); },
     "dlpack_view: shape has 33 entries, at most 32 are allowed"},
    {ErrorCode::length_mismatch, [] { view_changed([](DLTensor& t) { t.shape = nullptr; }); },
     "dlpack_view: shape is null, 1 entry is needed"},
    {ErrorCode::length_mismatch, [] { view_changed([](DLTensor& t) { t.strides = nullptr; }, DlpackNullStrides::refused); },
     "dlpack_view: strides is null, 1 entry is needed; DlpackNullStrides::row_major takes null as row-major"},
    {ErrorCode::negative_size, [] { dlpack_support::HandMade made(storage, dlpack_support::kInt32, {-6}, {1}); drop(dlpack_layout(made.tensor)); },
     "dlpack_layout: shape[0] is -6, it must be at least 0"},
    {ErrorCode::null_data, [] { view_changed([](DLTensor& t) { t.data = nullptr; }); },
     "dlpack_view: data is null, and there are 6 elements to touch; allocate them first"},
    {ErrorCode::misaligned, [] { view_changed([](DLTensor& t) { t.byte_offset = 2; }); },
     "dlpack_view: the address of data + byte_offset is 2 bytes past a multiple of 4, the alignment of the element type; copy the bytes to aligned memory first"},
    {ErrorCode::overflow, [] { view_changed([](DLTensor& t) { t.byte_offset = std::numeric_limits<std::uint64_t>::max(); }); },
     "dlpack_view: byte_offset is 9223372036854775807, or more: elements lie past the last address"},
    {ErrorCode::overflow, [] { view_strided({kInt64Max, 2}, {0, 0}); },
     "dlpack_view: shape[1] is 2, with it the number of elements no longer fits 64 bits"},
    {ErrorCode::overflow, [] { view_strided({3}, {kInt64Max}); },
     "dlpack_view: strides[0] is 9223372036854775807, with it an offset no longer fits 64 bits"},
    {ErrorCode::overflow, [] { view_strided({2}, {kInt64Max / 2}); },
     "dlpack_view: the reach of the strides is 4611686018427387903, with it elements lie past the last address"},
    {ErrorCode::overflow, [] { view_strided({2}, {-kInt64Max / 2}); },
     "dlpack_view: the reach of the strides is -4611686018427387903, with it elements lie before the first address"},
#if SIZE_MAX > 0xffffffff
    {ErrorCode::overflow, [] { view_strided({2}, {kInt64Max / 3}); },
     "dlpack_view: the reach of the strides is 3074457345618258602, in bytes it exceeds " + most_bytes()},
#endif
    {ErrorCode::out_of_memory, [] { raise_without_memory([] { return try_to_dlpack(a, nullptr).error(); }); },
     "to_dlpack: a managed tensor of ", true},
};
// clang-format on

}  // namespace strided_test::messages

#endif  // there is DLPack
