#define STRIDED_DEBUG_CHECKS 1  // broken promises are found in debug builds
#if defined(NDEBUG)
#undef STRIDED_EXTERN_KERNELS  // those of the other files are compiled without
#endif
// Every sentence of an error names the call, the list or dimension, the value and the limit, and
// what would make it right where one thing always would. The tables beside this file have them all,
// by the calls that raise them; those of MPI are checked in tests/mpi, where there is MPI, and
// those of std::mdspan in tests/mdspan, where there is <mdspan>.
#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "messages/check.hpp"
#include "messages/copies.hpp"
#include "messages/dlpack.hpp"
#include "messages/eigen.hpp"
#include "messages/mdspan.hpp"
#include "messages/npy.hpp"
#include "messages/operators.hpp"
#include "messages/pictures.hpp"
#include "messages/row.hpp"
#include "messages/views.hpp"
#include "messages/xtensor.hpp"
#include "support/temporary_path.hpp"

namespace {

using namespace strided;
using namespace strided_test::messages;

std::vector<Row> all_rows() {
  std::vector<Row> rows;
  const auto add = [&](const std::vector<Row>& more) {
    rows.insert(rows.end(), more.begin(), more.end());
  };
  add(kViewRows);
  add(kOperatorRows);
  add(kCopyRows);
  add(kPictureRows);
  add(kMappingRows);
  for (const Row& row : kNpyRows) rows.push_back(of_this_machine(row));
  add(rows_of_system_files());
#if __has_include(<dlpack/dlpack.h>)
  add(kDlpackRows);
#endif
#if __has_include(<Eigen/Core>) && __has_include(<unsupported/Eigen/CXX11/Tensor>)
  add(kEigenRows);
#endif
#if defined(STRIDED_TEST_XTENSOR)
  add(kXtensorRows);
#endif
#if defined(__cpp_lib_mdspan)
  add(kMdspanRows);
#endif
  return rows;
}

// In an empty folder, so that the sentences have the names of files alone.
class Messages : public testing::Test {
 protected:
  Messages() {
    std::filesystem::create_directories(folder_);
    std::filesystem::current_path(folder_);
  }
  ~Messages() override {
    std::filesystem::current_path(before_);
    std::filesystem::remove_all(folder_);
  }

 private:
  std::filesystem::path before_ = std::filesystem::current_path();
  std::filesystem::path folder_ = strided_test::temporary_path("messages");
};

TEST_F(Messages, NameTheCallTheDimensionTheValueTheLimitAndWhatWouldDo) {
  expect_sentences(all_rows());
}

TEST(ErrorCodes, EveryOneHasASentence) {
  std::set<ErrorCode> told{ErrorCode::mpi_error};  // tests/messages/mpi.hpp
  for (const Row& row : all_rows()) told.insert(row.code);
  for (int code = 1; code <= static_cast<int>(ErrorCode::too_large_to_draw); ++code) {
    EXPECT_TRUE(told.count(static_cast<ErrorCode>(code)) == 1) << "no row for code " << code;
  }
}

}  // namespace
