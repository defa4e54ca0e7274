// .npy files made by hand, byte by byte, for the tests of the reader and the writer.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "strided/interop/npy.hpp"
#include "support/temporary_path.hpp"

namespace npy_support {

inline const std::string kNative = std::endian::native == std::endian::little ? "<" : ">";
inline const std::string kForeign = std::endian::native == std::endian::little ? ">" : "<";

#if __has_include(<sys/mman.h>)
inline constexpr bool kCanMap = true;
#else
inline constexpr bool kCanMap = false;
#endif

// The text of a whole file: magic, version, length of the header, header, array.
inline std::string file_of(int version, const std::string& header, const std::string& data) {
  std::string text = "\x93NUMPY";
  text += static_cast<char>(version);
  text += '\0';
  for (int i = 0; i < (version == 1 ? 2 : 4); ++i) {
    text += static_cast<char>(header.size() >> (8 * i) & 0xff);
  }
  return text + header + data;
}

// The same with the usual three keys, padded so that the array starts at a multiple of `alignment`.
inline std::string file_of(int version, const std::string& descr, bool fortran,
                           const std::string& shape, const std::string& data,
                           std::size_t alignment = 64) {
  std::string header = "{'descr': " + descr + ", 'fortran_order': " + (fortran ? "True" : "False") +
                       ", 'shape': " + shape + ", }";
  const std::size_t before = version == 1 ? 10 : 12;
  while ((before + header.size() + 1) % alignment != 0) header += ' ';
  return file_of(version, header + "\n", data);
}

// A type string as the header has it.
inline std::string quoted(const std::string& descr) {
  std::string text = "'";
  return text.append(descr).append("'");
}

template <class T>
std::string bytes_of(const std::vector<T>& values) {
  std::string text(values.size() * sizeof(T), '\0');
  if (!values.empty()) std::memcpy(text.data(), values.data(), text.size());
  return text;
}

inline std::vector<std::byte> to_bytes(std::string_view text) {
  std::vector<std::byte> bytes(text.size());  // exactly as long: a read past it is seen
  if (!text.empty()) std::memcpy(bytes.data(), text.data(), text.size());
  return bytes;
}

inline strided::NpyHeader parse(std::string_view text) {
  const std::vector<std::byte> bytes = to_bytes(text);
  return strided::NpyHeader::parse(bytes, "a.npy");
}

// Runs `call`, which must throw an Error of this code with `part` in its message.
template <class Call>
void expect_error(strided::ErrorCode code, std::string_view part, const Call& call) {
  try {
    call();
  } catch (const strided::Error& error) {
    EXPECT_EQ(static_cast<int>(error.code()), static_cast<int>(code)) << error.what();
    EXPECT_NE(std::string_view(error.what()).find(part), std::string_view::npos)
        << '"' << error.what() << "\" does not say \"" << part << '"';
    return;
  }
  ADD_FAILURE() << "no error, where one should say \"" << part << '"';
}

// An empty directory of its own for each test, removed behind it.
class NpyFiles : public testing::Test {
 protected:
  NpyFiles() {
    const testing::TestInfo& test = *testing::UnitTest::GetInstance()->current_test_info();
    std::string name = std::string(test.test_suite_name()) + "_" + test.name();
    std::replace(name.begin(), name.end(), '/', '_');  // of a typed test
    directory_ = strided_test::temporary_path(name);
    std::filesystem::remove_all(directory_);
    std::filesystem::create_directories(directory_);
  }
  ~NpyFiles() override {
    std::error_code ignored;
    std::filesystem::remove_all(directory_, ignored);
  }

  [[nodiscard]] std::filesystem::path path(const std::string& name) const {
    return directory_ / name;
  }
  std::filesystem::path write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
    return path(name);
  }
  [[nodiscard]] std::string read(const std::string& name) const {
    std::ifstream file(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(directory_)) {
      names.push_back(entry.path().filename().string());
    }
    return names;
  }

 private:
  std::filesystem::path directory_;
};

}  // namespace npy_support
