#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "trace/task_tree.hpp"

namespace jackdaw::analysis {

/// A task's role after a scheduler split a tree into two tiers.
enum class place : std::uint8_t {
  inside,  ///< not placed: its parent's worker, or a thief, ran it
  pooled,  ///< forked parent-first into a pool from which others take it: of the upper tier, LAWS' free one
  top,     ///< pooled, and one squad runs all below it: LAWS' CF root task, CAB's leaf inter-socket task
};

/// Each task's place under CAB with boundary level `level`. The task whose steps are `of` is at level 1, those that it
/// forks at level 2; tasks at the boundary are tops. Level 0 or 1: all are inside.
std::vector<place> places_at(const trace::task_tree& tree, const trace::task& of, unsigned level);

/// How long steps take when a tree is split.
struct charges {
  const std::vector<double>* took = nullptr;  ///< by op: ns that each compute step took; null: what was recorded
  std::array<double, 2> scale{1, 1};          ///< factors for recorded times: scalar work, work in vectors
  /// ns of the runtime's own work for each fork and each wait.
  double step_work = 0;
  /// The most ns that pass before a worker continues after a fork, a wait, or a compute step whose successor is ready.
  double step_delay = 0;
};

/// Work and critical path of a task with all below it, split into the tasks above the tops (T1(G_free) of LAWS,
/// T1(E_inter) of CAB) and the subtrees under them (G_local, E_intra). Times in ns; the papers count nodes.
struct tiers {
  double work = 0;                    ///< T1
  double critical_path = 0;           ///< T-infinity
  double free_work = 0;               ///< T1 of the tier above the tops
  double local_work = 0;              ///< T1 of all subtrees
  double subtree_critical_paths = 0;  ///< the sum of the subtrees' T-infinity
  /// T-infinity if a subtree, once it runs, takes T1/n + T-infinity of its own (LAWS Eq. 9, CAB Eq. 8), n being the
  /// size of a squad.
  double squad_critical_path = 0;
  std::uint64_t tops = 0;               ///< k
  std::uint64_t pooled = 0;             ///< pooled tasks none of whose children is pooled, and tops
  std::uint64_t tasks = 0, leaves = 0;  ///< leaves: tasks that fork nothing
  /// S1: the largest number of tasks that are forked and not ended at once if one worker runs everything. With
  /// work-first forks this is the deepest chain of nested tasks; help-first children wait beside the chain.
  std::uint64_t frames = 0;
  double parallelism() const noexcept { return critical_path > 0 ? work / critical_path : 0; }

  /// Combines parts that run one after another: sums, and the deepest of the chains.
  tiers& operator+=(const tiers& next);
};

/// `places`: by task; empty: all are inside. `squad`: workers of a squad, n >= 1.
tiers split(const trace::task_tree& tree, const trace::task& of, const std::vector<place>& places, unsigned squad,
            const charges& cost = {});

}  // namespace jackdaw::analysis
