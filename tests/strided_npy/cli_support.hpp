// Runs strided_npy in a directory of its own, with a few arrays in it.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "interop/npy_support.hpp"
#include "strided/interop/npy.hpp"
#include "support/run_program.hpp"

namespace cli_support {

using npy_support::kNative;
using run_program::Outcome;
using strided::Dims;
using strided::NpyFile;
using strided::StridedView;

class StridedNpy : public npy_support::NpyFiles {
 protected:
  StridedNpy() {
    std::vector<std::int64_t> nine{1, 2, 3, 4, 5, 6, 7, 8, 9};
    strided::write_npy(path("x.npy"), StridedView<const std::int64_t>(nine, {3, 3}));
    strided::write_npy(path("v.npy"), StridedView<const std::int64_t>(nine, {1, 3}));
    const std::vector<float> floats{1.0F, 2.0F, 3.0F};
    strided::write_npy(path("floats.npy"), StridedView<const float>(floats, {1, 3}));
  }

  // Runs the program in the directory of the files; the arguments go through a shell.
  [[nodiscard]] Outcome run(const std::string& arguments) const {
    return run_program::run(path(""), STRIDED_NPY_PROGRAM, arguments);
  }

  // Wrong use: exit code 2, one line that begins with the program's name, and no output.
  void expect_refused(const std::string& arguments, const std::string& says) const {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.exit_code, 2) << arguments << '\n' << outcome.out << outcome.err;
    EXPECT_EQ(outcome.err.rfind("strided_npy: ", 0), 0U) << arguments << '\n' << outcome.err;
    EXPECT_EQ(outcome.err.find('\n'), outcome.err.size() - 1) << arguments << '\n' << outcome.err;
    EXPECT_NE(outcome.err.find(says), std::string::npos)
        << arguments << "\nshould say: " << says << "\nsays: " << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(path("y.npy"))) << arguments;
    for (const std::string& name : names()) {
      EXPECT_EQ(name.find("tmp"), std::string::npos) << arguments << " leaves " << name;
    }
  }

  // Exit code 0 and nothing on stderr; what is on stdout.
  [[nodiscard]] std::string output_of(const std::string& arguments) const {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.exit_code, 0) << arguments << '\n' << outcome.err;
    EXPECT_EQ(outcome.err, "") << arguments;
    return outcome.out;
  }

  [[nodiscard]] std::vector<std::int64_t> result(const Dims& shape) const {
    const NpyFile file = NpyFile::open(path("y.npy"));
    EXPECT_EQ(file.shape(), shape);
    const StridedView<const std::int64_t> view = file.view<std::int64_t>();
    return {view.begin(), view.end()};
  }
};

}  // namespace cli_support
