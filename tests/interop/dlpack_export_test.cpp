// Views as DLPack tensors: what the struct says, and that what keeps the memory is kept and let go.
#include <gtest/gtest.h>

#include <complex>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "interop/dlpack_support.hpp"
#include "strided/interop/dlpack.hpp"
#include "support/counted.hpp"

namespace dlpack_export {
namespace {

using strided::Dims;
using strided::DlpackTensor;
using strided::StridedView;
using strided::to_dlpack;
using strided_test::counted;

template <class View>
concept Exportable = requires(const View& view) {
  to_dlpack(view, nullptr);
};
static_assert(Exportable<StridedView<float>>);
static_assert(!Exportable<StridedView<const float>>, "the struct cannot say read-only");
static_assert(!Exportable<StridedView<std::string>>);

std::shared_ptr<std::vector<int>> shared(std::size_t count) {
  return std::make_shared<std::vector<int>>(counted(count));
}
Dims shape_of(const DLTensor& t) {
  return Dims(std::vector<std::int64_t>(t.shape, t.shape + t.ndim));
}
Dims strides_of(const DLTensor& t) {
  return Dims(std::vector<std::int64_t>(t.strides, t.strides + t.ndim));
}
void end(DLManagedTensor* managed) {
  managed->deleter(managed);
}

TEST(ToDlpack, DescribesTheView) {
  const auto owner = shared(100);
  DLManagedTensor* const managed = to_dlpack(StridedView<int>(*owner, {6, 5}, {10, -1}, 26), owner);
  const DLTensor& t = managed->dl_tensor;
  EXPECT_EQ(t.data, owner->data() + 26);  // of element (0, 0), wherever the storage starts
  EXPECT_EQ(t.byte_offset, 0U);
  EXPECT_EQ(shape_of(t), (Dims{6, 5}));
  EXPECT_EQ(strides_of(t), (Dims{10, -1}));
  EXPECT_EQ(int{t.dtype.code}, int{kDLInt});
  EXPECT_EQ(int{t.dtype.bits}, 32);
  EXPECT_EQ(int{t.dtype.lanes}, 1);
  EXPECT_EQ(t.device.device_type, kDLCPU);
  EXPECT_EQ(t.device.device_id, 0);
  end(managed);
}

TEST(ToDlpack, KeepsTheOwnerUntilTheDeleterIsCalled) {
  auto owner = shared(6);
  const std::weak_ptr<std::vector<int>> watch = owner;
  const StridedView<int> v(*owner, {2, 3});
  DLManagedTensor* const a = to_dlpack(v, owner);
  DLManagedTensor* const b = to_dlpack(v.flip(0), owner);
  EXPECT_EQ(owner.use_count(), 3);
  owner.reset();
  end(a);
  EXPECT_EQ(watch.use_count(), 1);
  {
    const DlpackTensor tensor = DlpackTensor::take(b);
    EXPECT_EQ(tensor.view<int>()(0, 1), 4);
  }
  EXPECT_TRUE(watch.expired());
}

TEST(ToDlpack, WithoutAnOwnerTheCallerKeepsTheMemory) {
  std::vector<int> six = counted(6);
  const DlpackTensor tensor = DlpackTensor::take(to_dlpack(StridedView<int>(six, {6}), nullptr));
  EXPECT_EQ(&tensor.view<int>()(3), &six[3]);
}

// An imported tensor owns an exported one: the chain ends in order.
TEST(ToDlpack, PassesAnImportedTensorOn) {
  auto owner = shared(6);
  auto imported = std::make_shared<DlpackTensor>(
      DlpackTensor::take(to_dlpack(StridedView<int>(*owner, {2, 3}), owner)));
  const StridedView<int> turned = imported->view<int>().permute({1, 0});
  DLManagedTensor* const again = to_dlpack(turned, std::move(imported));
  EXPECT_EQ(owner.use_count(), 2);
  EXPECT_EQ(strides_of(again->dl_tensor), (Dims{1, 3}));
  end(again);
  EXPECT_EQ(owner.use_count(), 1);
}

TEST(ToDlpack, StridesAreAlwaysThere) {
  const auto owner = shared(24);
  const auto strides = [&](const StridedView<int>& view) {
    DLManagedTensor* const managed = to_dlpack(view, owner);
    EXPECT_NE(managed->dl_tensor.strides, nullptr);
    const Dims list = strides_of(managed->dl_tensor);
    end(managed);
    return list;
  };
  const StridedView<int> v(*owner, {2, 3, 4});
  EXPECT_EQ(strides(v), (Dims{12, 4, 1}));
  EXPECT_EQ(strides(v.permute({2, 0, 1})), (Dims{1, 12, 4}));
  EXPECT_EQ(strides(v.select(0, 0).broadcast_to({5, 3, 4})), (Dims{0, 4, 1}));
  EXPECT_EQ(strides(StridedView<int>(*owner, {}, {}, 3)), Dims{});
  // Axes of size 1 of a row-major view get the strides that simple consumers look for.
  EXPECT_EQ(strides(StridedView<int>(*owner, {1, 3, 1, 4}, {0, 4, -7, 1})), (Dims{12, 4, 4, 1}));
  EXPECT_EQ(strides(StridedView<int>(*owner, {0, 3}, {strided::kInt64Min, 5})), (Dims{3, 1}));
}

// PyTorch 1.13 does not call the deleter of a tensor whose data is null.
TEST(ToDlpack, DataIsNeverNull) {
  const auto owner = shared(6);
  for (const StridedView<int>& view :
       {StridedView<int>(*owner, {2, 0}), StridedView<int>(*owner, {0}, {1}, strided::kInt64Max),
        StridedView<int>::from_pointer(nullptr, {0}), StridedView<int>()}) {
    DLManagedTensor* const managed = to_dlpack(view, owner);
    EXPECT_NE(managed->dl_tensor.data, nullptr);
    EXPECT_EQ(shape_of(managed->dl_tensor), view.shape());
    end(managed);
  }
}

TEST(ToDlpack, AndBackForEveryPlainType) {
  const auto there_and_back = [](auto first) {
    using T = decltype(first);
    const std::unique_ptr<T[]> owner(new T[4]{first, T(), first, T()});  // bool has no span
    const StridedView<T> v(std::span<T>(owner.get(), 4), {2, 2});
    const DlpackTensor tensor = DlpackTensor::take(to_dlpack(v.permute({1, 0}), nullptr));
    const auto back = tensor.view<T>();
    EXPECT_EQ(&back(1, 0), &v(0, 1));
    EXPECT_EQ(back(0, 1), first);
    EXPECT_EQ(back.layout(), v.permute({1, 0}).layout());
  };
  there_and_back(true);
  there_and_back('x');
  there_and_back(std::int8_t{-1});
  there_and_back(std::uint8_t{200});
  there_and_back(std::int16_t{-1});
  there_and_back(std::uint16_t{1});
  there_and_back(std::int32_t{-1});
  there_and_back(std::uint32_t{1});
  there_and_back(std::int64_t{-1});
  there_and_back(std::uint64_t{1});
  there_and_back(1.5F);
  there_and_back(1.5);
  there_and_back(std::complex<float>(1, 2));
  there_and_back(std::complex<double>(1, 2));
}

}  // namespace
}  // namespace dlpack_export
