#include "sched/journal.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

using jackdaw::sched::journal;

namespace {

std::vector<int> read(const journal<int>& from) {
  std::vector<int> all;
  from.for_each([&](int one) { all.push_back(one); });
  return all;
}

TEST(journal, holds_what_was_added_in_its_order) {
  journal<int> kept;
  std::vector<int> all;
  EXPECT_EQ(read(kept), all);
  for (int i = 0; i < 1000; ++i) {
    kept.add(i);
    all.push_back(i);
    ASSERT_EQ(read(kept), all);
  }
}

TEST(journal, is_read_while_it_grows) {
  constexpr int last = 200'000;
  journal<int> kept;
  std::thread writer([&] {
    for (int i = 0; i <= last; ++i) kept.add(i);
  });
  for (std::size_t most = 0; most <= last;) {
    std::size_t seen = 0;
    kept.for_each([&](int one) { EXPECT_EQ(one, static_cast<int>(seen++)); });
    EXPECT_GE(seen, most);
    most = seen;
  }
  writer.join();
}

TEST(journal, of_any_length_ends) {
  auto kept = std::make_unique<journal<int>>();
  for (int i = 0; i < 20'000'000; ++i) kept->add(i);
  kept.reset();
}

}  // namespace
