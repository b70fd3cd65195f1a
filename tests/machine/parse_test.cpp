#include <jackdaw/error.hpp>
#include <jackdaw/placement_order.hpp>
#include <jackdaw/worker_count.hpp>

#include <gtest/gtest.h>

#include <string>

namespace jackdaw {
namespace {

template <class F>
std::string message_of(F&& f) {
  try {
    f();
  } catch (const error& e) {
    return e.what();
  }
  return "no error";
}

TEST(worker_count, accepts_1_to_4096) {
  EXPECT_EQ(parse_worker_count("1", "JACKDAW_WORKERS"), 1u);
  EXPECT_EQ(parse_worker_count("0012", "JACKDAW_WORKERS"), 12u);
  EXPECT_EQ(parse_worker_count("4096", "JACKDAW_WORKERS"), 4096u);
}

TEST(worker_count, refuses_everything_else) {
  for (const char* text :
       {"", "0", "-1", "+1", " 1", "1 ", "4097", "99999999999999999999", "abc", "3.5", "0x10", "1\n"}) {
    EXPECT_THROW(parse_worker_count(text, "JACKDAW_WORKERS"), error) << text;
  }
}

TEST(worker_count, the_error_is_one_line_that_says_what_where_and_what_was_expected) {
  EXPECT_EQ(message_of([] { parse_worker_count("abc", "JACKDAW_WORKERS"); }),
            "JACKDAW_WORKERS: 'abc', expected a number of workers from 1 to 4096");
  EXPECT_EQ(message_of([] { parse_worker_count("a\nb", "--workers"); }),
            "--workers: 'a?b', expected a number of workers from 1 to 4096");
  EXPECT_EQ(message_of([] { checked_worker_count(5000, "options::workers"); }),
            "options::workers: 5000, expected a number of workers from 1 to 4096");
  EXPECT_EQ(checked_worker_count(4096, "options::workers"), 4096u);
}

TEST(placement_order, has_two_names) {
  EXPECT_EQ(parse_placement_order("scatter", "--order"), placement_order::scatter);
  EXPECT_EQ(parse_placement_order("compact", "--order"), placement_order::compact);
  EXPECT_EQ(name_of(placement_order::scatter), "scatter");
  EXPECT_EQ(name_of(placement_order::compact), "compact");
  EXPECT_EQ(message_of([] { parse_placement_order("spread", "--order"); }),
            "--order: 'spread', expected scatter or compact");
}

}  // namespace
}  // namespace jackdaw
