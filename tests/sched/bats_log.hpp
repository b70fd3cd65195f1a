#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <vector>

#include "sched/squad_log.hpp"

/// What must hold of the log of leveled_stealing, whichever engine kept it.
namespace jackdaw::test {

struct bats_log : squad_log {
  bool squad_first = false;  // as under bats:paper: all deques of a squad come before its pools

  /// Pools are numbered: the squads' high-localised ones, their low-localised ones, those of tasks above subgraphs.
  bool is_high(std::uint32_t pool) const { return pool < squads.size(); }
  bool is_low(std::uint32_t pool) const { return !is_high(pool) && pool < 2 * squads.size(); }
  std::uint32_t owner(std::uint32_t pool) const { return static_cast<std::uint32_t>(pool % squads.size()); }

  /// What the iteration under way goes by.
  enum class phase { other, exploring, settled };
  static phase phase_of(const sched::decision& what) {
    return what == bats::explore ? phase::exploring : what == bats::localise ? phase::settled : phase::other;
  }

  /// While subgraphs are tried each squad runs one at a time, by its own workers (BATS 7.2). Returns how many ran.
  std::size_t expect_closed_squads_while_exploring() const {
    std::vector<std::uint64_t> running(squads.size(), 0);
    std::map<sched::worker_id, phase> began;  // in which phase the worker's look began
    std::size_t ran = 0;
    phase now = phase::other, decided = phase::other;
    for (const event& each : events) {
      const std::uint32_t squad = squad_of(each.worker);
      if (each.what == event::kind::decide && each.decided->is_rule()) {
        decided = phase_of(*each.decided);
        now = phase::other;
      }
      // Looks that began before the first fork may follow the rule of the iteration before.
      if (each.what == event::kind::fork) now = decided;
      if (each.what == event::kind::look) began[each.worker] = now;
      if (now != phase::exploring) continue;
      if (each.packed && each.what == event::kind::start) {
        EXPECT_EQ(running[squad], 0u) << "squad " << squad << " began subgraph " << each.task << " inside another";
        running[squad] = each.task;
        ++ran;
      } else if (each.packed && each.what == event::kind::end) {
        EXPECT_EQ(running[squad], each.task) << "which ended in squad " << squad;
        running[squad] = 0;
      }
      if (!each.found || began[each.worker] != phase::exploring) continue;
      if (each.what == event::kind::steal) {
        EXPECT_EQ(squad_of(each.other), squad) << "at event " << each.order;
      }
      if (each.what == event::kind::take && (is_high(each.other) || is_low(each.other))) {
        EXPECT_EQ(owner(each.other), squad) << "at event " << each.order;
        EXPECT_EQ(each.worker, squads[squad].workers.first) << "at event " << each.order;
      }
    }
    return ran;
  }

  /// Once subgraphs have their squads a worker looks into a deque of its squad, its high-localised pool, its
  /// low-localised one, then, after all deques of its squad, all other squads' low-localised pools, and all others'
  /// high-localised ones; and nothing is left out. Returns how many subgraphs were taken from each of the four kinds of
  /// pools, in that order.
  std::vector<std::size_t> expect_five_levels_in_order() const {
    struct look {
      bool judged = false;
      std::vector<std::size_t> looks = std::vector<std::size_t>(6);  // so far, by step
    };
    std::map<sched::worker_id, look> looks;
    std::vector<std::size_t> taken(4);
    phase now = phase::other, decided = phase::other;
    for (const event& each : events) {
      if (each.what == event::kind::decide && each.decided->is_rule()) {
        decided = phase_of(*each.decided);
        now = phase::other;
      }
      if (each.what == event::kind::fork) now = decided;
      look& mine = looks[each.worker];
      if (each.what == event::kind::look) mine = {.judged = now == phase::settled};
      if (!mine.judged || now != phase::settled) continue;
      const std::uint32_t squad = squad_of(each.worker);
      const sched::worker_range near = squads[squad].workers;
      std::size_t level = 0;
      if (each.what == event::kind::steal) {
        EXPECT_EQ(squad_of(each.other), squad) << "at event " << each.order;
        level = squad_first || mine.looks[1] == 0 ? 0 : 3;
      } else if (each.what == event::kind::take && (is_high(each.other) || is_low(each.other))) {
        const bool own = owner(each.other) == squad;
        level = own ? (is_high(each.other) ? 1 : 2) : (is_low(each.other) ? 4 : 5);
      } else {
        continue;
      }
      const std::size_t others = near.last - near.first;
      const std::size_t away = squads.size() - 1;
      const std::size_t before_pools = squad_first ? others : std::min<std::size_t>(others, 1);
      const std::vector<std::size_t> wanted = {before_pools, 1, 1, squad_first ? 0 : others, away, away};
      for (std::size_t before = 0; before < level; ++before) {
        EXPECT_EQ(mine.looks[before], wanted[before]) << "step " << before + 1 << " before event " << each.order;
      }
      for (std::size_t after = level + 1; after < 6; ++after) EXPECT_EQ(mine.looks[after], 0u);
      ++mine.looks[level];
      if (each.found && each.what == event::kind::take) ++taken[level < 3 ? level - 1 : level - 2];
    }
    return taken;
  }

  /// Bytes of the moves that were noted.
  std::uint64_t moved() const {
    std::uint64_t sum = 0;
    for (const event& each : events) {
      if (each.what == event::kind::decide && *each.decided == bats::balance) {
        sum += static_cast<std::uint64_t>(each.value);
      }
    }
    return sum;
  }
};

}  // namespace jackdaw::test
