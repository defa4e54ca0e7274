// .npy files on memory that ends: a file is written whole or stays as it was, nothing is left
// behind, neither in memory nor on the disk nor among the open files.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "faults/out_of_memory.hpp"
#include "interop/npy_support.hpp"
#include "strided/interop/npy.hpp"
#include "support/temporary_path.hpp"

namespace strided_test {
namespace {

namespace fs = std::filesystem;

using npy_support::file_of;
using npy_support::kNative;
using npy_support::to_bytes;
using strided::NpyFile;
using strided::NpyMemory;
using strided::NpyWriter;

// A directory with one file of twelve bytes in it, well or badly aligned.
struct Folder {
  fs::path directory = temporary_path("faults_npy");

  Folder() {
    fs::remove_all(directory);
    fs::create_directories(directory);
    write("a.npy", file_of(1, "'|u1'", false, "(3, 4)", "twelve bytes"));
    write("odd.npy", file_of(1, "'|u1'", false, "(3, 4)", "twelve bytes", 1));
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(directory, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  [[nodiscard]] fs::path path(const char* name) const { return directory / name; }
  void write(const char* name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
  }
  // Names and contents of all files, and how many files the process has open.
  [[nodiscard]] std::pair<std::vector<std::pair<std::string, std::string>>, std::ptrdiff_t> state()
      const {
    std::vector<std::pair<std::string, std::string>> files;
    for (const auto& entry : fs::directory_iterator(directory)) {
      std::ifstream file(entry.path(), std::ios::binary);
      files.emplace_back(
          entry.path().filename().string(),
          std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()));
    }
    std::sort(files.begin(), files.end());
    std::ptrdiff_t open = 0;
#if !defined(_WIN32)          // Wine shows the files of its own
    std::error_code ignored;  // a system may have no list of them
    for (fs::directory_iterator at("/proc/self/fd", ignored), end; at != end; ++at) ++open;
#endif
    return {files, open};
  }
};

struct LinkedFolder : Folder {
  std::error_code no_links;
  LinkedFolder() { fs::create_symlink("a.npy", path("link.npy"), no_links); }
};

struct NoFolder {
  [[nodiscard]] int state() const { return 0; }
};

TEST(OutOfMemoryNpy, Headers) {
  OutOfMemory tried;
  const auto parses = [&](const std::string& what, const std::string& file) {
    const std::vector<std::byte> bytes = to_bytes(file);
    tried.check<NoFolder>(what, [&](NoFolder&) {
      const strided::NpyHeader header = strided::NpyHeader::parse(bytes, "a file");
      (void)strided::make_npy_header(header.dtype, header.shape, header.fortran_order);
    });
  };
  const std::string data(4096, 'x');
  parses("numbers", file_of(1, "'" + kNative + "f8'", true, "(3, 4)", data));
  parses("times", file_of(2, "'" + kNative + "M8[25s]'", false, "(7,)", data));
  parses("fields",
         file_of(1, "[('the name of a field', '" + kNative + "f4'), (('title', 'b'), '|u1', (2,))]",
                 false, "(3, 4)", data));
  parses("a name in Latin-1", file_of(1, "[('\xe9', '|u1')]", false, "(3,)", data));
  parses("a name in UTF-8", file_of(3, "[('\xc3\xa9', '|u1')]", false, "(3,)", data));
  parses("no file", "no file");
  parses("an unknown key", file_of(1, "{'a key that nobody knows of, and a long one': 1}", data));
  parses("Python objects", file_of(1, "'|O'", false, "(3,)", data));
  parses("too large", file_of(1, "'|u1'", false, "(3, 4000)", data));
  std::string sizes;
  for (int i = 0; i < 33; ++i) sizes += "1, ";
  parses("33 dimensions", file_of(1, "'|u1'", false, "(" + sizes + ")", data));
  tried.check<NoFolder>("NpyDtype::parse", [](NoFolder&) {
    (void)strided::NpyDtype::parse("[('the name of a field', '|u1'), ('b', '|S40', (2, 2))]");
  });
  tried.check<NoFolder>("npy_printable", [](NoFolder&) {
    (void)strided::npy_printable("a text that is longer than a small string \x01 \xff");
  });
  EXPECT_GE(tried.failures, 100);
  tried.print();
}

TEST(OutOfMemoryNpy, Reading) {
  OutOfMemory tried;
  for (const NpyMemory memory : {NpyMemory::mapped, NpyMemory::owned}) {
    const std::string how = memory == NpyMemory::mapped ? ", mapped" : ", owned";
    for (const char* name : {"a.npy", "odd.npy", "none.npy", ""}) {
      tried.check<Folder>("open " + std::string(name) + how, [&](Folder& folder) {
        const NpyFile file = NpyFile::open(folder.path(name), memory);
        (void)file.view<std::uint8_t>();
      });
    }
    tried.check<Folder>("a view of another type" + how, [&](Folder& folder) {
      (void)NpyFile::open(folder.path("a.npy"), memory).view<float>();
    });
  }
  EXPECT_GE(tried.failures, 60);
  tried.print();
}

TEST(OutOfMemoryNpy, Writing) {
  OutOfMemory tried;
  const strided::NpyDtype dtype = strided::npy_dtype_of<std::uint16_t>();
  for (const NpyMemory memory : {NpyMemory::mapped, NpyMemory::owned}) {
    const std::string how = memory == NpyMemory::mapped ? ", mapped" : ", owned";
    for (const char* name : {"a.npy", "new.npy"}) {
      for (const bool flush : {false, true}) {
        // Waiting for the disk each time takes long; here it comes after the most that may fail.
        if (flush && (memory == NpyMemory::mapped || name[0] == 'a')) continue;
        tried.check<Folder>("write " + std::string(name) + how, [&](Folder& folder) {
          NpyWriter writer(folder.path(name), dtype, {5, 5}, false, memory);
          strided::StridedView<std::uint16_t> view = writer.view<std::uint16_t>();
          for (std::uint16_t& element : view) element = 7;
          writer.commit(flush);
        });
      }
    }
    tried.check<Folder>("no commit" + how, [&](Folder& folder) {
      const NpyWriter writer(folder.path("a.npy"), dtype, {5, 5}, false, memory);
    });
    tried.check<Folder>("into no folder" + how, [&](Folder& folder) {
      const NpyWriter writer(folder.path("none") / "a.npy", dtype, {5, 5}, false, memory);
    });
    tried.check<Folder>("over a folder" + how, [&](Folder& folder) {
      const NpyWriter writer(folder.directory, dtype, {5, 5}, false, memory);
    });
    if (LinkedFolder().no_links) continue;  // Windows gives them to few
    tried.check<LinkedFolder>("over a link" + how, [&](LinkedFolder& folder) {
      NpyWriter writer(folder.path("link.npy"), dtype, {5, 5}, false, memory);
      writer.commit();
    });
  }
  const std::vector<std::byte> bytes(50);
  tried.check<Folder>("write_npy", [&](Folder& folder) {
    strided::write_npy(folder.path("a.npy"), dtype, {5, 5}, bytes);
  });
  tried.check<Folder>("write_npy of too few bytes", [&](Folder& folder) {
    strided::write_npy(folder.path("a.npy"), dtype, {5, 6}, bytes);
  });
  tried.check<Folder>("write_npy of a view", [&](Folder& folder) {
    std::uint16_t numbers[12] = {};
    strided::write_npy(folder.path("a.npy"),
                       strided::StridedView<std::uint16_t>(numbers, {3, 4}).transpose(0, 1));
  });
  EXPECT_GE(tried.failures, 150);
  tried.print();
}

}  // namespace
}  // namespace strided_test
