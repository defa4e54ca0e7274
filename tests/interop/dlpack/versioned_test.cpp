// The versioned structs of DLPack 1.0 and later, with a dlpack.h that has them.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "interop/dlpack_support.hpp"
#include "strided/interop/dlpack.hpp"
#include "support/counted.hpp"
#include "support/facts.hpp"

namespace {

using dlpack_support::counting;
using dlpack_support::HandMade;
using dlpack_support::kInt32;
using strided::Dims;
using strided::DlpackTensor;
using strided::StridedView;
using strided::to_dlpack_versioned;
using strided_test::counted;

static_assert(strided::detail::kDlpackBool == kDLBool);
static_assert(strided::detail::kDlpackReadOnly == DLPACK_FLAG_BITMASK_READ_ONLY);

struct Versioned : testing::Test {
  std::vector<int> six = counted(6);
  HandMade hand_made{six.data(), kInt32, {2, 3}, {3, 1}};
  int calls = 0;
  DLManagedTensorVersioned managed = counting<DLManagedTensorVersioned>(hand_made.tensor, calls);

  Versioned() { managed.version = {DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION}; }
};

TEST_F(Versioned, IsTakenWhateverItsMinorVersion) {
  for (const std::uint32_t minor : {0U, 1U, 2U, 4000000000U}) {
    managed.version.minor = minor;
    calls = 0;
    EXPECT_EQ(DlpackTensor::take(&managed).view<int>()(1, 2), 5);
    EXPECT_EQ(calls, 1);
  }
}

TEST_F(Versioned, AnotherMajorVersionIsRefusedAndEnded) {
  for (const std::uint32_t major : {0U, 2U, 4000000000U}) {
    managed.version.major = major;
    managed.flags = ~std::uint64_t{0};
    std::memset(static_cast<void*>(&managed.dl_tensor), 0xa5, sizeof(DLTensor));  // unknown layout
    calls = 0;
    {
      const DlpackTensor tensor = DlpackTensor::take(&managed);
      const std::string why = "the major version of the tensor is " + std::to_string(major) +
                              ", for the dlpack.h in use exactly 1 is needed";
      EXPECT_THROWN(tensor.view<const int>(), unsupported, "dlpack_view: " + why);
      EXPECT_THROWN(tensor.view_as<const int>(), unsupported, "dlpack_view_as: " + why);
      EXPECT_THROWN(tensor.tensor(), unsupported, "DlpackTensor: " + why);
      EXPECT_FALSE(tensor.read_only());
    }
    EXPECT_EQ(calls, 1);
  }
}

TEST_F(Versioned, ReadOnlyIsForConstElements) {
  managed.flags = DLPACK_FLAG_BITMASK_READ_ONLY | 6;
  const DlpackTensor tensor = DlpackTensor::take(&managed);
  EXPECT_TRUE(tensor.read_only());
  EXPECT_EQ(tensor.view<const int>()(1, 2), 5);
  EXPECT_EQ(tensor.view_as<const float>().size(), 6);
  EXPECT_THROWN(tensor.view<int>(), unsupported,
                "dlpack_view: the tensor is read-only, a view of const is needed");
  EXPECT_THROWN(tensor.view_as<float>(), unsupported,
                "dlpack_view_as: the tensor is read-only, a view of const is needed");
  EXPECT_EQ(&tensor.tensor(), &managed.dl_tensor);
}

TEST_F(Versioned, OtherFlagsLeaveItWritable) {
  managed.flags = ~std::uint64_t{DLPACK_FLAG_BITMASK_READ_ONLY};
  const DlpackTensor tensor = DlpackTensor::take(&managed);
  EXPECT_FALSE(tensor.read_only());
  EXPECT_EQ(&tensor.view<int>()(0, 0), six.data());
}

TEST(ToDlpackVersioned, SaysItsVersionAndWhetherItIsReadOnly) {
  auto owner = std::make_shared<std::vector<int>>(counted(6));
  const StridedView<int> v(*owner, {2, 3});
  DLManagedTensorVersioned* const open = to_dlpack_versioned(v.flip(1), owner);
  EXPECT_EQ(open->version.major, 1U);
  EXPECT_EQ(open->version.minor, std::uint32_t{DLPACK_MINOR_VERSION});
  EXPECT_EQ(open->flags, 0U);
  EXPECT_EQ(open->dl_tensor.data, owner->data() + 2);
  open->deleter(open);
  DLManagedTensorVersioned* const closed = to_dlpack_versioned(StridedView<const int>(v), owner);
  EXPECT_EQ(closed->flags, std::uint64_t{DLPACK_FLAG_BITMASK_READ_ONLY});
  EXPECT_EQ(owner.use_count(), 2);
  {
    const DlpackTensor back = DlpackTensor::take(closed);
    EXPECT_EQ(&back.view<const int>()(1, 1), &v(1, 1));
    EXPECT_EQ(back.view<const int>().layout(), v.layout());
  }
  EXPECT_EQ(owner.use_count(), 1);
}

TEST(ToDlpackVersioned, TheOldStructIsThereToo) {
  auto owner = std::make_shared<std::vector<int>>(counted(6));
  {
    const DlpackTensor tensor =
        DlpackTensor::take(strided::to_dlpack(StridedView<int>(*owner, {2, 3}), owner));
    EXPECT_EQ(tensor.view<int>()(1, 2), 5);
  }
  EXPECT_EQ(owner.use_count(), 1);
}

}  // namespace
