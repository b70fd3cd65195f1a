#include <jackdaw/error.hpp>
#include <jackdaw/placement_order.hpp>
#include "base/byte_count.hpp"
#include "base/worker_count.hpp"

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

TEST(worker_count, the_error_line_names_the_text_its_place_and_the_expectation) {
  EXPECT_EQ(message_of([] { parse_worker_count("abc", "JACKDAW_WORKERS"); }),
            "JACKDAW_WORKERS: 'abc', expected a number of workers from 1 to 4096");
  EXPECT_EQ(message_of([] { parse_worker_count("a\nb", "--workers"); }),
            "--workers: 'a?b', expected a number of workers from 1 to 4096");
  EXPECT_EQ(message_of([] { checked_worker_count(5000, "options::workers"); }),
            "options::workers: 5000, expected a number of workers from 1 to 4096");
  EXPECT_EQ(checked_worker_count(4096, "options::workers"), 4096u);
}

TEST(byte_count, takes_bytes_and_three_suffixes) {
  EXPECT_EQ(parse_byte_count("1", "--data-size"), 1u);
  EXPECT_EQ(parse_byte_count("3K", "--data-size"), 3072u);
  EXPECT_EQ(parse_byte_count("48M", "--data-size"), std::uint64_t{48} << 20);
  EXPECT_EQ(parse_byte_count("1048576G", "--data-size"), std::uint64_t{1} << 50);
}

TEST(byte_count, refuses_everything_else) {
  for (const char* text :
       {"", "0", "0K", "-1", "1.5M", "48MB", "48 M", "M", "1048577G", "2T", "99999999999999999999"}) {
    EXPECT_THROW(parse_byte_count(text, "--data-size"), error) << text;
  }
  EXPECT_EQ(message_of([] { parse_byte_count("much", "JACKDAW_DATA_SIZE"); }),
            "JACKDAW_DATA_SIZE: 'much', expected a number of bytes from 1 to 2^50, such as 50331648 or 48M");
}

TEST(branching, is_two_to_1024) {
  EXPECT_EQ(parse_branching("2", "--branching"), 2u);
  EXPECT_EQ(parse_branching("1024", "--branching"), 1024u);
  for (const char* text : {"", "0", "1", "-2", "1025", "two", "2.0"}) {
    EXPECT_THROW(parse_branching(text, "--branching"), error) << text;
  }
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
