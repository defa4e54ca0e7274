// DLPack tensors as views: what is taken, what is refused and with which words, and who owns them.
#include <gtest/gtest.h>

#include <array>
#include <complex>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "interop/dlpack_support.hpp"
#include "strided/interop/dlpack.hpp"
#include "support/counted.hpp"
#include "support/facts.hpp"

namespace dlpack_import {
struct Bfloat16 {
  std::uint16_t bits;
};
struct Rgba {
  std::uint8_t channels[4];
};
}  // namespace dlpack_import
template <>
inline constexpr DLDataType strided::kDlpackDtype<dlpack_import::Bfloat16> = {kDLBfloat, 16, 1};

namespace dlpack_import {
namespace {

using dlpack_support::counting;
using dlpack_support::HandMade;
using dlpack_support::kInt32;
using strided::Dims;
using strided::dlpack_layout;
using strided::dlpack_view;
using strided::dlpack_view_as;
using strided::DlpackElement;
using strided::DlpackNullStrides;
using strided::DlpackTensor;
using strided::kDlpackDtype;
using strided::kInt64Max;
using strided::kInt64Min;
using strided::StridedView;
using strided_test::counted;

template <class T>
constexpr bool has_dtype(int code, int bits) {
  constexpr DLDataType kType = kDlpackDtype<T>;
  return DlpackElement<T> && DlpackElement<const T> && kType.code == code && kType.bits == bits &&
         kType.lanes == 1;
}

TEST(Dlpack, TypesOfCpp) {
  EXPECT_FACT(has_dtype<std::int8_t>(kDLInt, 8) && has_dtype<std::uint8_t>(kDLUInt, 8));
  EXPECT_FACT(has_dtype<short>(kDLInt, 16) && has_dtype<std::uint16_t>(kDLUInt, 16));
  EXPECT_FACT(has_dtype<int>(kDLInt, 32) && has_dtype<unsigned>(kDLUInt, 32));
  EXPECT_FACT(has_dtype<std::int64_t>(kDLInt, 64) && has_dtype<std::uint64_t>(kDLUInt, 64));
  EXPECT_FACT(has_dtype<float>(kDLFloat, 32) && has_dtype<double>(kDLFloat, 64));
  EXPECT_FACT(has_dtype<std::complex<float>>(kDLComplex, 64));
  EXPECT_FACT(has_dtype<std::complex<double>>(kDLComplex, 128));
  EXPECT_FACT(has_dtype<bool>(6, 8));  // kDLBool, which older headers do not have
  EXPECT_FACT(has_dtype<Bfloat16>(kDLBfloat, 16));
  EXPECT_FACT(!DlpackElement<Rgba> && !DlpackElement<int*> && !DlpackElement<std::vector<int>>);
  EXPECT_FACT(DlpackElement<long double> == (sizeof(long double) == 8));
  EXPECT_FACT(DlpackElement<std::complex<long double>> == (sizeof(long double) == 8));
}

TEST(Dlpack, ViewsTheElementsWithoutCopying) {
  std::vector<int> six = counted(6);
  const HandMade t(six.data(), kInt32, {2, 3}, {3, 1});
  const StridedView<int> v = dlpack_view<int>(t.tensor);
  EXPECT_EQ(v.shape(), (Dims{2, 3}));
  EXPECT_EQ(v.strides(), (Dims{3, 1}));
  EXPECT_EQ(&v(0, 0), six.data());
  EXPECT_EQ(v.storage().size(), 6U);
  v(1, 2) = 50;
  EXPECT_EQ(six[5], 50);
  EXPECT_EQ(dlpack_layout(t.tensor), strided::Layout({2, 3}));
}

TEST(Dlpack, StridesOfAnySign) {
  std::vector<int> storage = counted(60);
  const HandMade t(storage.data() + 50, kInt32, {3, 4}, {-10, 2});
  const auto v = dlpack_view<const int>(t.tensor);
  EXPECT_EQ(v(0, 0), 50);
  EXPECT_EQ(v(2, 3), 36);
  EXPECT_EQ(v.storage().data(), storage.data() + 30);  // from the lowest element
  EXPECT_EQ(v.storage().size(), 27U);                  // to the highest
  const HandMade repeated(storage.data(), kInt32, {5, 2}, {0, 1});
  EXPECT_EQ(dlpack_view<int>(repeated.tensor)(4, 1), 1);
  const HandMade size_one(storage.data(), kInt32, {1, 2}, {kInt64Min, 1});
  EXPECT_EQ(dlpack_view<int>(size_one.tensor)(0, 1), 1);
}

TEST(Dlpack, RankZeroNeedsNoLists) {
  int one = 7;
  const HandMade t(&one, kInt32, {}, {});
  EXPECT_EQ(dlpack_view<int>(t.tensor)(), 7);
  EXPECT_EQ(dlpack_view<int>(t.tensor, DlpackNullStrides::refused)(), 7);
}

TEST(Dlpack, RanksUpToTheLimit) {
  int one = 7;
  HandMade t(&one, kInt32, std::vector<std::int64_t>(33, 1), std::vector<std::int64_t>(33, 1));
  t.tensor.ndim = 32;
  EXPECT_EQ(dlpack_view<int>(t.tensor).rank(), 32);
  t.tensor.ndim = 33;
  EXPECT_THROWN(dlpack_view<int>(t.tensor), rank_too_large,
                "dlpack_view: shape has 33 entries, at most 32 are allowed");
  t.tensor.ndim = -1;
  EXPECT_THROWN(dlpack_view<int>(t.tensor), negative_size,
                "dlpack_view: ndim is -1, it must be at least 0");
  t.tensor.ndim = std::numeric_limits<std::int32_t>::min();
  EXPECT_THROWN(dlpack_layout(t.tensor), negative_size,
                "dlpack_layout: ndim is -2147483648, it must be at least 0");
}

TEST(Dlpack, NullStridesAreRowMajorOrRefused) {
  std::vector<int> six = counted(6);
  HandMade t(six.data(), kInt32, {2, 3}, {});
  EXPECT_EQ(dlpack_view<int>(t.tensor).strides(), (Dims{3, 1}));
  EXPECT_THROWN(dlpack_view<int>(t.tensor, DlpackNullStrides::refused), length_mismatch,
                "dlpack_view: strides is null, 2 entries are needed; DlpackNullStrides::row_major "
                "takes null as row-major");
  t.tensor.shape = nullptr;
  EXPECT_THROWN(dlpack_view<int>(t.tensor), length_mismatch,
                "dlpack_view: shape is null, 2 entries are needed");
}

TEST(Dlpack, DevicesThatTheCpuAddresses) {
  std::vector<int> six = counted(6);
  HandMade t(six.data(), kInt32, {6}, {1});
  const auto set_device = [&](std::int32_t type) {  // also to numbers that the enum does not have
    std::memcpy(&t.tensor.device.device_type, &type, sizeof(type));
  };
  for (const std::int32_t type : {1, 3, 11, 13}) {
    set_device(type);
    EXPECT_EQ(dlpack_view<int>(t.tensor)(5), 5) << type;
  }
  set_device(2);
  EXPECT_THROWN(dlpack_view<int>(t.tensor), unsupported,
                "dlpack_view: the device type (CUDA) is 2, copy the tensor to the CPU first: "
                "memory that the CPU addresses is needed");
  set_device(18);
  EXPECT_THROWN(dlpack_view_as<int>(t.tensor), unsupported,
                "dlpack_view_as: the device type (Trainium) is 18, copy the tensor to the CPU "
                "first: memory that the CPU addresses is needed");
  for (const std::int32_t type : {0, 5, 19, 1000, -1, std::numeric_limits<std::int32_t>::min()}) {
    set_device(type);
    EXPECT_THROWN(dlpack_view<int>(t.tensor), unsupported,
                  "dlpack_view: the device type is " + std::to_string(type) +
                      ", copy the tensor to the CPU first: memory that the CPU addresses is "
                      "needed");
  }
}

TEST(Dlpack, OtherElementTypesAreRefused) {
  alignas(16) std::array<std::int64_t, 4> storage{};
  HandMade t(storage.data(), {kDLFloat, 64, 1}, {2}, {1});
  EXPECT_EQ(dlpack_view<double>(t.tensor).size(), 2);
  EXPECT_THROWN(dlpack_view<int>(t.tensor), unsupported,
                "dlpack_view: the tensor holds float64, for a view of std::int32_t a tensor of "
                "int32 is needed");
  EXPECT_THROWN(
      dlpack_view<const float>(t.tensor), unsupported,
      "dlpack_view: the tensor holds float64, for a view of float a tensor of float32 is needed");
  EXPECT_THROWN(dlpack_view<std::complex<double>>(t.tensor), unsupported,
                "dlpack_view: the tensor holds float64, for a view of std::complex<double> a "
                "tensor of complex128 is needed");
  t.tensor.dtype = {kDLUInt, 8, 1};
  EXPECT_THROWN(
      dlpack_view<bool>(t.tensor), unsupported,
      "dlpack_view: the tensor holds uint8, for a view of bool a tensor of bool8 is needed");
  t.tensor.dtype = {6, 8, 1};
  EXPECT_FALSE(dlpack_view<bool>(t.tensor)(1));
  EXPECT_THROWN(dlpack_view<std::uint8_t>(t.tensor), unsupported,
                "dlpack_view: the tensor holds bool8, for a view of std::uint8_t a tensor of uint8 "
                "is needed");
  t.tensor.dtype = {kDLFloat, 16, 1};
  EXPECT_THROWN(dlpack_view<Bfloat16>(t.tensor), unsupported,
                "dlpack_view: the tensor holds float16, bfloat16 is needed");
  t.tensor.dtype = {10, 8, 1};
  EXPECT_THROWN(dlpack_view<std::uint8_t>(t.tensor), unsupported,
                "dlpack_view: the tensor holds float_e4m3fn_8, for a view of std::uint8_t a tensor "
                "of uint8 is needed");
  t.tensor.dtype = {255, 255, 1};
  EXPECT_THROWN(dlpack_view<std::uint8_t>(t.tensor), unsupported,
                "dlpack_view: the tensor holds unknown_255, for a view of std::uint8_t a tensor of "
                "uint8 is needed");
  for (const std::uint16_t lanes : {std::uint16_t{0}, std::uint16_t{4}, std::uint16_t{65535}}) {
    t.tensor.dtype = {kDLFloat, 32, lanes};
    EXPECT_THROWN(dlpack_view<float>(t.tensor), unsupported,
                  "dlpack_view: the number of lanes of an element is " + std::to_string(lanes) +
                      (lanes == 0 ? ", " : ", take it by dlpack_view_as: for dlpack_view ") +
                      "exactly 1 is needed");
  }
}

TEST(Dlpack, ViewAsChecksTheSizeAlone) {
  std::array<std::uint8_t, 16> storage{0, 1, 2, 3, 4, 5, 6, 7};
  HandMade t(storage.data(), {kDLUInt, 8, 4}, {2}, {1});
  EXPECT_EQ(dlpack_view_as<Rgba>(t.tensor)(1).channels[3], 7);  // strides count whole elements
  t.tensor.dtype = {kDLOpaqueHandle, 32, 1};
  EXPECT_EQ(dlpack_view_as<const Rgba>(t.tensor)(1).channels[0], 4);
  for (const DLDataType dtype :
       {DLDataType{kDLFloat, 64, 1}, DLDataType{kDLUInt, 64, 1}, DLDataType{kDLUInt, 16, 4}}) {
    t.tensor.dtype = dtype;
    EXPECT_THROWN(dlpack_view_as<Rgba>(t.tensor), unsupported,
                  "dlpack_view_as: the number of bits of an element is 64, exactly 32 is needed");
  }
  t.tensor.dtype = {17, 4, 8};  // eight packed float4: not ours to unpack
  EXPECT_THROWN(dlpack_view_as<Rgba>(t.tensor), unsupported,
                "dlpack_view_as: the number of bits of a lane is 4, a multiple of 8 is needed");
}

TEST(Dlpack, ByteOffset) {
  std::vector<int> six = counted(6);
  HandMade t(six.data(), kInt32, {2}, {1});
  t.tensor.byte_offset = 4 * sizeof(int);
  EXPECT_EQ(dlpack_view<int>(t.tensor)(0), 4);
  t.tensor.data = reinterpret_cast<char*>(six.data()) + 1;  // only the sum has to be aligned
  t.tensor.byte_offset = 3;
  EXPECT_EQ(dlpack_view<int>(t.tensor)(0), 1);
  t.tensor.byte_offset = 5;
  EXPECT_THROWN(dlpack_view<int>(t.tensor), misaligned,
                "dlpack_view: the address of data + byte_offset is 2 bytes past a multiple of 4, "
                "the alignment of the element type; copy the bytes to aligned memory first");
  t.tensor.byte_offset = std::uint64_t{1} << 63;
  EXPECT_EQ(strided::try_dlpack_view<int>(t.tensor).error().code, strided::ErrorCode::overflow);
  t.tensor.data = reinterpret_cast<void*>(std::uintptr_t{3} << (sizeof(void*) * 8 - 2));
  EXPECT_THROWN(dlpack_view<int>(t.tensor), overflow,
                "dlpack_view: byte_offset is 9223372036854775807, or more: elements lie past the "
                "last address");
}

TEST(Dlpack, WithoutElementsThereMayBeNoData) {
  const HandMade t(nullptr, kInt32, {2, 0, 3}, {kInt64Min, kInt64Max, -1});
  const auto v = dlpack_view<int>(t.tensor, DlpackNullStrides::refused);
  EXPECT_TRUE(v.empty());
  EXPECT_EQ(v.shape(), (Dims{2, 0, 3}));
  HandMade odd(nullptr, kInt32, {0}, {});
  odd.tensor.data = reinterpret_cast<void*>(std::uintptr_t{3});
  odd.tensor.byte_offset = std::numeric_limits<std::uint64_t>::max();
  EXPECT_TRUE(dlpack_view<int>(odd.tensor).empty());
  const HandMade full(nullptr, kInt32, {2, 3}, {});
  EXPECT_THROWN(
      dlpack_view<int>(full.tensor), null_data,
      "dlpack_view: data is null, and there are 6 elements to touch; allocate them first");
}

TEST(Dlpack, SizesAndStridesThatFitNoMemory) {
  std::vector<int> six = counted(6);
  const auto refused = [&](std::vector<std::int64_t> shape, std::vector<std::int64_t> strides) {
    const HandMade t(six.data(), kInt32, std::move(shape), std::move(strides));
    return strided::try_dlpack_view<int>(t.tensor).error().message();
  };
  EXPECT_EQ(refused({2, -3}, {3, 1}), "dlpack_view: shape[1] is -3, it must be at least 0");
  EXPECT_EQ(refused({2, -3}, {}), "dlpack_view: shape[1] is -3, it must be at least 0");
  EXPECT_EQ(refused({kInt64Max, 2}, {0, 0}),
            "dlpack_view: shape[1] is 2, with it the number of elements no longer fits 64 bits");
  EXPECT_EQ(refused({3}, {kInt64Max}),
            "dlpack_view: strides[0] is 9223372036854775807, with it an offset no longer fits 64 "
            "bits");
  EXPECT_EQ(refused({2}, {kInt64Max / 2}),
            "dlpack_view: the reach of the strides is 4611686018427387903, with it elements lie "
            "past the last address");
  EXPECT_EQ(refused({2}, {-(std::int64_t{1} << 60)}),  // below address 0
            "dlpack_view: the reach of the strides is -1152921504606846976, with it elements lie "
            "before the first address");
}

// Strides that are in order by themselves, at an address with too little behind it.
TEST(Dlpack, ElementsPastTheLastAddress) {
  HandMade t(nullptr, kInt32, {16}, {1});
  t.tensor.data = reinterpret_cast<void*>(std::numeric_limits<std::uintptr_t>::max() - 59);
  EXPECT_THROWN(dlpack_view<int>(t.tensor), overflow,
                "dlpack_view: the reach of the strides is 15, with it elements lie past the last "
                "address");
}

TEST(DlpackTensor, CallsTheDeleterOnce) {
  std::vector<int> six = counted(6);
  const HandMade t(six.data(), kInt32, {6}, {1});
  int calls = 0;
  auto managed = counting<DLManagedTensor>(t.tensor, calls);
  {
    DlpackTensor first = DlpackTensor::take(&managed);
    EXPECT_EQ(first.view<int>()(5), 5);
    EXPECT_EQ(first.view_as<const float>().size(), 6);
    EXPECT_EQ(&first.tensor(), &managed.dl_tensor);
    EXPECT_FALSE(first.read_only());
    DlpackTensor second = std::move(first);
    DlpackTensor third;
    third = std::move(second);
    EXPECT_EQ(third.view<const int>()(5), 5);
    EXPECT_THROWN(
        third.view<float>(), unsupported,
        "dlpack_view: the tensor holds int32, for a view of float a tensor of float32 is needed");
    EXPECT_EQ(calls, 0);  // refusing a view ends nothing
  }
  EXPECT_EQ(calls, 1);
}

TEST(DlpackTensor, AnotherTensorEndsTheFirst) {
  std::vector<int> six = counted(6);
  const HandMade t(six.data(), kInt32, {6}, {1});
  int calls = 0;
  int other_calls = 0;
  auto managed = counting<DLManagedTensor>(t.tensor, calls);
  auto other = counting<DLManagedTensor>(t.tensor, other_calls);
  DlpackTensor tensor = DlpackTensor::take(&managed);
  tensor = DlpackTensor::take(&other);
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(other_calls, 0);
  DlpackTensor& same = tensor;
  tensor = std::move(same);  // to itself: kept
  EXPECT_EQ(other_calls, 0);
  EXPECT_EQ(tensor.view<int>().size(), 6);
  tensor = DlpackTensor();
  EXPECT_EQ(other_calls, 1);
}

TEST(DlpackTensor, TheDeleterMayBeNull) {
  std::vector<int> six = counted(6);
  const HandMade t(six.data(), kInt32, {6}, {1});
  DLManagedTensor managed{};
  managed.dl_tensor = t.tensor;
  EXPECT_EQ(DlpackTensor::take(&managed).view<int>()(2), 2);
}

TEST(DlpackTensor, NothingOwnedIsNoTensor) {
  const DlpackTensor none = DlpackTensor::take(static_cast<DLManagedTensor*>(nullptr));
  EXPECT_EQ(none.try_view<int>().error().code, strided::ErrorCode::unsupported);
  EXPECT_EQ(none.try_view_as<int>().error().code, strided::ErrorCode::unsupported);
  EXPECT_THROW((void)none.tensor(), strided::Error);
}

}  // namespace
}  // namespace dlpack_import
