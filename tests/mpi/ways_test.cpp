// Which way views go, and the memory of packed ones.
#include <gtest/gtest.h>
#include <mpi.h>

#include <cstdint>
#include <memory>

#include "strided/interop/mpi.hpp"
#include "strided/strided.hpp"

namespace strided_test {
namespace {

using strided::ErrorCode;
using strided::Layout;
using strided::MpiBuffers;
using strided::MpiWay;

TEST(MpiWays, AreChosenByRunsAndSize) {
  using strided::choose_mpi_way;
  EXPECT_EQ(choose_mpi_way(Layout({100, 100}), 8), MpiWay::in_place);
  EXPECT_EQ(choose_mpi_way(Layout({100, 0}, {7, 7}), 8), MpiWay::in_place);
  EXPECT_EQ(choose_mpi_way(Layout({100000}, {2}), 8), MpiWay::packed);
  EXPECT_EQ(choose_mpi_way(Layout({100000}, {-1}), 8), MpiWay::packed);
  EXPECT_EQ(choose_mpi_way(Layout({1000, 8}, {9, 1}), 8), MpiWay::datatype);
  EXPECT_EQ(choose_mpi_way(Layout({1000, 7}, {9, 1}), 8), MpiWay::packed);
  EXPECT_EQ(choose_mpi_way(Layout({1000, 2, 4}, {9, 4, 1}), 8), MpiWay::datatype);
  EXPECT_EQ(choose_mpi_way(Layout({64, 8}, {9, 1}), 8), MpiWay::datatype);
  EXPECT_EQ(choose_mpi_way(Layout({63, 8}, {9, 1}), 8), MpiWay::packed);
  EXPECT_EQ(choose_mpi_way(Layout({1000}, {2}), 64), MpiWay::datatype);
}

TEST(MpiBuffers, AreUsedAgain) {
  MpiBuffers buffers;
  auto first = std::make_unique<strided::detail::MpiPacked>();
  EXPECT_FALSE(first->allocate<double>(100, &buffers));
  const double* const place = first->elements<double>(100).data();
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(place) % 64, 0U);
  EXPECT_EQ(buffers.kept_bytes(), 0U);
  first.reset();
  EXPECT_EQ(buffers.kept_bytes(), 800U);
  {
    strided::detail::MpiPacked smaller;
    EXPECT_FALSE(smaller.allocate<double>(50, &buffers));
    EXPECT_EQ(smaller.elements<double>(50).data(), place);
  }
  {
    strided::detail::MpiPacked larger;
    EXPECT_FALSE(larger.allocate<double>(101, &buffers));
    EXPECT_EQ(buffers.kept_bytes(), 0U);  // the one that was too small is gone
  }
  EXPECT_EQ(buffers.kept_bytes(), 808U);
  buffers.clear();
  EXPECT_EQ(buffers.kept_bytes(), 0U);
  strided::detail::MpiPacked endless;
  EXPECT_EQ(endless.allocate<double>(std::int64_t{1} << 61, nullptr).code,
            ErrorCode::out_of_memory);
}

}  // namespace
}  // namespace strided_test
