#include "trace/timeline_tracks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace jackdaw::trace {
namespace {

using kind = worker_event::kind;
using label = mark::label;

worker_event event(std::uint64_t at, kind what, std::uint64_t stack = 0, std::uint64_t task = 0) {
  worker_event made;
  made.at = at;
  made.what = what;
  made.stack = stack;
  made.task = task;
  return made;
}

worker_event of_root(std::uint64_t at, kind what, std::uint64_t task, std::uint64_t site = 0) {
  worker_event made = event(at, what, 0, task);
  made.is_root = true;
  made.site = site;
  return made;
}

worker_event leave(std::uint64_t at, std::uint64_t stack, worker_event::reason why) {
  worker_event made = event(at, kind::leave, stack);
  made.why = why;
  return made;
}

timeline_view seen(std::vector<std::vector<worker_event>> by_worker, std::uint64_t end, std::uint64_t lost = 0) {
  timeline_view made;
  made.end = end;
  for (std::uint32_t id = 0; id < by_worker.size(); ++id) {
    for (worker_event& each : by_worker[id]) each.worker = id;
    made.workers.push_back({"worker " + std::to_string(id), 0, {by_worker[id], lost}});
  }
  return made;
}

std::vector<timeline_track> tracks_of(const timeline_view& what) {
  std::vector<timeline_track> all;
  for_each_track(what, [&](timeline_track each) { all.push_back(std::move(each)); });
  return all;
}

/// "begin-end:label" of the slices of the tracks of a kind, "at:label" of instants, in the order of beginnings.
std::vector<std::string> slices(const timeline_view& what, timeline_track::kind of) {
  std::vector<std::string> found;
  for (const timeline_track& track : tracks_of(what)) {
    if (track.of != of) continue;
    std::vector<std::size_t> open;
    std::uint64_t last = 0;
    for (const mark& each : track.marks) {
      EXPECT_GE(each.at, last) << track.name;
      last = each.at;
      if (each.is == mark::type::end) {
        EXPECT_FALSE(open.empty()) << track.name;
        if (open.empty()) continue;
        std::string& text = found[open.back()];
        text.insert(text.find(':'), "-" + std::to_string(each.at) + (each.cut ? "!" : ""));
        open.pop_back();
        continue;
      }
      if (each.is == mark::type::begin) open.push_back(found.size());
      found.push_back(std::to_string(each.at) + ":" + std::to_string(static_cast<int>(each.what)));
    }
    EXPECT_TRUE(open.empty()) << track.name;
    found.push_back("|");
  }
  return found;
}

std::string text(const std::string& when, label what) { return when + ":" + std::to_string(static_cast<int>(what)); }

TEST(TimelineTracks, EventsWhoseBeginningIsLostAreLeftOut) {
  const auto what = seen({{leave(5, 1, worker_event::reason::waits), event(6, kind::wake), event(7, kind::found),
                           event(8, kind::run, 2), leave(9, 2, worker_event::reason::ended)}},
                         20, 100);
  EXPECT_EQ(slices(what, timeline_track::kind::worker),
            (std::vector<std::string>{text("5", label::dropped), text("8-9", label::task), "|"}));
}

TEST(TimelineTracks, WhatHasNotEndedEndsWithTheFile) {
  const auto what = seen({{event(1, kind::run, 2)}, {event(2, kind::search), event(3, kind::sleep)}}, 20);
  EXPECT_EQ(slices(what, timeline_track::kind::worker),
            (std::vector<std::string>{text("1-20!", label::task), "|", text("2-20!", label::search),
                                      text("3-20!", label::sleep), "|"}));
}

TEST(TimelineTracks, ATaskWhoseRestIsStolenRunsOnTheThiefWhileItsChildRunsOn) {
  worker_event steal = event(10, kind::steal);
  steal.other = 0;
  worker_event run = event(12, kind::run, 1);
  run.resumes = true;
  // Worker 0 enters stack 1, whose task calls a child on stack 2; worker 1 steals the rest, which waits for the child.
  const auto what = seen({{event(1, kind::run, 1), event(30, kind::ready, 1), leave(30, 2, worker_event::reason::ended),
                           [] {
                             worker_event again = event(31, kind::run, 1);
                             again.resumes = true;
                             return again;
                           }(),
                           leave(40, 1, worker_event::reason::ended)},
                          {steal, run, leave(20, 1, worker_event::reason::waits)}},
                         50);
  EXPECT_EQ(slices(what, timeline_track::kind::worker),
            (std::vector<std::string>{text("1-30", label::task), text("10", label::stolen), text("30", label::ready),
                                      text("31-40", label::resumed), "|", text("12-20", label::resumed), "|"}));
  EXPECT_EQ(slices(what, timeline_track::kind::stack),
            (std::vector<std::string>{text("1-12", label::on_worker), text("12-20", label::on_worker),
                                      text("20-31", label::waits), text("31-40", label::on_worker), "|",
                                      text("1-30", label::on_worker), "|"}));
  // One flow from the theft, one to the resumption, on both ends.
  std::uint64_t out = 0, in = 0;
  for (const timeline_track& track : tracks_of(what)) {
    for (const mark& each : track.marks) {
      out += each.out;
      in += each.in + each.woken;
    }
  }
  EXPECT_EQ(out, 1U + 2U);
  EXPECT_EQ(in, out);
}

TEST(TimelineTracks, RootsThatOverlapAndGroupsThatCrossAreOnTracksOfTheirOwn) {
  const auto what = seen({{of_root(1, kind::begin, 7), of_root(2, kind::open, 7, 100), of_root(3, kind::open, 7, 200),
                           of_root(5, kind::close, 7, 100), of_root(6, kind::close, 7, 200), of_root(9, kind::end, 7)},
                          {of_root(4, kind::begin, 8), of_root(8, kind::end, 8), of_root(10, kind::begin, 8)}},
                         12);
  EXPECT_EQ(slices(what, timeline_track::kind::roots),
            (std::vector<std::string>{text("1-9", label::root_whole), text("2-5", label::iteration),
                                      text("10-12!", label::root_whole), "|", text("3-6", label::iteration), "|",
                                      text("4-8", label::root_whole), "|"}));
}

TEST(TimelineTracks, AHundredThousandRootsWithoutEnds) {
  constexpr std::uint64_t many = 100'000;
  std::vector<worker_event> events;
  for (std::uint64_t i = 1; i <= many; ++i) events.push_back(of_root(i, kind::begin, i));
  for (std::uint64_t i = 1; i <= many; ++i) events.push_back(of_root(many + i, kind::open, many, i));
  for (std::uint64_t i = 1; i <= many; ++i) events.push_back(of_root(2 * many + i, kind::close, many, many + i));
  for (std::uint64_t i = many; i > 1; --i) events.push_back(of_root(4 * many - i, kind::close, many, i));
  const auto what = seen({std::move(events)}, 5 * many);
  std::vector<timeline_track> roots;
  for (timeline_track& each : tracks_of(what)) {
    if (each.of == timeline_track::kind::roots) roots.push_back(std::move(each));
  }
  ASSERT_EQ(roots.size(), many);
  EXPECT_EQ(roots.front().marks.size(), 2U);
  ASSERT_EQ(roots.back().marks.size(), 2 + 2 * many);
  EXPECT_TRUE(roots.back().marks.back().cut);
  EXPECT_EQ(
      std::count_if(roots.back().marks.begin(), roots.back().marks.end(), [](const mark& each) { return each.cut; }),
      2);  // the root and the one iteration that has not ended
}

TEST(TimelineTracks, AnIterationWhoseRootsBeginningIsLostIsShown) {
  const auto what = seen({{of_root(3, kind::close, 7, 1), of_root(4, kind::open, 7, 1), of_root(5, kind::close, 7, 1),
                           of_root(6, kind::end, 7)}},
                         12, 1);
  EXPECT_EQ(slices(what, timeline_track::kind::roots),
            (std::vector<std::string>{text("4-6", label::root_whole), text("4-5", label::iteration), "|"}));
}

}  // namespace
}  // namespace jackdaw::trace
