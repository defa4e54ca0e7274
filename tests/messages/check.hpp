// Compares the rows of a table with what their calls say.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "messages/row.hpp"
#include "support/facts.hpp"

namespace strided_test::messages {

inline constexpr std::size_t kLongestSentence = 210;

inline void expect_sentences(const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    const Thrown thrown = thrown_by(row.call);
    const std::string ours = as_far_as_told(row, thrown.what);  // what follows is a neighbour's
    EXPECT_EQ(ours, row.sentence);
    EXPECT_EQ(static_cast<int>(thrown.code), static_cast<int>(row.code)) << row.sentence;
    EXPECT_LE(ours.size(), kLongestSentence) << thrown.what;
  }
}

}  // namespace strided_test::messages
