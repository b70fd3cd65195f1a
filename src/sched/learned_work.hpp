#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "sched/region_map.hpp"
#include "sched/upper_task.hpp"
#include "sched/work_meters.hpp"

namespace jackdaw::sched {

/// Which work hints divide spans.
enum class hint_source : std::uint8_t {
  given,    ///< the program's
  learned,  ///< what earlier iterations took; the program's count for nothing
  both,     ///< the program's, but what earlier iterations took where that foretells more
};

struct task_work;

/// What is known of a group that a task of the upper tier opens, and what has happened in it in this iteration. The
/// worker that runs the group's task uses it, and after that the one that closes the group.
struct group_work {
  /// Children beyond these are measured together.
  static constexpr std::uint32_t most_children = 4096;
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  struct child {
    std::unique_ptr<task_work> task;
    double expected = 0;  ///< ns, a moving average
    double planned = 0;   ///< its part of the group's span, if learned hints are used
    double given = 0;     ///< its part by the rule without them, in this iteration
  };

  /// What divides its span.
  enum class rule : std::uint8_t { given, even, learned };
  /// How far each rule was from what was measured, in workers' parts: moving averages. `used`: the plan.
  struct errors {
    double given = 0, even = 0, learned = 0, used = 0;
  };

  explicit group_work(std::uint64_t site) noexcept;
  ~group_work();

  std::uint64_t site;
  std::uint32_t depth = 0;      ///< of its task
  std::vector<child> children;  ///< in serial order
  std::uint32_t planned = 0;    ///< for so many of them
  double beyond = 0;            ///< ns: expected of later children, which were only measured together
  bool known = false;           ///< `children` and `beyond` are from an iteration that has ended
  /// A child came after the hints had given the whole total away, so they do not tell which child is the last.
  bool overdrawn = false;
  rule uses = rule::given;
  errors wrong;

  // This iteration:
  held_account tail{nullptr, {}};  ///< of the children from `tail_from` on
  std::uint32_t forked = 0;
  std::uint32_t tail_from = none;
  double left_given = 1, left = 1;  ///< of the group's span
  double width = 1;                 ///< its span in workers

  /// The mean of the children that were measured alone; 0 if none was.
  double usual() const noexcept;
  double expected_in_all() const noexcept;
  /// Returns about how many children there are; 0 if that is not known.
  double count() const noexcept;
};

/// What is known of a task of the upper tier, by its path from the region's root: which group of its task, and which
/// child in it.
struct task_work {
  /// Below this depth nothing is learned: what is forgotten is deleted by recursion, on a task's stack.
  static constexpr std::uint32_t deepest = 256;

  held_account own{nullptr, {}};  ///< what is not in a group of the upper tier
  double in_groups = 0;           ///< ns, in this iteration
  std::uint32_t opened = 0;       ///< groups, in this iteration; of those for which there is no memory, one
  std::uint32_t depth = 0;        ///< distance from the region's root
  bool is_leaf = false;           ///< it forked nothing when it was of the upper tier
  std::vector<std::unique_ptr<group_work>> groups;
};

/// Learns in each iteration of a region what the tasks of ADWS's searches and the subtrees that they send take, and
/// shares out spans accordingly.
///
/// A group's first iteration uses the given hints; without any, even parts for as many children as groups of the same
/// site had; else each child gets half of what is left. When the group closes, the times measured move the expected
/// ones, and three rules are compared with what they should have foretold: the given hints, even parts, and the
/// expected times. The simplest that is nearly as good as the last divides the group from then on. Work never takes
/// the same time twice, and a boundary that moves with that costs the data that tasks have in caches. So expected
/// parts, once chosen, stay until new ones are much better, and boundaries near the edge of a worker's part lie on
/// it. If a region's hints are mostly worse than the other rules, they count for nothing in its next iteration.
///
/// Children that drop to the lower tier together are measured together (`tail`); each is expected to be like those
/// before it, or as its hint says. A child that was sent to a worker whole has no groups here: when a span's boundary
/// moves into it, its children are divided like those of any new group, and measured from then on. So what is known is
/// finest where a boundary is.
///
/// Bias: work that a thief takes from a deque is charged to what its victim runs then. That is right but for what lies
/// below in the deque since a task in the mailbox came first. Tasks that the engine takes for a worker that has waited
/// too long, and children near memory, are charged to nobody. Memory that is far and cores that are shared make work
/// longer. What a thief charges after the group has closed is lost, or charged to the next iteration.
///
/// Threads: a group and its children's knowledge are used by the worker that runs the group's task, and after the last
/// child by the one that closes the group. begin() is called between iterations of the one root that is laid out.
class learned_work {
 public:
  /// Throws std::bad_alloc.
  explicit learned_work(hint_source from) : from_(from) {}
  void start(task_runner& on);

  work_meters& meters() noexcept { return meters_; }
  /// An iteration of the region at this site begins. Returns what is known of its root, or null without memory.
  task_work* begin(std::uint64_t site) noexcept;
  /// A task that is known opens its next group in `part` of the whole span. Null without memory.
  group_work* open(task_work& of, std::uint64_t site, const span& part) noexcept;
  /// Returns the part of `group.rest` for its next child.
  double share(group_work& known, upper_group& group, double work) noexcept;
  /// The group's next child is placed. Returns what is known of it; null: it is measured with those after it.
  task_work* child(group_work& known) noexcept;
  /// The children from the last placed one on (`with`), or after it, are measured together.
  static void rest(group_work& known, bool with) noexcept;
  /// All children have ended.
  void close(task_work& of, group_work& known) noexcept;
  /// A task of the upper tier has ended.
  static void end(task_work& ended) noexcept { ended.is_leaf = ended.opened == 0; }

 private:
  struct region {
    task_work root;
    double by_hints = 0, without = 0;  ///< errors with hints and with the best other rule: sums that fade
  };
  void judge_hints(region& ended) noexcept;
  double at_edge(const span& rest, double part) const noexcept;
  double even_part(const group_work& known, std::uint64_t site) const noexcept;
  double children_at(std::uint64_t site) const noexcept;
  void remember_children(std::uint64_t site, double count) noexcept;
  held_account account() noexcept { return {accounts_.take(), {&accounts_}}; }
  void compare(group_work& known, const std::vector<double>& took, double all, bool has_tail) noexcept;
  void choose(group_work& known, bool first) const noexcept;

  const hint_source from_;
  std::uint32_t workers_ = 1;
  work_accounts accounts_;  // outlives all that holds one
  work_meters meters_;
  region_map<region> regions_;
  // Of the iteration under way; relaxed: only their sums matter.
  std::atomic<bool> believed_{false};             // its region's hints
  std::atomic<double> by_hints_{0}, without_{0};  // errors of its groups' boundaries, in workers' parts
  /// How many children groups have, by a hash of their site: the rest of the hash in the upper 48 bits. Relaxed: any
  /// worker writes, and a number that is wrong or lost only makes parts less even.
  std::array<std::atomic<std::uint64_t>, 256> children_{};
};

}  // namespace jackdaw::sched
