// Where a test may put files: tests run beside each other, also those of several builds.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <random>
#include <string>

namespace strided_test {

// In the directory for temporary files, of a name that no other process has.
inline std::filesystem::path temporary_path(const std::string& name) {
  static const std::string mark = std::to_string(std::random_device{}());
  return std::filesystem::path(testing::TempDir()) / ("strided_" + name + "_" + mark);
}

}  // namespace strided_test
