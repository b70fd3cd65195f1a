#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sched/engine.hpp"
#include "sched/profile.hpp"

namespace jackdaw::sched {

/// The intra-socket subgraphs of a region (BATS 7.1), and the squad to which each belongs. In as many iterations as
/// there are squads to try, each subgraph runs on one squad after the other. It stays where at least half of its data
/// are in local memory, as a high-localised one of that squad. Those that find no such squad are low-localised ones of
/// the squad where they found most.
class subgraphs {
 public:
  /// The least number of tasks of a subgraph for each core of a squad, with which stealing can balance them (Blumofe).
  static constexpr std::uint32_t tasks_per_core = 10;

  /// The number of subgraphs of a squad, if need be with fewer tasks: it balances work between squads and keeps
  /// subgraphs within a memory node. The paper's programs have 512 for each squad; its first rule alone leaves a squad
  /// one or two of a tree of a few thousand tasks. Simulated, Knights Landing with 64 workers, heat bats/64: 16 for
  /// each squad take 1438 us at 84% local accesses, 64 take 1334 us at 98%.
  static constexpr std::uint32_t subgraphs_per_squad = 64;

  /// Groups the tasks below `root`, and sets profile::packed and profile::subgraph of the tops. A subgraph has a single
  /// root and at least `least` tasks, and contains no smaller subgraph of that size. If a task has some children with
  /// at least `least` tasks and some with fewer, the latter are subgraphs too, and so are the root's children in a
  /// smaller tree.
  void group(profile& root, std::uint32_t least);
  /// The same for this many squads of this many cores.
  void group(profile& root, std::uint32_t cores, std::uint32_t squads);

  std::uint32_t count() const noexcept { return static_cast<std::uint32_t>(all_.size()); }

  /// Begins iteration `round` of those in which subgraphs are tried. near(home): the squads on which to try a subgraph
  /// of that home (profile::home), in order; more than `round` of them.
  template <class Near>
  void explore(std::uint32_t round, const Near& near) {
    for (entry& each : all_) {
      each.local = each.remote = 0;
      if (!each.high) each.at = near(each.home)[round];
    }
  }
  /// Returns the squad where that subgraph runs now.
  std::uint32_t squad_of(std::uint32_t subgraph) const noexcept { return all_[subgraph].at; }
  /// Whether it found at least half of its data there.
  bool high(std::uint32_t subgraph) const noexcept { return all_[subgraph].high; }
  /// Counts what a subgraph took from memory in the iteration under way. Called once for each iteration, by the worker
  /// that ended the subgraph.
  void count(std::uint32_t subgraph, std::uint64_t local, std::uint64_t remote) noexcept;
  /// Ends the iteration. Returns whether all are high-localised.
  bool judge();
  /// Ends the search: subgraphs that are not high-localised go where they found most.
  void settle();
  /// Whether nothing was counted at all.
  bool unseen() const noexcept { return !seen_; }
  std::uint32_t highs() const noexcept;
  /// Forgets which squads they belong to.
  void forget();

 private:
  struct entry {
    std::uint32_t home = 0;
    std::uint32_t at = 0;
    bool high = false;
    std::uint64_t local = 0, remote = 0;  // in the iteration under way
    bool tried = false;
    std::uint32_t best = 0;  // the best of the squads tried
    std::uint64_t most = 0;  // local accesses there
  };
  void find_tops(profile& below, std::uint32_t least);

  std::vector<entry> all_;
  bool seen_ = false;
};

}  // namespace jackdaw::sched
