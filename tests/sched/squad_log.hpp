#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sched/event.hpp"

/// What must hold of the log of a scheduler that works by squads, whichever engine kept it.
namespace jackdaw::test {

using sched::event;

struct squad_log {
  std::vector<event> events;
  std::vector<sched::squad> squads;

  /// Squad i's pool is pool i: a scheduler makes them in this order, before any other.
  std::uint32_t squad_of(sched::worker_id worker) const {
    std::uint32_t found = 0;
    while (!squads.at(found).workers.contains(worker)) ++found;
    return found;
  }

  /// One subtree at a time in each squad (CAB III-A, LAWS 3.4). Returns how many there were.
  std::size_t expect_one_subtree_at_a_time() const {
    std::vector<std::uint64_t> running(squads.size(), 0);
    std::size_t subtrees = 0;
    for (const event& each : events) {
      if (!each.packed) continue;
      const std::uint32_t squad = squad_of(each.worker);
      if (each.what == event::kind::start) {
        EXPECT_TRUE(running[squad] == 0 || running[squad] == each.task)
            << "squad " << squad << " began task " << each.task << " inside task " << running[squad];
        running[squad] = each.task;
        ++subtrees;
      } else if (each.what == event::kind::end) {
        EXPECT_EQ(running[squad], each.task) << "which ended in squad " << squad;
        running[squad] = 0;
      }
    }
    return subtrees;
  }

  /// Whether an iteration begins with this decision.
  static bool begins(sched::decision what) {
    return what != sched::decision::settle && what != sched::decision::raise && what != sched::decision::divide;
  }

  /// While an iteration is profiled, nobody takes what belongs to another squad (LAWS 3.4). Returns how many finds there
  /// were.
  std::size_t expect_closed_squads_while_profiled() const {
    std::size_t finds = 0;
    bool decided = false, profiled = false;
    std::map<sched::worker_id, bool> began;  // whether the worker's look began in such an iteration
    for (const event& each : events) {
      if (each.what == event::kind::decide && begins(each.decided)) {
        decided = each.decided == sched::decision::profile;
        profiled = false;
      }
      if (each.what == event::kind::fork) profiled = decided;
      if (each.what == event::kind::look) began[each.worker] = profiled;
      if (!profiled || !began[each.worker] || !each.found) continue;
      ++finds;
      const std::uint32_t own = squad_of(each.worker);
      if (each.what == event::kind::steal) {
        EXPECT_EQ(squad_of(each.other), own);
      } else if (each.what == event::kind::take) {
        EXPECT_EQ(each.other, own);
      }
    }
    return finds;
  }

  /// A worker looks into its own deque, then into its squad's, then into its squad's pool, then elsewhere; and while
  /// subtrees are packed heads alone look into pools. Returns how many things were fetched from other squads. Looks that
  /// began before the first fork of an iteration may follow the rule of the one before, and are not judged.
  std::size_t expect_three_levels_in_order() const {
    enum class rule { none, levels, packed };
    struct look {
      rule by = rule::none;
      int level = -1;  // that the last look reached
    };
    std::map<sched::worker_id, look> looks;
    std::size_t fetched = 0;
    rule decided = rule::none, holds = rule::none;
    for (const event& each : events) {
      const std::uint32_t own = squad_of(each.worker);
      const sched::worker_range near = squads[own].workers;
      look& mine = looks[each.worker];
      int level = 0;
      switch (each.what) {
        case event::kind::decide:
          if (!begins(each.decided)) continue;
          decided = rule::none;
          if (each.decided == sched::decision::profile || each.decided == sched::decision::spread)
            decided = rule::levels;
          if (each.decided == sched::decision::pack) decided = rule::packed;
          if (each.decided == sched::decision::boundary && each.value > 0) decided = rule::packed;
          holds = rule::none;
          continue;
        case event::kind::fork:
          holds = decided;
          continue;
        case event::kind::look:
          mine = {holds, -1};
          continue;
        case event::kind::pop:
          break;
        case event::kind::steal:
          level = near.contains(each.other) ? 1 : 4;
          break;
        case event::kind::take:
          level = each.other == own ? 2 : 3;
          break;
        default:
          continue;
      }
      // Where nothing was decided between its beginning and its end:
      if (mine.by != rule::none && holds == mine.by) {
        EXPECT_GE(mine.level, level == 2 && near.first == near.last ? 0 : level - 1)
            << "worker " << each.worker << " at event " << each.order;
        if (mine.by == rule::packed && level >= 2) {
          EXPECT_EQ(each.worker, near.first) << "at event " << each.order;
        }
        fetched += level >= 3 && each.found ? 1 : 0;
      }
      mine.level = level;
    }
    return fetched;
  }

  /// What was decided at the beginnings of the iterations, in order: "profile", "0", "-1", "none", "plain".
  std::vector<std::string> iterations() const {
    std::vector<std::string> all;
    for (const event& each : events) {
      if (each.what != event::kind::decide) continue;
      switch (each.decided) {
        case sched::decision::profile:
          all.emplace_back("profile");
          break;
        case sched::decision::plain:
          all.emplace_back("plain");
          break;
        case sched::decision::spread:
          all.emplace_back("none");
          break;
        case sched::decision::pack:
        case sched::decision::boundary:
          all.push_back(std::to_string(each.value));
          break;
        case sched::decision::settle:
        case sched::decision::raise:
        case sched::decision::divide:
          break;
      }
    }
    return all;
  }
};

}  // namespace jackdaw::test
