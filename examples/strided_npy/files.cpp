#include "files.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <strided/interop/npy.hpp>
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
  // Of a name that no other file has: nothing that is there is lost, whatever it is called.
  auto temporary = strided::detail::NpyTemporary::beside(path, path);
  errno = 0;
  std::ofstream file(temporary.path(), std::ios::binary);
  file << text;
  file.close();
  if (!file) fail(std::strerror(errno));
  failure = temporary.rename_to(path);
  if (failure) fail(failure.message());
}

}  // namespace strided_npy
