// GoogleTest on the ranks of MPI: all run the same tests, in step. Rank 0 prints; of the others
// only what fails is seen, and what fails on any rank fails on all.
#include <gtest/gtest.h>
#include <mpi.h>

#include <cstdio>
#include <memory>
#include <string>

#include "counted_types.hpp"

namespace {

class FailuresOf : public testing::EmptyTestEventListener {
 public:
  explicit FailuresOf(int rank) : rank_(rank) {}

 private:
  void OnTestStart(const testing::TestInfo& test) override {
    test_ = std::string(test.test_suite_name()) + "." + test.name();
  }
  // Called with a lock of GoogleTest's: its current_test_info() would wait for ever.
  void OnTestPartResult(const testing::TestPartResult& result) override {
    if (!result.failed()) return;
    std::fprintf(stderr, "rank %d: %s: %s:%d: %s\n", rank_, test_.c_str(),
                 result.file_name() == nullptr ? "" : result.file_name(), result.line_number(),
                 result.message());
  }

  int rank_;
  std::string test_;
};

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  testing::InitGoogleTest(&argc, argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank != 0) {
    testing::TestEventListeners& listeners = testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
    listeners.Append(std::make_unique<FailuresOf>(rank).release());
    // What tests print is the same on all.
    if (std::freopen("/dev/null", "w", stdout) == nullptr) return 1;
  }
  int failed = RUN_ALL_TESTS();
  const strided_test::CountedTypes types = strided_test::counted_types();
  std::printf("%lld derived datatypes, %lld of them not freed\n", types.made, types.live);
  if (types.live != 0) failed = 1;
  MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  MPI_Finalize();
  return failed;
}
