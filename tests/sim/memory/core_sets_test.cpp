#include "sim/memory/core_sets.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace jackdaw::sim {
namespace {

/// Against std::set, on machines of each kind: a bit for each core in the word, and numbers or a row of the table.
class core_sets_against_sets : public testing::TestWithParam<unsigned> {};

TEST_P(core_sets_against_sets, do_the_same) {
  const unsigned cores = GetParam();
  std::mt19937 random(5);
  core_sets all(cores);
  std::vector<core_sets::set> words(7, 0);
  std::vector<std::set<unsigned>> model(words.size());
  for (int step = 0; step < 30000; ++step) {
    const std::size_t which = random() % words.size();
    const unsigned core = random() % 3 == 0 ? cores - 1 - random() % 3 : random() % cores;
    switch (random() % (step / 1000 % 2 == 0 ? 3 : 8)) {
      case 0:
        all.remove(words[which], core);
        model[which].erase(core);
        break;
      case 1: {
        const unsigned odd = random() % 2;
        std::set<unsigned> asked;
        all.keep(words[which], [&](unsigned each) {
          asked.insert(each);
          return each % 2 == odd;
        });
        ASSERT_EQ(asked, model[which]) << step;
        std::erase_if(model[which], [&](unsigned each) { return each % 2 != odd; });
        break;
      }
      default:
        all.add(words[which], core);
        model[which].insert(core);
    }
    std::set<unsigned> found;
    EXPECT_FALSE(all.any_of(words[which], [&](unsigned each) { return !found.insert(each).second; }));
    ASSERT_EQ(found, model[which]) << step;
    ASSERT_EQ(all.has(words[which], core), model[which].contains(core));
    ASSERT_EQ(words[which] == 0, model[which].empty());
  }
}

INSTANTIATE_TEST_SUITE_P(sizes, core_sets_against_sets, testing::Values(4U, 64U, 65U, 256U, 1000U, 65533U));

TEST(core_sets, only_sets_of_more_than_four_cores_take_room_in_the_table_and_give_it_back) {
  core_sets all(256);
  std::vector<core_sets::set> words(100, 0);
  for (core_sets::set& each : words)
    for (const unsigned core : {0U, 100U, 200U, 255U}) all.add(each, core);
  EXPECT_EQ(all.footprint(), 0);
  for (int round = 0; round < 50; ++round) {
    all.add(words[0], 7);
    all.keep(words[0], [](unsigned core) { return core == 7; });
    for (const unsigned core : {0U, 100U, 200U}) all.add(words[0], core);
  }
  EXPECT_LT(all.footprint(), 200);
}

}  // namespace
}  // namespace jackdaw::sim
