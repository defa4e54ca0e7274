// Messages past 2^31 bytes: some GB of memory, and a minute.
#include <gtest/gtest.h>
#include <mpi.h>

#include <cstdint>
#include <cstdio>
#include <vector>

#include "mpi/ranks.hpp"
#include "strided/interop/mpi.hpp"
#include "strided/strided.hpp"

namespace strided_test {
namespace {

using strided::MpiWay;
using strided::StridedView;

// More elements than an int counts, in place, packed and by datatype.
TEST(Large, MessagesPastInt) {
  constexpr std::int64_t kMany = (std::int64_t{1} << 31) + 5;
  const auto value = [](std::int64_t i) { return static_cast<unsigned char>(i * 37 >> 5); };
  const int rank = rank_of(MPI_COMM_WORLD);
  if (rank > 1) return;
  std::vector<unsigned char> storage(static_cast<std::size_t>(kMany));
  const StridedView<unsigned char> all(storage, {kMany});
  if (rank == 0) {
    for (std::int64_t i = 0; i < kMany; ++i) all(i) = value(i);
    strided::mpi_send(all, 1, 0, MPI_COMM_WORLD);
    strided::mpi_send(all.flip(0), 1, 1, MPI_COMM_WORLD, {.way = MpiWay::datatype});
    std::printf("2 messages of %lld bytes\n", static_cast<long long>(kMany));
    return;
  }
  const auto differences = [&](const auto& expected) {
    std::int64_t count = 0;
    for (std::int64_t i = 0; i < kMany; ++i) count += all(i) != expected(i) ? 1 : 0;
    return count;
  };
  strided::mpi_recv(all.flip(0), 0, 0, MPI_COMM_WORLD, {.way = MpiWay::packed});
  EXPECT_EQ(differences([&](std::int64_t i) { return value(kMany - 1 - i); }), 0);
  strided::mpi_recv(all.flip(0), 0, 1, MPI_COMM_WORLD, {.way = MpiWay::datatype});
  EXPECT_EQ(differences(value), 0);
}

}  // namespace
}  // namespace strided_test
