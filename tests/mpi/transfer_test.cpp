// Views as messages between ranks: what arrives is what copy() makes, whichever way each side
// takes, and gaps stay.
#include <gtest/gtest.h>
#include <mpi.h>

#include <complex>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "mpi/ranks.hpp"
#include "strided/interop/mpi.hpp"
#include "strided/strided.hpp"
#include "support/generate.hpp"
#include "support/random.hpp"
#include "support/thread_pool.hpp"

namespace strided_test {
namespace {

using strided::Dims;
using strided::ErrorCode;
using strided::Layout;
using strided::MpiBuffers;
using strided::MpiDatatype;
using strided::MpiOptions;
using strided::MpiRequest;
using strided::MpiWay;
using strided::StridedView;

// The ranks that share a test, and one whose errors return.
class Messages : public testing::Test {
 protected:
  Messages() {
    MPI_Comm_dup(MPI_COMM_WORLD, &comm_);
    MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
    rank_ = rank_of(comm_);
    ranks_ = size_of(comm_);
  }
  ~Messages() override { MPI_Comm_free(&comm_); }

  MPI_Comm comm_ = MPI_COMM_NULL;
  int rank_ = 0;
  int ranks_ = 0;
};

constexpr MpiWay kWays[] = {MpiWay::chosen, MpiWay::packed, MpiWay::datatype};

// All ranks make the same case; one sends, the next one receives, blocking or not.
template <class T>
void check_message(Random& random, MPI_Comm comm, MpiBuffers& buffers) {
  const Dims shape = random_shape(random, random.chance(5) ? 20000 : 2000);
  const Layout from = random_layout(random, shape);
  const Layout to = random_unique_layout(random, shape);
  const int ranks = size_of(comm);
  const auto sender = static_cast<int>(random.between(0, ranks - 1));
  const int receiver = (sender + 1) % ranks;
  const MpiWay sent = random.pick(kWays);
  const MpiWay received = random.pick(kWays);
  const bool sends_at_once = random.chance(50);
  const bool receives_at_once = random.chance(50);
  MpiBuffers* const kept = random.chance(50) ? &buffers : nullptr;
  SCOPED_TRACE(describe(from) + " to " + describe(to) + ", element bytes " +
               std::to_string(sizeof(T)) + ", ways " + std::to_string(static_cast<int>(sent)) +
               " and " + std::to_string(static_cast<int>(received)));

  Arena<T> source = Arena<T>::for_layout(random, from);
  Arena<T> target = Arena<T>::for_layout(random, to);
  Arena<T> expected = target;
  strided::copy(source.view(from), expected.view(to));
  if (rank_of(comm) == receiver) {
    MpiRequest request;
    if (receives_at_once) {
      strided::mpi_recv(target.view(to), sender, 3, comm, {.way = received, .buffers = kept});
    } else {
      request =
          strided::mpi_irecv(target.view(to), sender, 3, comm, {.way = received, .buffers = kept});
    }
    request.wait();
    EXPECT_TRUE(target == expected);
  }
  if (rank_of(comm) == sender) {
    const StridedView<const T> view = source.view(from);
    MpiRequest request;
    if (sends_at_once) {
      strided::mpi_send(view, receiver, 3, comm, {.way = sent, .buffers = kept});
    } else {
      request = strided::mpi_isend(view, receiver, 3, comm, {.way = sent, .buffers = kept});
    }
    request.wait();
  }
}

TEST_F(Messages, ArriveAsCopied) {
  using Check = void (*)(Random&, MPI_Comm, MpiBuffers&);
  const Check checks[] = {&check_message<unsigned char>,
                          &check_message<std::int16_t>,
                          &check_message<Bytes<3>>,
                          &check_message<float>,
                          &check_message<Bytes<6>>,
                          &check_message<double>,
                          &check_message<std::complex<float>>,
                          &check_message<Bytes<12>>,
                          &check_message<std::complex<double>>};
  MpiBuffers buffers;
  run_cases(8000, [&](Random& random) {
    random.pick(checks)(random, comm_, buffers);
    // A failure on one rank ends the campaign on all.
    int failed = HasFailure() ? 1 : 0;
    MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, comm_);
    if (failed != 0 && !HasFailure()) ADD_FAILURE() << "another rank failed";
  });
}

TEST_F(Messages, PlainMpiOnTheOtherSide) {
  std::vector<double> storage(60);
  for (std::size_t i = 0; i < storage.size(); ++i) storage[i] = static_cast<double>(i);
  const auto view = StridedView<double>(storage, {6, 10}).flip(0).slice(1, 1, 9, 2);
  for (const MpiWay way : kWays) {
    std::vector<double> plain(24, -1);
    if (rank_ == 0) {
      strided::mpi_send(view, 1, 0, comm_, {.way = way});
      MPI_Send(storage.data(), 24, MPI_DOUBLE, 1, 1, comm_);
    } else if (rank_ == 1) {
      MPI_Recv(plain.data(), 24, MPI_DOUBLE, 0, 0, comm_, MPI_STATUS_IGNORE);
      std::vector<double> expected(24);
      strided::pack(view, expected);
      EXPECT_EQ(plain, expected);
      std::vector<double> own(60, -1);
      const auto into = StridedView<double>(own, {6, 10}).flip(0).slice(1, 1, 9, 2);
      strided::mpi_recv(into, 0, 1, comm_, {.way = way});
      EXPECT_EQ(own[51], 0);
      EXPECT_EQ(own[53], 1);
      EXPECT_EQ(own[52], -1);
    }
  }
}

TEST_F(Messages, DatatypesInCollectives) {
  std::vector<int> storage(40, rank_);
  const auto column = StridedView<int>(storage, {8, 5}).select(1, 2);
  const MpiDatatype type(column);
  for (int i = 0; i < 8; ++i) {
    if (rank_ == 0) column(i) = 100 + i;
  }
  MPI_Bcast(strided::mpi_address(column), 1, type.get(), 0, comm_);
  for (int i = 0; i < 8; ++i) EXPECT_EQ(column(i), 100 + i);
  EXPECT_EQ(storage[1], rank_);
}

TEST_F(Messages, AllAtOnce) {
  // Every rank sends a column to every rank, itself included.
  const auto n = static_cast<std::int64_t>(ranks_);
  std::vector<int> mine(static_cast<std::size_t>(n * 100));
  std::vector<int> theirs(mine.size());
  const StridedView<int> from(mine, {100, n});
  const StridedView<int> to(theirs, {100, n});
  for (std::int64_t i = 0; i < 100; ++i) {
    for (std::int64_t k = 0; k < n; ++k) from(i, k) = static_cast<int>(i * 10000 + k * 100) + rank_;
  }
  for (const MpiWay way : kWays) {
    MpiBuffers buffers;
    {
      std::vector<MpiRequest> requests;
      for (int other = 0; other < ranks_; ++other) {
        requests.push_back(strided::mpi_irecv(to.select(1, other).flip(0), other, 0, comm_,
                                              {.way = way, .buffers = &buffers}));
      }
      for (int other = 0; other < ranks_; ++other) {
        requests.push_back(strided::mpi_isend(from.select(1, other), other, 0, comm_,
                                              {.way = way, .buffers = &buffers}));
      }
      strided::wait_all(requests);
      for (const MpiRequest& request : requests) EXPECT_FALSE(request.is_pending());
    }
    EXPECT_EQ(buffers.kept_bytes() > 0, way != MpiWay::datatype);
    for (std::int64_t i = 0; i < 100; ++i) {
      for (std::int64_t k = 0; k < n; ++k) {
        EXPECT_EQ(to(99 - i, k), i * 10000 + rank_ * 100 + k);
      }
    }
  }
}

TEST_F(Messages, RequestsMoveAndWaitInTheEnd) {
  std::vector<int> storage(10, rank_);
  const auto even = StridedView<int>(storage, {10}).slice(0, 0, 10, 2);
  const int next = (rank_ + 1) % ranks_;
  const int before = (rank_ + ranks_ - 1) % ranks_;
  MpiRequest none;
  EXPECT_FALSE(none.is_pending());
  EXPECT_TRUE(none.test());
  none.wait();
  {
    MpiRequest first = strided::mpi_irecv(even, before, 0, comm_);
    MpiRequest second(std::move(first));
    EXPECT_FALSE(first.is_pending());  // NOLINT(bugprone-use-after-move): that is the test
    EXPECT_TRUE(second.is_pending());
    // Packed: the elements are free as soon as the call returns.
    MpiRequest sent = strided::mpi_isend(even, next, 0, comm_);
    while (!second.test()) {
    }
    EXPECT_EQ(storage[4], before);
    storage.assign(10, rank_);
    MPI_Barrier(comm_);
    MpiRequest again = strided::mpi_irecv(even, before, 0, comm_);
    second = std::move(again);
    strided::mpi_send(even, next, 0, comm_);
  }  // waited for here
  EXPECT_EQ(storage[4], before);
  EXPECT_EQ(storage[5], rank_);
}

TEST_F(Messages, LargeOnesOnThreads) {
  Threads pool(3);
  std::vector<float> from(1500 * 1000);
  for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<float>(i);
  std::vector<float> to(from.size());
  const StridedView<float> turned = StridedView<float>(from, {1500, 1000}).permute({1, 0});
  if (rank_ == 0) {
    strided::mpi_send(turned, 1, 0, comm_, {.way = MpiWay::packed, .executor = pool});
  } else if (rank_ == 1) {
    const StridedView<float> back = StridedView<float>(to, {1500, 1000}).permute({1, 0});
    strided::mpi_recv(back, 0, 0, comm_, {.way = MpiWay::packed, .executor = pool});
    EXPECT_TRUE(from == to);
  }
}

TEST_F(Messages, Refusals) {
  std::vector<int> storage(12);
  const StridedView<int> view(storage, {3, 4});
  const auto repeated = view.select(0, 0).broadcast_to({3, 4});
  EXPECT_EQ(strided::try_mpi_recv(repeated, 0, 0, comm_).code, ErrorCode::internal_overlap);
  EXPECT_EQ(strided::try_mpi_irecv(repeated, 0, 0, comm_).error().code,
            ErrorCode::internal_overlap);
  // MPI's own errors, from a communicator that returns them.
  const strided::Failure nowhere = strided::try_mpi_send(view, ranks_, 0, comm_);
  EXPECT_EQ(nowhere.code, ErrorCode::mpi_error);
  int error_class = 0;
  MPI_Error_class(static_cast<int>(nowhere.value), &error_class);
  EXPECT_EQ(error_class, MPI_ERR_RANK);
  EXPECT_THROW(strided::mpi_send(view, ranks_, 0, comm_), strided::Error);
}

TEST_F(Messages, TooShortOnes) {
  for (const MpiWay way : kWays) {
    std::vector<int> storage(24, -1);
    const auto view = StridedView<int>(storage, {3, 8}).slice(1, 0, 8, 2);
    if (rank_ == 0) {
      MPI_Send(storage.data(), 5, MPI_INT, 1, 0, comm_);
    } else if (rank_ == 1) {
      MPI_Status status;
      const strided::Failure failure =
          strided::try_mpi_recv(view, 0, MPI_ANY_TAG, comm_, {.way = way}, &status);
      EXPECT_EQ(failure.message(),
                "mpi_recv: the message has 5 entries, 12 are needed, one for each element of the "
                "view");
      EXPECT_EQ(status.MPI_SOURCE, 0);
    }
  }
}

TEST_F(Messages, FromNobody) {
  std::vector<int> storage(12, 7);
  const auto view = StridedView<int>(storage, {3, 4}).permute({1, 0});
  strided::mpi_recv(view, MPI_PROC_NULL, 0, comm_);
  strided::mpi_irecv(view, MPI_PROC_NULL, 0, comm_).wait();
  strided::mpi_send(view, MPI_PROC_NULL, 0, comm_);
  EXPECT_EQ(storage, std::vector<int>(12, 7));
}

}  // namespace
}  // namespace strided_test
