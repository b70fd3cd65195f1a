#include "cli/terminal/table.hpp"

#include <gtest/gtest.h>

namespace jackdaw::cli {
namespace {

table sides() {
  table made({{4, 0, true}, {7}, {5, 2}, {5, 2}});
  made.add({"side", "workers", "min", "max"});
  made.add({"jackdaw/adws", "2", "1.5", "2"});
  made.add({"serial", "1", "123.25", "3"});
  return made;
}

TEST(table, as_wide_as_its_cells) {
  const std::string whole =
      "side         workers     min    max\n"
      "jackdaw/adws       2     1.5      2\n"
      "serial             1  123.25      3\n";
  EXPECT_EQ(sides().text(0, 2, std::nullopt), whole);
  EXPECT_EQ(sides().text(0, 2, 35), whole);
}

TEST(table, columns_that_do_not_fit_follow_below) {
  EXPECT_EQ(sides().text(0, 2, 34),
            "side         workers     min\n"
            "jackdaw/adws       2     1.5\n"
            "serial             1  123.25\n"
            "\n"
            "side            max\n"
            "jackdaw/adws      2\n"
            "serial            3\n");
}

TEST(table, at_least_two_columns) {
  EXPECT_EQ(sides().text(1, 2, 1),
            "side         workers\n"
            "serial             1\n"
            "\n"
            "side             min\n"
            "serial        123.25\n"
            "\n"
            "side            max\n"
            "serial            3\n");
}

TEST(table, cells_are_safe_on_a_terminal) {
  table made({{0, 0, true}, {}});
  made.add({"a\x1b[31m", "d\xc3\xa9j\xc3\xa0\n"});
  EXPECT_EQ(made.text(0, 0, std::nullopt), "a\\x1b[31m d\xc3\xa9j\xc3\xa0\n");
}

}  // namespace
}  // namespace jackdaw::cli
