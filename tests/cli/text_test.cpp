#include "cli/text.hpp"

#include <gtest/gtest.h>
#include <jackdaw/error.hpp>

namespace jackdaw::cli {
namespace {

TEST(text, bytes) {
  EXPECT_EQ(bytes_text(0), "0 B");
  EXPECT_EQ(bytes_text(1023), "1023 B");
  EXPECT_EQ(bytes_text(1 << 10), "1 KiB");
  EXPECT_EQ(bytes_text(std::uint64_t{3} << 29), "1.5 GiB");
}

TEST(text, ranges) {
  EXPECT_EQ(ranges_text({}), "");
  EXPECT_EQ(ranges_text({4}), "4");
  EXPECT_EQ(ranges_text({0, 1, 2, 5, 7, 8}), "0-2,5,7-8");
}

TEST(text, counts) {
  EXPECT_EQ(count_text(1, "core"), "1 core");
  EXPECT_EQ(count_text(0, "core"), "0 cores");
  EXPECT_EQ(count_text(2, "match", "matches"), "2 matches");
}

TEST(text, lists) {
  EXPECT_EQ(list_of("a", "--x"), (std::vector<std::string>{"a"}));
  EXPECT_EQ(list_of("a,b,c", "--x"), (std::vector<std::string>{"a", "b", "c"}));
  for (const char* text : {"", ",", "a,", ",a", "a,,b"}) EXPECT_THROW(list_of(text, "--x"), error) << text;
}

TEST(text, numbers) {
  EXPECT_EQ(number_of("7", "--x", 1, 9), 7u);
  for (const char* text : {"", "0", "10", "-1", "7 ", "seven", "99999999999"}) {
    EXPECT_THROW(number_of(text, "--x", 1, 9), error) << text;
  }
}

TEST(text, one_line_of_many) {
  EXPECT_EQ(one_line("a\nb\r\n"), "a b");
  EXPECT_EQ(one_line(""), "");
}

TEST(text, what_a_terminal_would_obey_is_escaped) {
  EXPECT_EQ(one_line("a\x1b[31mb\a"), "a\\x1b[31mb\\x07");
  EXPECT_EQ(one_line("\x9b"
                     "1m \xc2\x9b"
                     "1m"),
            "\\x9b1m \\x9b1m");                    // CSI as one byte, and in UTF-8
  EXPECT_EQ(one_line("\xe2\x80\xae"), "\\u202e");  // writes backwards from there
  EXPECT_EQ(one_line("\xff"
                     "a"),
            "\\xffa");
  EXPECT_EQ(one_line("d\xc3\xa9j\xc3\xa0 \"vu\" C:\\x"), "d\xc3\xa9j\xc3\xa0 \"vu\" C:\\x");
}

}  // namespace
}  // namespace jackdaw::cli
