#include "files.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "array.hpp"

namespace strided_npy {

namespace fs = std::filesystem;

void require_other_file(const std::string& output, const std::string& input) {
  std::error_code absent;
  if (fs::equivalent(output, input, absent)) {
    throw UsageError(output + ": input and output are the same file");
  }
}

void write_text_file(const std::string& path, const std::string& text) {
  const auto fail = [&](const std::string& why) {
    throw UsageError(path + ": cannot be written: " + why);
  };
  std::error_code failure;
  if (fs::exists(path, failure) && !fs::is_regular_file(path, failure)) {
    fail("it exists and is no regular file");
  }
  const std::string temporary = path + ".tmp";
  errno = 0;
  std::ofstream file(temporary, std::ios::binary);
  file << text;
  file.close();
  if (!file) {
    const std::string why = std::strerror(errno);
    fs::remove(temporary, failure);
    fail(why);
  }
  fs::rename(temporary, path, failure);
  if (failure) {
    const std::string why = failure.message();
    fs::remove(temporary, failure);
    fail(why);
  }
}

}  // namespace strided_npy
