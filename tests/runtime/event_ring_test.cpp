#include "trace/event_ring.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <thread>

namespace jackdaw::trace {
namespace {

/// An event all of whose parts tell its number.
worker_event numbered(std::uint64_t number) {
  worker_event made;
  made.what = worker_event::kind::decide;
  made.at = made.stack = made.task = made.site = number;
  made.value = static_cast<std::int64_t>(number);
  made.other = static_cast<std::uint32_t>(number);
  return made;
}

void expect_whole(const worker_event& one, std::uint64_t number) {
  ASSERT_EQ(one.at, number);
  ASSERT_EQ(one.stack, number);
  ASSERT_EQ(one.task, number);
  ASSERT_EQ(one.site, number);
  ASSERT_EQ(one.value, static_cast<std::int64_t>(number));
  ASSERT_EQ(one.other, static_cast<std::uint32_t>(number));
}

TEST(EventRing, KeepsAllPartsOfAnEvent) {
  event_ring ring(1);
  worker_event first;
  first.what = worker_event::kind::begin;
  first.is_root = true;
  first.first = 0.25;
  first.last = 0.5;
  worker_event second;
  second.what = worker_event::kind::leave;
  second.why = worker_event::reason::gives_way;
  worker_event third;
  third.what = worker_event::kind::take;
  third.from = worker_event::source::near;
  third.resumes = true;
  third.name = "a name";
  third.value = -7;
  for (const worker_event& each : {first, second, third}) ring.add(each);
  const event_ring::contents found = ring.read(3);
  ASSERT_EQ(found.events.size(), 3U);
  EXPECT_EQ(found.lost, 0U);
  EXPECT_TRUE(found.events[0].is_root);
  EXPECT_EQ(found.events[0].first, 0.25);
  EXPECT_EQ(found.events[0].last, 0.5);
  EXPECT_EQ(found.events[0].worker, 3U);
  EXPECT_EQ(found.events[1].why, worker_event::reason::gives_way);
  EXPECT_FALSE(found.events[1].resumes);
  EXPECT_EQ(found.events[2].from, worker_event::source::near);
  EXPECT_TRUE(found.events[2].resumes);
  EXPECT_EQ(found.events[2].name, "a name");
  EXPECT_EQ(found.events[2].value, -7);
}

TEST(EventRing, IsEmptyAtFirst) {
  const event_ring ring(5000);
  EXPECT_TRUE(ring.read(0).events.empty());
  EXPECT_EQ(ring.read(0).lost, 0U);
}

TEST(EventRing, KeepsTheLatestAndCountsWhatIsLost) {
  event_ring ring(2000);
  const std::uint64_t capacity = ring.capacity();
  EXPECT_EQ(capacity, 2048U);
  for (const std::uint64_t added : {capacity - 1, capacity, capacity + 1, 5 * capacity + 17}) {
    event_ring fresh(2000);
    for (std::uint64_t i = 0; i < added; ++i) fresh.add(numbered(i));
    const event_ring::contents found = fresh.read(0);
    EXPECT_EQ(found.events.size() + found.lost, added);
    EXPECT_EQ(found.events.size(), capacity - 1);  // the next event could be half written in the place of one more
    for (std::uint64_t i = 0; i < found.events.size(); ++i) expect_whole(found.events[i], found.lost + i);
  }
}

TEST(EventRing, AReaderSeesOnlyWholeEventsWhileTheWorkerAdds) {
  event_ring ring(1);  // so small that the worker overtakes the reader
  std::atomic<bool> stop{false};
  std::thread worker([&] {
    for (std::uint64_t i = 0; !stop.load(std::memory_order_relaxed); ++i) ring.add(numbered(i));
  });
  std::uint64_t last = 0;
  for (int round = 0; round < 300; ++round) {
    const event_ring::contents found = ring.read(0);
    EXPECT_LT(found.events.size(), ring.capacity());
    for (std::uint64_t i = 0; i < found.events.size(); ++i) expect_whole(found.events[i], found.lost + i);
    EXPECT_GE(found.lost, last);
    last = found.lost;
  }
  stop = true;
  worker.join();
}

}  // namespace
}  // namespace jackdaw::trace
