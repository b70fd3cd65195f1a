#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sched/bats.hpp"
#include "sched/cab.hpp"
#include "sched/event.hpp"
#include "sched/laws.hpp"
#include "sched/logging_scheduler.hpp"

/// What must hold of the log of a scheduler that works by squads, whichever engine kept it.
namespace jackdaw::test {

using sched::event;
// What each scheduler may decide.
using cab = sched::cab::decisions;
using laws = sched::laws::decisions;
using bats = sched::bats::decisions;

/// On more workers than processors somebody always waits for long, and others help out. Rules hold where nobody does.
struct patient final : sched::logging_scheduler {
  using logging_scheduler::logging_scheduler;
  double patience() const noexcept override { return std::numeric_limits<double>::infinity(); }
};

struct squad_log {
  std::vector<event> events;
  std::vector<sched::squad> squads;

  /// Squad i's pool is pool i: a scheduler makes them in this order, before any other.
  std::uint32_t squad_of(sched::worker_id worker) const {
    std::uint32_t found = 0;
    while (!squads.at(found).workers.contains(worker)) ++found;
    return found;
  }

  /// One subtree at a time in each squad (CAB III-A, LAWS 3.4), of those that were packed when they were placed.
  /// Returns how many there were.
  std::size_t expect_one_subtree_at_a_time() const {
    std::vector<std::uint64_t> running(squads.size(), 0);
    std::set<std::uint64_t> begun;
    std::size_t subtrees = 0;
    for (const event& each : events) {
      const std::uint32_t squad = squad_of(each.worker);
      // A leaf by Eq. 4 that marks a child before anything else is none after all.
      if (each.what == event::kind::fork && each.inter && running[squad] == each.parent) running[squad] = 0;
      if (!each.packed) continue;
      if (each.what == event::kind::start) {
        EXPECT_TRUE(running[squad] == 0 || running[squad] == each.task)
            << "squad " << squad << " began task " << each.task << " inside task " << running[squad];
        running[squad] = each.task;
        ++subtrees;
        begun.insert(each.task);
      } else if (each.what == event::kind::end && begun.contains(each.task)) {
        EXPECT_EQ(running[squad], each.task) << "which ended in squad " << squad;
        running[squad] = 0;
      }
    }
    return subtrees;
  }

