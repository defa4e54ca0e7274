// MPI's derived datatypes against packing by this library, for two ranks of one machine:
//
//   mpirun -n 2 build/default/bench/bench_mpi [--seconds=0.2] [--most=64]
//
// Prints two tables: packing into a buffer (MPI_Pack with the datatype of the view, pack()), and
// half a round trip of a view to a view of the other rank (mpi_send and mpi_recv by datatype and
// packed, and as many bytes without gaps). --most: the largest message, MiB.
#include <mpi.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "buffers.hpp"
#include "strided/interop/mpi.hpp"
#include "strided/strided.hpp"
#include "timing.hpp"

namespace {

using strided::Dims;
using strided::Layout;
using strided::MpiWay;
using strided::StridedView;

// A view that people send, of about so many elements. The strides are those of the whole array.
struct Case {
  const char* name;
  std::int64_t element_bytes;
  Layout (*of)(std::int64_t elements);
};

constexpr std::int64_t kRun = 64;  // elements in the rows of faces

constexpr Case kCases[] = {
    {"column of 16 columns, 8 B", 8, [](std::int64_t n) { return Layout({n}, {16}); }},
    {"2 of 64 columns, 8 B", 8,
     [](std::int64_t n) {
       return Layout({n / 2, 2}, {64, 1});
     }},
    {"4 of 64 columns, 8 B", 8,
     [](std::int64_t n) {
       return Layout({n / 4, 4}, {64, 1});
     }},
    {"8 of 64 columns, 8 B", 8,
     [](std::int64_t n) {
       return Layout({n / 8, 8}, {64, 1});
     }},
    {"face, rows of 64 of 66, 8 B", 8,
     [](std::int64_t n) {
       return Layout({n / kRun, kRun}, {kRun + 2, 1});
     }},
    {"face, a row of 64 a plane, 8 B", 8,
     [](std::int64_t n) {
       return Layout({n / kRun, kRun}, {6 * (kRun + 2), 1});
     }},
    {"face, single elements, 8 B", 8,
     [](std::int64_t n) {
       return Layout({n / kRun, kRun}, {18 * (kRun + 2), 18});
     }},
    {"transposed matrix, 8 B", 8,
     [](std::int64_t n) {
       const std::int64_t rows = std::int64_t{1}
                                 << (std::bit_width(static_cast<std::uint64_t>(n)) / 2);
       return Layout({n / rows, rows}, {1, n / rows});
     }},
    {"channel of RGB, 4 B", 4, [](std::int64_t n) { return Layout({n}, {3}); }},
    {"channel of RGB, 1 B", 1, [](std::int64_t n) { return Layout({n}, {3}); }},
};

// One case of one size: both memories, as elements of type T.
template <class T>
struct Memory {
  Layout layout;
  bench::Buffer strided_bytes;
  bench::Buffer dense_bytes;
  StridedView<T> view;
  std::span<T> dense;

  explicit Memory(const Layout& wanted)
      : layout(wanted),
        strided_bytes(static_cast<std::size_t>(layout.bounds().highest + 1) * sizeof(T)),
        dense_bytes(static_cast<std::size_t>(layout.size()) * sizeof(T)),
        view(elements(strided_bytes, layout.bounds().highest + 1), layout),
        dense(elements(dense_bytes, layout.size())) {
    strided_bytes.fill_with_pattern();
  }

