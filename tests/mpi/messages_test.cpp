// The sentences of interop/mpi.hpp, by the calls that raise them.
#include <gtest/gtest.h>

#include <string>

#include "messages/check.hpp"
#include "messages/mpi.hpp"
#include "support/facts.hpp"

namespace {

using namespace strided_test::messages;

TEST(MpiMessages, NameTheCallTheDimensionTheValueTheLimitAndWhatWouldDo) {
  expect_sentences(kMpiRows);
}

// What MPI itself says of its error stands behind the code.
TEST(MpiMessages, EndInMpisOwnWords) {
  const std::string said = strided_test::thrown_by(kMpiRows.front().call).what;
  const std::size_t code_at = kMpiRows.front().sentence.size();
  const std::size_t words_at = said.find(": ", code_at);
  ASSERT_NE(words_at, std::string::npos) << said;
  char words[MPI_MAX_ERROR_STRING] = {};
  int length = 0;
  MPI_Error_string(std::stoi(said.substr(code_at)), words, &length);
  EXPECT_EQ(said.substr(words_at + 2), words);
}

}  // namespace
