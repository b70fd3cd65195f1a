#include "cli/help/suggestion.hpp"

#include <gtest/gtest.h>

namespace jackdaw::cli {
namespace {

const std::vector<std::string> commands{"doctor", "list", "bench", "record", "top", "simulate"};

TEST(suggestion, what_is_nearly_a_word) {
  EXPECT_EQ(suggestion("bunch", commands), "; did you mean bench?");
  EXPECT_EQ(suggestion("lsit", commands), "; did you mean list?");
  EXPECT_EQ(suggestion("simulte", commands), "; did you mean simulate?");
  EXPECT_EQ(suggestion("recordd", commands), "; did you mean record?");
  EXPECT_EQ(suggestion("tpo", commands), "; did you mean top?");
}

TEST(suggestion, nothing_for_other_words) {
  for (const std::string& word :
       {std::string(), std::string("x"), std::string("help"), std::string("analyze"), std::string(1 << 20, 'a')}) {
    EXPECT_EQ(suggestion(word, commands), "") << word.substr(0, 20);
  }
  EXPECT_EQ(suggestion("bench", {}), "");
}

}  // namespace
}  // namespace jackdaw::cli
