// Exporting a tensor on memory that ends: the owner of the elements is kept once for each tensor,
// and not at all for one that was not made.
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "faults/out_of_memory.hpp"
#include "strided/interop/dlpack.hpp"

namespace strided_test {
namespace {

struct Owned {
  std::shared_ptr<std::vector<float>> owner = std::make_shared<std::vector<float>>(6, 1.0F);

  [[nodiscard]] long state() const { return owner.use_count(); }
  strided::StridedView<float> view() { return {*owner, {2, 3}}; }
};

TEST(OutOfMemoryDlpack, Export) {
  OutOfMemory tried;
  tried.check<Owned>("to_dlpack", [](Owned& owned) {
    DLManagedTensor* const tensor = strided::to_dlpack(owned.view(), owned.owner);
    tensor->deleter(tensor);
  });
  tried.check<Owned>("try_to_dlpack", [](Owned& owned) {
    const auto tensor = strided::try_to_dlpack(owned.view().flip(1), owned.owner);
    if (tensor) (void)strided::DlpackTensor::take(*tensor);
    return tensor.error();
  });
  tried.check<Owned>("refused", [](Owned& owned) {
    const strided::DlpackTensor tensor =
        strided::DlpackTensor::take(strided::to_dlpack(owned.view(), owned.owner));
    (void)tensor.view<std::int32_t>();
  });
  EXPECT_GE(tried.failures, 8);
  tried.print();
}

}  // namespace
}  // namespace strided_test
