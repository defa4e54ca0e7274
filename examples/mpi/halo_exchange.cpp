// A 3-D grid cut into blocks, one for each rank of MPI. Before each step every block gets the cells
// around it from its 26 neighbours (6 faces, 12 edges, 8 corners): each is a slice of the array,
// sent and received as a view. The result is that of one process, bit for bit.
//
//   mpirun -n 4 mpi_halo_exchange       (Open MPI wants --oversubscribe where processors are fewer)
//
//   24 x 20 x 16 cells as 2 x 2 x 1 blocks, 5 steps: the bits of one process
#include <mpi.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <strided/interop/mpi.hpp>
#include <strided/strided.hpp>
#include <utility>
#include <vector>

using strided::Dims;
using strided::StridedView;

namespace {

constexpr int kSteps = 5;
constexpr std::array<std::int64_t, 3> kGrid{24, 20, 16};
using Direction = std::array<int, 3>;  // -1, 0 or 1 along each axis

// The cells of a block and one more on each side.
class Block {
 public:
  explicit Block(const Dims& cells)
      : cells_(cells),
        storage_(static_cast<std::size_t>((cells[0] + 2) * (cells[1] + 2) * (cells[2] + 2))),
        all_(storage_, {cells[0] + 2, cells[1] + 2, cells[2] + 2}) {}

  [[nodiscard]] const StridedView<double>& all() const { return all_; }
  [[nodiscard]] StridedView<double> inside() const { return side({0, 0, 0}, 0); }
  // Our outermost cells towards a neighbour, and the cells beyond them, which are the neighbour's.
  [[nodiscard]] StridedView<double> border(const Direction& to) const { return side(to, 0); }
  [[nodiscard]] StridedView<double> halo(const Direction& to) const { return side(to, 1); }

 private:
  [[nodiscard]] StridedView<double> side(const Direction& to, int beyond) const {
    StridedView<double> part = all_;
    for (int axis = 0; axis < 3; ++axis) {
      const int step = to[static_cast<std::size_t>(axis)];
      if (step == 0) part = part.narrow(axis, 1, cells_[axis]);
      if (step < 0) part = part.narrow(axis, 1 - beyond, 1);
      if (step > 0) part = part.narrow(axis, cells_[axis] + beyond, 1);
    }
    return part;
  }

  Dims cells_;
  std::vector<double> storage_;
  StridedView<double> all_;
};

// Calls with each of the 26 directions and its number; that of the opposite one is 26 less it.
template <class Body>
void for_each_direction(const Body& body) {
  for (int i = 0; i < 27; ++i) {
    if (i != 13) body(Direction{i / 9 - 1, i / 3 % 3 - 1, i % 3 - 1}, i);
  }
}

void exchange(MPI_Comm grid, const Block& block, strided::MpiBuffers& buffers) {
  int rank = 0;
  std::array<int, 3> here{};
  MPI_Comm_rank(grid, &rank);
  MPI_Cart_coords(grid, rank, 3, here.data());
  std::vector<strided::MpiRequest> requests;
  for_each_direction([&](const Direction& to, int number) {
    std::array<int, 3> there{here[0] + to[0], here[1] + to[1], here[2] + to[2]};
    int neighbour = 0;
    MPI_Cart_rank(grid, there.data(), &neighbour);  // the grid goes round
    // The number tells which way a message goes: a neighbour may be one on both sides.
    requests.push_back(
        strided::mpi_irecv(block.halo(to), neighbour, 26 - number, grid, {.buffers = &buffers}));
    requests.push_back(
        strided::mpi_isend(block.border(to), neighbour, number, grid, {.buffers = &buffers}));
  });
  strided::wait_all(requests);
}

// The same within one block that is the whole grid.
void go_round(const Block& block) {
  for_each_direction([&](const Direction& to, int) {
    strided::copy(block.border({-to[0], -to[1], -to[2]}), block.halo(to));
  });
}

// Every cell becomes a mixture of itself and the 26 around it, always added in the same order.
void step(Block& block) {
  const StridedView<double> old = block.all();
  const StridedView<double> inside = block.inside();
  std::vector<double> mixed(static_cast<std::size_t>(inside.size()));
  const StridedView<double> result(mixed, inside.shape());
  for (std::int64_t x = 0; x < inside.shape()[0]; ++x) {
    for (std::int64_t y = 0; y < inside.shape()[1]; ++y) {
      for (std::int64_t z = 0; z < inside.shape()[2]; ++z) {
        double sum = old(x + 1, y + 1, z + 1);
        for (std::int64_t i = 0; i < 27; ++i) {
          sum += 0.037 * static_cast<double>(i + 1) * old(x + i / 9, y + i / 3 % 3, z + i % 3);
        }
        result(x, y, z) = sum / 15;
      }
    }
  }
  strided::copy(result, inside);
}

void set_start(const StridedView<double>& cells, const Dims& first) {
  for (std::int64_t x = 0; x < cells.shape()[0]; ++x) {
    for (std::int64_t y = 0; y < cells.shape()[1]; ++y) {
      for (std::int64_t z = 0; z < cells.shape()[2]; ++z) {
        cells(x, y, z) = static_cast<double>(
            ((first[0] + x) * 7919 + (first[1] + y) * 104729 + (first[2] + z) * 1299709) % 1000);
      }
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  std::array<int, 3> blocks{};
  MPI_Dims_create(ranks, 3, blocks.data());
  const std::array<int, 3> goes_round{1, 1, 1};
  MPI_Comm grid = MPI_COMM_NULL;
  MPI_Cart_create(MPI_COMM_WORLD, 3, blocks.data(), goes_round.data(), 0, &grid);
  int rank = 0;
  MPI_Comm_rank(grid, &rank);

  // The cells of a rank: its first one, and how many.
  const auto part_of = [&](int of_rank) {
    std::array<int, 3> at{};
    MPI_Cart_coords(grid, of_rank, 3, at.data());
    std::pair<Dims, Dims> part;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::int64_t begin = kGrid[axis] * at[axis] / blocks[axis];
      part.first.push_back(begin);
      part.second.push_back(kGrid[axis] * (at[axis] + 1) / blocks[axis] - begin);
    }
    return part;
  };
  const auto [first, cells] = part_of(rank);
  Block block(cells);
  set_start(block.inside(), first);
  strided::MpiBuffers buffers;
  for (int i = 0; i < kSteps; ++i) {
    exchange(grid, block, buffers);
    step(block);
  }

  int status = 0;
  strided::MpiRequest sent = strided::mpi_isend(block.inside(), 0, 27, grid);
  if (rank == 0) {
    Block together{Dims(kGrid)};  // each part arrives in its place
    for (int from = 0; from < ranks; ++from) {
      const auto [begin, count] = part_of(from);
      StridedView<double> place = together.inside();
      for (int axis = 0; axis < 3; ++axis) place = place.narrow(axis, begin[axis], count[axis]);
      strided::mpi_recv(place, from, 27, grid);
    }
    Block alone{Dims(kGrid)};
    set_start(alone.inside(), {0, 0, 0});
    for (int i = 0; i < kSteps; ++i) {
      go_round(alone);
      step(alone);
    }
    const bool equal = strided::bitwise_equal(together.inside(), alone.inside());
    std::printf("24 x 20 x 16 cells as %d x %d x %d blocks, %d steps: %s\n", blocks[0], blocks[1],
                blocks[2], kSteps, equal ? "the bits of one process" : "DIFFERENT");
    status = equal ? 0 : 1;
  }
  sent.wait();
  MPI_Comm_free(&grid);
  MPI_Finalize();
  return status;
}
