#include "cli/terminal/fold.hpp"

#include <gtest/gtest.h>

namespace jackdaw::cli {
namespace {

TEST(fold, what_fits_stays) {
  const std::string text = "One line,\nand another.\n\n  an example\n  --x  does x\n";
  EXPECT_EQ(fold(text, 40), text);
  EXPECT_EQ(fold("", 40), "");
  EXPECT_EQ(fold("no end", 40), "no end");
}

TEST(fold, a_paragraph_is_filled_again) {
  EXPECT_EQ(fold("A sentence that was folded for a wide page,\nand goes on.\nExamples:\n  do\n", 30),
            "A sentence that was folded for\na wide page, and goes on.\nExamples:\n  do\n");
}

TEST(fold, text_goes_on_below_text) {
  EXPECT_EQ(fold("  --memory TEXT      The kind of memory for placements that\n"
                 "                     name none.\n"
                 "  --jobs TEXT        Jobs.\n",
                 50),
            "  --memory TEXT      The kind of memory for\n"
            "                     placements that name none.\n"
            "  --jobs TEXT        Jobs.\n");
}

TEST(fold, below_a_label_that_leaves_no_room) {
  EXPECT_EQ(fold("  jackdaw bench fib --scheduler adws     measure two schedulers\n", 50),
            "  jackdaw bench fib --scheduler adws\n      measure two schedulers\n");
}

TEST(fold, far_to_the_right) {
  EXPECT_EQ(fold("                                        simulate two schedulers\n", 50),
            "      simulate two schedulers\n");
}

TEST(fold, a_command_goes_on_behind_a_backslash) {
  EXPECT_EQ(fold("  jackdaw simulate heat2d --machine xeon-gold-6130 --seeds 1\n", 40, indented::commands),
            "  jackdaw simulate heat2d --machine \\\n      xeon-gold-6130 --seeds 1\n");
  EXPECT_EQ(fold("  sqlite3 jackdaw.db 'SELECT side, scheduler FROM run'\n", 30, indented::commands),
            "  sqlite3 jackdaw.db \\\n      'SELECT side, scheduler FROM run'\n");
}

TEST(fold, an_item_goes_on_below_its_text) {
  EXPECT_EQ(fold("  counters: give the machine a virtual PMU\n  samples: none\n", 30),
            "  counters: give the machine a\n      virtual PMU\n  samples: none\n");
}

TEST(fold, a_word_that_is_too_long_stays_whole) {
  EXPECT_EQ(fold("stored in /a/path/that/is/longer/than/a/line as bench 1\n", 30),
            "stored in\n/a/path/that/is/longer/than/a/line\nas bench 1\n");
}

TEST(fold, characters_count_not_bytes) {
  EXPECT_EQ(fold("\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9 \xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\n", 9),
            "\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9 \xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\n");
}

}  // namespace
}  // namespace jackdaw::cli
