// The flags that several subcommands share.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <strided/core/rules.hpp>
#include <string>

#include "transfer.hpp"

namespace strided_npy {

// A list of whole numbers as one argument: "2,3", "-1,2", "(2, 3)", "" for the empty list.
CLI::Option* add_list(CLI::App& app, const std::string& name, strided::Dims& list,
                      const std::string& description);

// --size, --stride and --offset of as_strided.
struct AsStridedFlags {
  strided::AsStridedParam param{{}, {}, {0}};
  CLI::Option* size = nullptr;

  void add_to(CLI::App& app);
};

// --begin, --end, --strides and the five masks.
struct SliceFlags {
  strided::StridedSliceSpec spec;
  CLI::Option* begin = nullptr;
  CLI::Option* strides = nullptr;
  CLI::Option* index = nullptr;

  void add_to(CLI::App& app);
  // The same as one argument, in NumPy's notation.
  void add_index_to(CLI::App& app);
  // The spec, with strides of 1 where none are given. Throws UsageError unless it is given in one
  // of the ways there are.
  [[nodiscard]] strided::StridedSliceSpec complete(const std::string& call) const;
};

// What stands between the brackets of NumPy's x[2, 1:3, ..., None, ::-1]. Throws
// CLI::ValidationError.
[[nodiscard]] strided::StridedSliceSpec parse_index(const std::string& text);

// --rules; `rules` holds the operator's own default.
void add_rules(CLI::App& app, strided::Rules& rules);

// A file to write; "-" is refused, which other programs take for the standard output.
CLI::Option* add_output(CLI::App& app, const std::string& name, std::string& path,
                        const std::string& description);

// -o, --verify, --explain, --time and --memory.
struct CopyFlags {
  std::string output;
  bool verify = false;
  bool time = false;
  TransferOptions transfer;
  // For the tests: the element of the result in which one bit is turned over before it is verified.
  std::int64_t damage = -1;

  void add_to(CLI::App& app);
};

}  // namespace strided_npy
