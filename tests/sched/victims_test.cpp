#include <gtest/gtest.h>

#include <set>

#include "sched/random.hpp"
#include "sched/script.hpp"

namespace {

using jackdaw::sched::random_stealing;
using jackdaw::sched::worker_id;
using jackdaw::test::script;

TEST(random_stealing, tries_every_other_worker) {
  script engine(8);
  random_stealing scheduler;
  scheduler.start(engine);
  std::set<worker_id> victims;
  for (int i = 0; i < 100; ++i) {
    EXPECT_FALSE(scheduler.idle(3));
  }
  for (const auto& attempt : engine.attempts) {
    victims.insert(attempt.victim);
  }
  EXPECT_EQ(victims, (std::set<worker_id>{0, 1, 2, 4, 5, 6, 7}));
}

TEST(random_stealing, looks_nowhere_when_it_is_alone) {
  script engine(1);
  random_stealing scheduler;
  scheduler.start(engine);
  EXPECT_FALSE(scheduler.idle(0));
  EXPECT_TRUE(engine.attempts.empty());
}

TEST(hierarchical_stealing, looks_near_before_it_looks_far) {
  script engine(8);  // two sockets of four
  const auto scheduler = jackdaw::sched::make_scheduler("hierarchical");
  scheduler->start(engine);
  EXPECT_FALSE(scheduler->idle(5));
  ASSERT_EQ(engine.attempts.size(), 3u + 7u);  // as many attempts within a distance as there are victims
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_GE(engine.attempts[i].victim, 4u);
  }
  std::set<worker_id> all;
  for (int i = 0; i < 50; ++i) {
    scheduler->idle(5);
  }
  for (const auto& attempt : engine.attempts) {
    all.insert(attempt.victim);
    EXPECT_NE(attempt.victim, 5u);
  }
  EXPECT_EQ(all.size(), 7u);
}

}  // namespace
