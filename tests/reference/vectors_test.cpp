// The reference against facts made elsewhere: it must be right before anything is checked by it.
#include <gtest/gtest.h>

#include "support/operator_rows.hpp"
#include "support/public_reports.hpp"
#include "support/reference_path.hpp"

namespace strided_test {
namespace {

TEST(ReferenceVectors, StridedSlice) {
  check_all_slice_rows<ReferencePath>();
}

TEST(ReferenceVectors, AsStrided) {
  check_all_as_strided_rows<ReferencePath>();
}

TEST(ReferenceVectors, PublicReports) {
  check_all_public_reports<ReferencePath>();
}

}  // namespace
}  // namespace strided_test
