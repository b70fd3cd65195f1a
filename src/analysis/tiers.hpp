#pragma once

#include <cstdint>
#include <vector>

#include "trace/task_tree.hpp"

namespace jackdaw::analysis {

/// What became of a task when a scheduler split a tree into two tiers.
enum class place : std::uint8_t {
  inside,  ///< nothing: its parent, or whoever stole from that, ran it
  pooled,  ///< forked parent-first and put where others take it from: of the upper tier, LAWS' free one
  top,     ///< the same, and all below it is one worker's squad's: LAWS' CF root task, CAB's leaf inter-socket task
};

/// By task: places as CAB has them when the boundary level is `level`. The task whose steps are `of` is at level 1,
/// those that it forks at level 2; tasks at the boundary are tops. Level 0 or 1: all are inside.
std::vector<place> places_at(const trace::task_tree& tree, const trace::task& of, unsigned level);

/// How long steps take when a tree is split.
struct charges {
  const std::vector<double>* took = nullptr;  ///< by op: ns that each compute step took; null: what was recorded
  double scale = 1;                           ///< that recorded times are multiplied with
  /// ns of the runtime's own work for each fork and each wait.
  double step_work = 0;
  /// ns that pass at most before somebody goes on after a fork, a wait or a compute step whose next is ready.
  double step_delay = 0;
};

/// Work and span of a task with all below it, split into the tasks above the tops (T1(G_free) of LAWS, T1(E_inter) of
/// CAB) and the subtrees under them (G_local, E_intra). Times in ns; the papers count nodes.
struct tiers {
  double work = 0;           ///< T1
  double span = 0;           ///< T-infinity
  double free_work = 0;      ///< T1 of the tier above the tops
  double local_work = 0;     ///< T1 of all subtrees
  double subtree_spans = 0;  ///< the sum of the subtrees' T-infinity
  /// T-infinity if a subtree, once it runs, takes T1/n + T-infinity of its own (LAWS Eq. 9, CAB Eq. 8), n being the
  /// size of a squad.
  double squad_span = 0;
  std::uint64_t tops = 0;               ///< k
  std::uint64_t pooled = 0;             ///< pooled tasks none of whose children is pooled, and tops
  std::uint64_t tasks = 0, leaves = 0;  ///< leaves: tasks that fork nothing
  /// S1: tasks that have been forked and have not ended, the most at once if one worker runs all of it. For work-first
  /// forks the deepest chain of nested tasks; help-first children wait beside the chain.
  std::uint64_t frames = 0;
  double parallelism() const noexcept { return span > 0 ? work / span : 0; }

  /// What comes one after another: sums, and the deepest of the chains.
  tiers& operator+=(const tiers& next);
};

/// `places`: by task; empty: all are inside. `squad`: workers of a squad, n >= 1.
tiers split(const trace::task_tree& tree, const trace::task& of, const std::vector<place>& places, unsigned squad,
            const charges& cost = {});

}  // namespace jackdaw::analysis
