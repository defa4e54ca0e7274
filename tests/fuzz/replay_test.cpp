// The fuzz bodies as unit tests: over the corpus that the fuzzers found, and over changes of it.
// Any compiler can run them, and nothing is random but the seed that is printed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "fuzz/as_strided.hpp"
#include "fuzz/check.hpp"
#include "fuzz/copy.hpp"
#include "fuzz/layout.hpp"
#include "fuzz/npy_header.hpp"
#include "fuzz/overlap.hpp"
#include "fuzz/strided_slice.hpp"
#include "support/random.hpp"

namespace strided_test {
namespace {

using Input = std::vector<std::uint8_t>;

struct Body {
  const char* name;
  void (*run)(std::span<const std::uint8_t>);
  std::uint64_t cases;  // changed inputs that a second is enough for
};

constexpr Body kBodies[] = {
    {"as_strided", &fuzz_as_strided, 20000}, {"copy", &fuzz_copy, 10000},
    {"layout", &fuzz_layout, 20000},         {"npy_header", &fuzz_npy_header, 20000},
    {"overlap", &fuzz_overlap, 10000},       {"strided_slice", &fuzz_strided_slice, 20000},
};

std::ostream& operator<<(std::ostream& out, const Body& body) {
  return out << body.name;
}

void add_failure(const char* file, int line, const std::string& what) {
  ADD_FAILURE_AT(file, line) << what;
}

std::vector<std::filesystem::path> corpus_of(const Body& body) {
  std::vector<std::filesystem::path> files;
  const auto directory = std::filesystem::path(STRIDED_TEST_FUZZ_CORPUS_DIR) / body.name;
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());  // in the same order everywhere
  return files;
}

Input read_input(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return Input(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
}

std::string hex_of(const Input& input) {
  std::string text;
  for (const std::uint8_t byte : input) {
    constexpr const char* kDigits = "0123456789abcdef";
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

// One of the inputs, its head perhaps joined to the tail of another, with a few bytes changed,
// added or taken away.
Input changed_input(Random& random, const std::vector<Input>& inputs) {
  const auto pick = [&]() -> const Input& {
    return inputs[static_cast<std::size_t>(
        random.between(0, static_cast<std::int64_t>(inputs.size()) - 1))];
  };
  const auto place = [&](const Input& in) {
    return static_cast<std::ptrdiff_t>(random.between(0, static_cast<std::int64_t>(in.size())));
  };
  Input input = pick();
  if (random.chance(30)) {
    const Input& other = pick();
    input.erase(input.begin() + place(input), input.end());
    input.insert(input.end(), other.begin() + place(other), other.end());
  }
  for (std::int64_t changes = random.between(1, 6); changes > 0; --changes) {
    const std::ptrdiff_t at = place(input);
    const auto byte = static_cast<std::uint8_t>(random.bits());
    if (random.chance(20)) {
      input.insert(input.begin() + at, byte);
    } else if (at == static_cast<std::ptrdiff_t>(input.size())) {
      continue;
    } else if (random.chance(20)) {
      input.erase(input.begin() + at);
    } else if (random.chance(50)) {
      input[static_cast<std::size_t>(at)] ^= static_cast<std::uint8_t>(1U << (byte & 7U));
    } else {
      input[static_cast<std::size_t>(at)] = byte;
    }
  }
  return input;
}

class FuzzReplay : public testing::TestWithParam<Body> {
 protected:
  void SetUp() override { fuzz_reporter = &add_failure; }
  void TearDown() override { fuzz_reporter = &print_and_abort; }
};

TEST_P(FuzzReplay, Corpus) {
  const std::vector<std::filesystem::path> files = corpus_of(GetParam());
  EXPECT_GE(files.size(), 10U) << "where is the corpus of " << GetParam().name;
  for (const std::filesystem::path& file : files) {
    SCOPED_TRACE(file.string());
    GetParam().run(read_input(file));
  }
  std::printf("%s: %zu inputs of the corpus\n", GetParam().name, files.size());
}

TEST_P(FuzzReplay, ChangedCorpus) {
  std::vector<Input> inputs;
  for (const std::filesystem::path& file : corpus_of(GetParam())) {
    inputs.push_back(read_input(file));
  }
  ASSERT_FALSE(inputs.empty());
  run_cases(GetParam().cases, [&](Random& random) {
    const Input input = changed_input(random, inputs);
    SCOPED_TRACE("input " + hex_of(input));
    GetParam().run(input);
  });
}

INSTANTIATE_TEST_SUITE_P(Bodies, FuzzReplay, testing::ValuesIn(kBodies),
                         [](const auto& body) { return std::string(body.param.name); });

}  // namespace
}  // namespace strided_test
