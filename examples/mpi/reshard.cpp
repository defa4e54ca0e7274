// A matrix in a .npy file, of which every rank of MPI reads a block of rows, becomes blocks of
// columns, one for each rank, which write them side by side: the file of the transposed matrix.
// Every rank sends a piece to every other one; receiving turns it.
//
//   mpirun -n 4 mpi_reshard [x.npy y.npy]     without files it makes some, and checks the result
//
//   999 x 1203 elements of 4 bytes: 16 pieces between 4 ranks, transposed
#include <mpi.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <random>
#include <stdexcept>
#include <strided/interop/mpi.hpp>
#include <strided/interop/npy.hpp>
#include <strided/strided.hpp>
#include <string>
#include <vector>

using strided::NpyFile;
using strided::StridedView;

namespace {

// Elements move by their size: what they mean does not matter.
template <std::size_t N>
struct Bytes {
  std::array<std::byte, N> value;
};

struct Part {
  std::int64_t begin;
  std::int64_t count;
};

[[nodiscard]] Part part_of(std::int64_t total, int rank, int ranks) {
  const std::int64_t begin = total * rank / ranks;
  return {begin, total * (rank + 1) / ranks - begin};
}

// Writes our rows of the transposed matrix into the file, which is there and of its full size.
template <class T>
void write_part(const std::string& path, std::int64_t data_begin, std::int64_t first_element,
                const std::vector<T>& elements) {
  MPI_File file = MPI_FILE_NULL;
  if (MPI_File_open(MPI_COMM_WORLD, path.c_str(), MPI_MODE_WRONLY, MPI_INFO_NULL, &file) !=
      MPI_SUCCESS) {
    throw std::runtime_error(path + " cannot be opened");
  }
  // As one item of a type that counts what an int does not.
  const StridedView<const T> all(elements, {static_cast<std::int64_t>(elements.size())});
  const strided::MpiDatatype type(all);
  const auto at = static_cast<MPI_Offset>(data_begin) +
                  static_cast<MPI_Offset>(first_element) * static_cast<MPI_Offset>(sizeof(T));
  const int status = MPI_File_write_at_all(file, at, elements.data(), elements.empty() ? 0 : 1,
                                           type.get(), MPI_STATUS_IGNORE);
  MPI_File_close(&file);
  if (status != MPI_SUCCESS) throw std::runtime_error(path + " cannot be written");
}

template <class T>
void reshard(const NpyFile& source, const std::string& target, int rank, int ranks) {
  const StridedView<const T> matrix = source.view_as<T>();  // mapped: we touch our rows alone
  const std::int64_t rows = matrix.shape()[0];
  const std::int64_t columns = matrix.shape()[1];
  const Part our_rows = part_of(rows, rank, ranks);
  const Part our_columns = part_of(columns, rank, ranks);
  const StridedView<const T> block = matrix.narrow(0, our_rows.begin, our_rows.count);

  // Our columns as rows of the transposed matrix; seen by rows and columns of the matrix.
  std::vector<T> turned(static_cast<std::size_t>(our_columns.count * rows));
  const StridedView<T> received = StridedView<T>(turned, {our_columns.count, rows}).permute({1, 0});
  std::vector<strided::MpiRequest> requests;
  for (int i = 0; i < ranks; ++i) {  // each begins with itself, or all would send to the first one
    const int from = (rank + ranks - i) % ranks;
    const Part part = part_of(rows, from, ranks);
    requests.push_back(
        strided::mpi_irecv(received.narrow(0, part.begin, part.count), from, 0, MPI_COMM_WORLD));
  }
  for (int i = 0; i < ranks; ++i) {
    const int to = (rank + i) % ranks;
    const Part part = part_of(columns, to, ranks);
    requests.push_back(
        strided::mpi_isend(block.narrow(1, part.begin, part.count), to, 0, MPI_COMM_WORLD));
  }
  strided::wait_all(requests);

  if (rank == 0) {
    strided::NpyWriter(target, source.dtype(), {columns, rows}).commit();
  }
  MPI_Barrier(MPI_COMM_WORLD);
  const std::int64_t data_begin = NpyFile::open(target).header().data_begin;
  write_part(target, data_begin, our_columns.begin * rows, turned);
}

void run(const std::string& source_path, const std::string& target_path, bool check) {
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const NpyFile source = NpyFile::open(source_path);
  if (source.shape().size() != 2) throw std::runtime_error(source_path + " holds no matrix");
  switch (source.dtype().item_bytes) {
    case 1:
      reshard<Bytes<1>>(source, target_path, rank, ranks);
      break;
    case 2:
      reshard<Bytes<2>>(source, target_path, rank, ranks);
      break;
    case 4:
      reshard<Bytes<4>>(source, target_path, rank, ranks);
      break;
    case 8:
      reshard<Bytes<8>>(source, target_path, rank, ranks);
      break;
    case 16:
      reshard<Bytes<16>>(source, target_path, rank, ranks);
      break;
    default:
      throw std::runtime_error(source_path + " holds elements of an odd size");
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank != 0) return;
  if (check && !strided::bitwise_equal(source.view<float>(),
                                       NpyFile::open(target_path).view<float>().permute({1, 0}))) {
    throw std::runtime_error("the result is not the transposed matrix");
  }
  std::printf("%lld x %lld elements of %lld bytes: %d pieces between %d ranks, transposed\n",
              static_cast<long long>(source.shape()[0]), static_cast<long long>(source.shape()[1]),
              static_cast<long long>(source.dtype().item_bytes), ranks * ranks, ranks);
}

// Without files: a folder for two of our own, whose name all ranks must know.
void run_on_own_files() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  unsigned number = std::random_device()();
  MPI_Bcast(&number, 1, MPI_UNSIGNED, 0, MPI_COMM_WORLD);
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("mpi_reshard_" + std::to_string(number));
  if (rank == 0) {
    std::filesystem::create_directory(folder);
    std::vector<float> storage(999 * 1203);
    for (std::size_t i = 0; i < storage.size(); ++i) storage[i] = static_cast<float>(i);
    strided::write_npy(folder / "x.npy", StridedView<const float>(storage, {999, 1203}));
  }
  MPI_Barrier(MPI_COMM_WORLD);
  run((folder / "x.npy").string(), (folder / "y.npy").string(), true);
  if (rank == 0) std::filesystem::remove_all(folder);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  CLI::App app("A matrix in row blocks becomes one in column blocks, transposed");
  std::string source;
  std::string target;
  app.add_option("source", source, "the .npy file to read")->check(CLI::ExistingFile);
  app.add_option("target", target, "the .npy file to write");
  int status = 0;
  try {
    app.parse(argc, argv);
    if (source.empty() != target.empty()) throw CLI::RequiredError("target");
    source.empty() ? run_on_own_files() : run(source, target, false);
  } catch (const CLI::ParseError& error) {
    status = app.exit(error);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "mpi_reshard: %s\n", error.what());
    MPI_Abort(MPI_COMM_WORLD, 2);  // the others wait for us
  }
  MPI_Finalize();
  return status;
}
