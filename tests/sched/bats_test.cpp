// What BATS decides of regions, played by hand.
#include "sched/bats.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "sched/script.hpp"

namespace {

using namespace jackdaw::sched;
using jackdaw::test::script;

/// A root that iterates, played on worker 0 of two squads of four.
class played_bats {
 public:
  explicit played_bats(std::uint32_t nodes = 1) : engine(8, nodes), scheduler({}, {}) {
    scheduler.start(engine);
    scheduler.root(root);
    scheduler.resume(0, root);
  }

  /// One iteration of the region at `site`, with a task for each of `tasks`, which misses and retires that much.
  void iterate(std::uint64_t site, const std::vector<counts>& tasks) {
    std::vector<std::unique_ptr<upper_task>> forked;
    upper_group group(root, root.group, root.rest(), static_cast<double>(tasks.size()), site);
    root.group = &group;
    scheduler.open(0, group);
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      forked.push_back(std::make_unique<upper_task>(root, group.cut(1), group.children++));
      scheduler.fork(0, group, *forked.back());
    }
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      scheduler.resume(0, *forked[i]);
      engine.counted[0] = engine.counted[0] + tasks[i];
      scheduler.end(0, *forked[i]);
    }
    engine.clock += takes;
    scheduler.close(0, group);
    root.leave(group);
  }
  std::ptrdiff_t times(const decision& what) const {
    return std::count(engine.decided.begin(), engine.decided.end(), what);
  }

  script engine;
  double takes = 1000;  // an iteration, in ns
  bats scheduler;
  upper_task root;
};

const std::vector<counts> missing(8, {.misses = 10'000, .instructions = 20'000}),
    computing(8, {.misses = 10, .instructions = 1'000'000});

TEST(bats_regions, are_not_watched_once_they_are_cpu_bound) {
  played_bats play;
  play.iterate(1, missing);  // an initialiser
  for (int i = 0; i < 6; ++i) play.iterate(2, computing);
  EXPECT_EQ(play.times(bats::decisions::plain), 5);
  EXPECT_EQ(play.times(bats::decisions::unseen), 0) << "a watch ended, although this engine sees nothing";
  // The next region that misses much is watched: the script shows nothing of it.
  for (int i = 0; i < 3; ++i) play.iterate(3, missing);
  EXPECT_EQ(play.times(bats::decisions::unseen), 1);
}

TEST(bats_regions, are_cpu_bound_if_most_tasks_are) {
  // All together miss much; or little.
  std::vector<counts> mostly_computing(101, {.misses = 800, .instructions = 100'000});
  mostly_computing.back().misses = 100'000;
  std::vector<counts> mostly_missing(101, {.misses = 4000, .instructions = 100'000});
  mostly_missing.back() = {.misses = 0, .instructions = 40'000'000};
  played_bats plain, placed;
  for (int i = 0; i < 2; ++i) {
    plain.iterate(1, mostly_computing);
    placed.iterate(1, mostly_missing);
  }
  EXPECT_EQ(plain.times(bats::decisions::plain), 1);
  EXPECT_EQ(placed.times(bats::decisions::plain), 0);
}

TEST(bats_regions, that_are_cpu_bound_are_learned_again_when_their_times_change_for_good) {
  played_bats play;
  for (int i = 0; i < 5; ++i) play.iterate(1, computing);
  play.takes = 3000;
  for (int i = 0; i < 8; ++i) play.iterate(1, missing);
  EXPECT_EQ(play.times(bats::decisions::plain), 12);
  play.iterate(1, missing);
  EXPECT_EQ(play.engine.decided.back(), bats::decisions::distribute);
}

TEST(bats_regions, send_what_a_full_node_does_not_take_elsewhere) {
  played_bats play(3);
  for (int i = 0; i < 30; ++i) play.engine.areas.push_back({.node = 0, .heat = 10, .bytes = 1});
  play.engine.room[1] = 4;
  for (int i = 0; i < 4; ++i) play.iterate(1, missing);
  ASSERT_EQ(play.times(bats::decisions::balance), 1);
  std::vector<int> on(3);
  for (const area& each : play.engine.areas) ++on[each.node];
  EXPECT_EQ(on, (std::vector<int>{13, 4, 13}));
}

}  // namespace