  static std::span<T> elements(bench::Buffer& buffer, std::int64_t count) {
    return {static_cast<T*>(static_cast<void*>(buffer.data())), static_cast<std::size_t>(count)};
  }
};

// The other rank sleeps meanwhile: MPI's own waiting takes a whole processor.
void wait_asleep() {
  MPI_Request request;
  MPI_Ibarrier(MPI_COMM_WORLD, &request);
  for (int done = 0; done == 0;) {
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (done == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

struct PackTimes {
  double mpi, ours;
};

template <class T>
PackTimes time_packing(Memory<T>& memory, const bench::Effort& effort) {
  const strided::MpiDatatype type(memory.view, strided::MpiUse::send);
  const auto bytes = static_cast<std::int64_t>(memory.dense.size_bytes());
  std::vector<T> expected(memory.dense.size());
  strided::pack(memory.view, expected);
  const auto mpi_pack = [&] {
    int place = 0;
    MPI_Pack(strided::mpi_address(memory.view), 1, type.get(), memory.dense.data(),
             static_cast<int>(bytes), &place, MPI_COMM_SELF);
  };
  mpi_pack();
  if (std::memcmp(expected.data(), memory.dense.data(), memory.dense.size_bytes()) != 0) {
    std::fputs("MPI_Pack and pack() differ\n", stderr);
    std::exit(1);
  }
  const std::vector<double> medians = bench::median_seconds(
      {bench::timed(mpi_pack), bench::timed([&] { strided::pack(memory.view, memory.dense); })},
      effort, memory.layout.bounds().highest * static_cast<std::int64_t>(sizeof(T)));
  return {medians[0], medians[1]};
}

template <class T>
void ping_pong(const StridedView<T>& view, int rank, const strided::MpiOptions& options,
               int count) {
  for (int i = 0; i < count; ++i) {
    if (rank == 0) strided::mpi_send(view, 1, 0, MPI_COMM_WORLD, options);
    strided::mpi_recv(view, 1 - rank, 0, MPI_COMM_WORLD, options);
    if (rank == 1) strided::mpi_send(view, 0, 0, MPI_COMM_WORLD, options);
  }
}

// Half a round trip, seconds, of each way in turn; both ranks take part, the first one measures.
template <class T>
std::vector<double> time_messages(Memory<T>& memory, int rank, const bench::Effort& effort) {
  struct Subject {
    StridedView<T> view;
    strided::MpiOptions options;
    int batch = 1;
    std::vector<double> times{};
  };
  const StridedView<T> dense(memory.dense, memory.layout.shape());
  strided::MpiBuffers buffers;
  Subject subjects[] = {{memory.view, {.way = MpiWay::datatype}},
                        {memory.view, {.way = MpiWay::packed}},
                        {memory.view, {.way = MpiWay::packed, .buffers = &buffers}},
                        {dense, {}}};
  const auto timed = [&](const Subject& subject) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    ping_pong(subject.view, rank, subject.options, subject.batch);
    return (MPI_Wtime() - start) / (2 * subject.batch);
  };
  for (Subject& subject : subjects) {
    timed(subject);
    const double once = timed(subject);
    subject.batch = std::clamp(static_cast<int>(200e-6 / once), 1, 1000);
    MPI_Bcast(&subject.batch, 1, MPI_INT, 0, MPI_COMM_WORLD);
  }
  const double start = MPI_Wtime();
  for (int goes_on = 1, round = 0; goes_on != 0; ++round) {
    for (Subject& subject : subjects) subject.times.push_back(timed(subject));
    goes_on = round < effort.least_rounds || MPI_Wtime() - start < effort.seconds ? 1 : 0;
    MPI_Bcast(&goes_on, 1, MPI_INT, 0, MPI_COMM_WORLD);
  }
  std::vector<double> medians;
  for (Subject& subject : subjects) {
    const auto middle =
        subject.times.begin() + static_cast<std::ptrdiff_t>(subject.times.size() / 2);
    std::nth_element(subject.times.begin(), middle, subject.times.end());
    medians.push_back(*middle);
  }
  return medians;
}

std::string size_name(std::int64_t bytes) {
  return bytes < (std::int64_t{1} << 20) ? std::to_string(bytes >> 10) + " KiB"
                                         : std::to_string(bytes >> 20) + " MiB";
}

template <class T>
void run(const Case& one, std::int64_t bytes, int rank, const bench::Effort& effort) {
  Memory<T> memory(one.of(bytes / one.element_bytes));
  PackTimes pack{};
  if (rank == 0) pack = time_packing(memory, effort);
  wait_asleep();
  const std::vector<double> message = time_messages(memory, rank, effort);
  if (rank != 0) return;
  const auto payload = static_cast<double>(memory.layout.size() * one.element_bytes);
  const auto rate = [&](double seconds) { return payload / seconds * 1e-9; };
  std::printf("| %s | %s | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f |\n", one.name,
              size_name(bytes).c_str(), rate(pack.mpi), rate(pack.ours), pack.mpi / pack.ours,
              rate(message[0]), rate(message[1]), rate(message[2]), rate(message[3]),
              message[0] / message[2]);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (ranks != 2) {
    if (rank == 0) std::fputs("usage: mpirun -n 2 bench_mpi [--seconds=0.2] [--most=64]\n", stderr);
    MPI_Finalize();
    return 2;
  }
  const bench::Effort effort = bench::take_effort(&argc, argv);
  std::int64_t most = 64;
  if (argc > 1 && std::string(argv[1]).rfind("--most=", 0) == 0) most = std::atoll(argv[1] + 7);

  if (rank == 0) {
    std::puts(
        "| view | size | MPI_Pack, GB/s | pack() | MPI_Pack's time / pack()'s | message by "
        "datatype, GB/s | packed | packed, buffers kept | without gaps | datatype's time / packed, "
        "kept |\n"
        "|---|---|---|---|---|---|---|---|---|---|");
  }
  for (const Case& one : kCases) {
    for (std::int64_t bytes = 1024; bytes <= most << 20; bytes *= 4) {
      if (one.element_bytes == 8) run<double>(one, bytes, rank, effort);
      if (one.element_bytes == 4) run<float>(one, bytes, rank, effort);
      if (one.element_bytes == 1) run<std::uint8_t>(one, bytes, rank, effort);
    }
  }
  MPI_Finalize();
}