  /// While an iteration is profiled, nobody takes what belongs to another squad (LAWS 3.4). Returns how many finds
  /// there were.
  std::size_t expect_closed_squads_while_profiled() const {
    std::size_t finds = 0;
    bool decided = false, profiled = false;
    std::map<sched::worker_id, bool> began;  // whether the worker's look began in such an iteration
    for (const event& each : events) {
      if (each.what == event::kind::decide && each.decided->is_rule()) {
        decided = *each.decided == laws::profile;
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
  /// subtrees are packed heads alone look into pools. Returns how many things were fetched from other squads. Looks
  /// that began before the first fork of an iteration may follow the rule of the one before, and are not judged.
  /// Not for CAB while it learns, which steals plainly.
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
          if (!each.decided->is_rule()) continue;
          decided = rule::none;
          if (*each.decided == laws::profile || *each.decided == laws::spread) decided = rule::levels;
          if (*each.decided == laws::pack) decided = rule::packed;
          if (*each.decided == cab::marked) decided = rule::packed;
          if (*each.decided == cab::boundary && each.value > 0) decided = rule::packed;
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

  struct marked_tasks {
    std::size_t inter = 0;   ///< inter-socket tasks that the program marked
    std::size_t leaves = 0;  ///< of these, leaf inter-socket tasks that forked
    std::size_t moved = 0;   ///< of these tasks, those that another squad fetched than forked them
  };

  /// Of a program that marks its inter-socket tasks, under CAB: they go through pools, heads alone fetch them, squads
  /// do so one after another, and what is of the lower tier is stolen within squads.
  marked_tasks expect_marked_rules() const {
    marked_tasks found;
    std::map<std::uint64_t, std::uint32_t> placed;  // into which squad's pool; those that have not started
    std::set<std::uint64_t> inter, inner;
    std::vector<std::uint64_t> leaf(squads.size(), 0);  // that has the squad to itself
    std::map<sched::worker_id, bool> began;             // whether the worker's look began in a marked iteration
    bool marked = false;
    bool strayed = false;  // a worker whose look began before the marks has stolen from another squad
    for (const event& each : events) {
      const std::uint32_t squad = squad_of(each.worker);
      const sched::worker_id head = squads[squad].workers.first;
      switch (each.what) {
        case event::kind::decide:
          if (!each.decided->is_rule()) break;
          marked = *each.decided == cab::marked;
          break;
        case event::kind::look:
          began[each.worker] = marked;
          break;
        case event::kind::steal:
          if (!each.found || !marked) break;
          if (began[each.worker]) {
            EXPECT_EQ(squad_of(each.other), squad) << "at event " << each.order;
          }
          strayed |= squad_of(each.other) != squad;
          break;
        case event::kind::take:
          if (each.found && began[each.worker] && marked) {
            EXPECT_EQ(each.worker, head) << "at event " << each.order;
            EXPECT_EQ(leaf[squad], 0u) << "at event " << each.order;
          }
          break;
        case event::kind::fork:
          if (each.inter) {
            EXPECT_EQ(each.where.where, sched::destination::how::pool);
            EXPECT_EQ(each.where.pool, squad);
            EXPECT_EQ(each.where.as, sched::tier::upper);
            EXPECT_FALSE(each.packed);
            EXPECT_NE(leaf[squad], each.parent) << "a leaf inter-socket task forked one at event " << each.order;
            ++found.inter;
            inter.insert(each.task);
            inner.insert(each.parent);
            placed[each.task] = squad;
          } else if (inter.contains(each.parent) && !inner.contains(each.parent)) {
            EXPECT_EQ(each.where.where, sched::destination::how::here);
            EXPECT_EQ(each.where.as, sched::tier::lower);
            EXPECT_EQ(each.worker, head) << "at event " << each.order;
            EXPECT_EQ(leaf[squad], 0u) << "two leaf inter-socket tasks in squad " << squad;
            leaf[squad] = each.parent;
            ++found.leaves;
          }
          break;
        case event::kind::start:
          if (const auto first = placed.find(each.task); first != placed.end()) {
            EXPECT_EQ(each.worker, head) << "at event " << each.order;
            EXPECT_EQ(leaf[squad], 0u) << "task " << each.task << " was begun beside a leaf inter-socket task";
            found.moved += first->second != squad ? 1 : 0;
            placed.erase(first);
          }
          break;
        case event::kind::end:
          for (std::uint32_t of = 0; of < leaf.size(); ++of) {
            if (leaf[of] != each.task) continue;
            EXPECT_TRUE(of == squad || strayed) << "task " << each.task << " ended elsewhere";
            leaf[of] = 0;
          }
          break;
        default:
          break;
      }
    }
    EXPECT_TRUE(placed.empty()) << placed.size() << " inter-socket tasks never started";
    for (const std::uint64_t each : leaf) EXPECT_EQ(each, 0u) << "which has not ended";
    return found;
  }

  /// How many iterations there were until the search for a packing ended; all of them if it did not.
  std::size_t iterations_until_settled() const {
    std::size_t begun = 0;
    for (const event& each : events) {
      if (each.what != event::kind::decide) continue;
      if (*each.decided == laws::settle) return begun;
      begun += each.decided->is_rule() ? 1 : 0;
    }
    return begun;
  }

  /// What was decided at the beginnings of the iterations, in order: "none" where tasks are spread and not packed, the
  /// number of a packing or of a boundary level, else the decision's name.
  std::vector<std::string> iterations() const {
    std::vector<std::string> all;
    for (const event& each : events) {
      if (each.what != event::kind::decide || !each.decided->is_rule()) continue;
      if (*each.decided == laws::spread) {
        all.emplace_back("none");
      } else if (*each.decided == laws::pack || *each.decided == cab::boundary) {
        all.push_back(std::to_string(each.value));
      } else if (*each.decided != cab::marked || each.value == 1) {
        all.emplace_back(each.decided->name);
      }
    }
    return all;
  }
};

}  // namespace jackdaw::test
