// The operators against facts made elsewhere (tests/data); the reference runs the same rows.
#include <gtest/gtest.h>

#include "support/library_path.hpp"
#include "support/operator_rows.hpp"
#include "support/public_reports.hpp"

namespace strided_test {
namespace {

TEST(LibraryVectors, StridedSlice) {
  check_all_slice_rows<LibraryPath>();
}

TEST(LibraryVectors, AsStrided) {
  check_all_as_strided_rows<LibraryPath>();
}

TEST(LibraryVectors, PublicReports) {
  check_all_public_reports<LibraryPath>();
}

}  // namespace
}  // namespace strided_test
