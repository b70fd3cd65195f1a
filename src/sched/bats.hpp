#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "sched/bats_rules.hpp"
#include "sched/change_watch.hpp"
#include "sched/cpu_bound.hpp"
#include "sched/distribution.hpp"
#include "sched/leveled_stealing.hpp"
#include "sched/profile.hpp"
#include "sched/region_map.hpp"
#include "sched/settings.hpp"
#include "sched/subgraphs.hpp"

namespace jackdaw::sched {

/// Bandwidth and Locality Aware Task-stealing (Zhao et al., TACO 2018), for memory nodes of unequal bandwidth.
///
/// A region is a place in the program where a root opens groups again and again; each group is an iteration of it. In
/// the first one tasks are stolen anywhere, their tree is learned, and what a leaf touches first goes to the node of
/// its span (Eq. 1, 2). Once the number of leaves is known, after the initialiser's iteration, the next iterations are
/// watched for how hot the data are; then hot data move from overloaded to little used nodes (Algorithm 1). As many
/// iterations as there are squads show where each subgraph is near its data; from then on it runs there, or is stolen
/// in levels. If tasks miss little for the instructions that they retire, the region is CPU-bound and its tasks are
/// stolen plainly.
///
/// All regions are watched together, because they share the data, until the one that was met last has begun twice more.
///
/// bats:paper does what the paper says: bats_rules::as_printed(). It leaves open, and is here as in `bats`:
/// - a program with several regions (5.2 knows one): each is learned by itself, and data move once, for all of them;
/// - the order in which squads are tried (7.1): from near to far, beginning near the node of the subgraph's span;
/// - a subgraph that is high-localised on two squads: the first has it;
/// - a tree smaller than the ten tasks a core: its root's children are subgraphs;
/// - another tree than before, and tasks too small to be placed: README-bats.md;
/// - what happens to the initialiser's tasks before their number is known (7.2): they run where they are stolen, and
///   their spans stand for their positions among the leaves.
/// The slips of Algorithm 1 are corrected, and all four kinds of accesses are counted (7.1), not two at a time (8.2).
class bats final : public leveled_stealing {
 public:
  /// The parts that are switched on; the paper's ablations switch one off or leave one on (9.4).
  struct parts {
    std::string_view name = "bats";
    bool weighted = true;  ///< placement by bandwidth, else even
    bool balances = true;  ///< data move by how hot they are
    bool levels = true;    ///< subgraphs, profiling and levels, else random stealing
    bats_rules by = {};
  };
  struct decisions : squad_scheduler::decisions {
    /// What this iteration touches first goes to the node of its span. 0: its tree is learned too; 1: it is known.
    static constexpr decision distribute{"distribute",
                                         {"sends first touches to the nodes of their spans, and learns the tree",
                                          "sends first touches to the nodes of their spans"}};
    /// Subgraphs are tried on squads, one at a time in each. The value: how many iterations before it did that.
    static constexpr decision explore{
        "explore", {"tries subgraphs on squads, one at a time in each squad, after so many iterations that did so"}};
    /// Subgraphs run on the squads found for them. The value: how many of them are high-localised.
    static constexpr decision localise{
        "localise", {"runs subgraphs on the squads found for them, so many of which are high-localised"}};
    /// Data have moved to balance the traffic. The value: their bytes.
    static constexpr decision balance{
        "balance", {"has moved so many bytes to other memory nodes"}, decision::holds::nothing};
    /// Nothing could be seen. 0: of how hot data are; 1: of what is local.
    static constexpr decision unseen{
        "unseen",
        {"could not observe which data are hot", "could not observe which accesses are local"},
        decision::holds::nothing};
  };

  bats(const parts& which, const settings& given) noexcept : which_(which), told_(given) {}

  std::string_view name() const noexcept override { return which_.name; }
  void start(const engine& on) override;
  void resume(worker_id self, upper_task& task) override;
  void open(worker_id self, upper_group& group) override;
  destination fork(worker_id self, upper_group& group, upper_task& child) override;
  destination close(worker_id self, upper_group& group) override;
  void end(worker_id self, upper_task& task) override;
  item idle(worker_id self) override;

 protected:
  bool squad_first() const noexcept override { return which_.by.printed; }
  bool nearest_first() const noexcept override { return !which_.by.printed; }

 private:
  enum class stage : std::uint8_t {
    first,      // its tree is not known
    learned,    // it is known, and subgraphs are not yet tried
    exploring,  // subgraphs are being tried
    settled,
    cpu_bound,
    shapeless,  // another tree each time
  };
  struct region {
    profile root;
    stage at = stage::first;
    subgraphs groups;
    unsigned learned = 0;  // how many times
    unsigned waited = 0;   // iterations that it has waited for another region's watch to end
    std::uint32_t round = 0;
    change_watch times;
    double began = 0;                 // start of the iteration under way
    std::atomic<bool> misfit{false};  // a task forked more or fewer children than the profile knows
  };
  struct alignas(64) seat {
    std::uint32_t touches = none;  // the node set by touch_to for the worker
  };
  struct alignas(64) squad_seat {
    counts since;  // of the squad's workers together, when the subgraph that runs there began
    // Another subgraph was taken out of turn meanwhile (scheduler::patience), so neither one's counts are known. The
    // squad's busy count orders this flag and `since`.
    std::atomic<bool> shared{false};
  };

  void begin(worker_id self, region& next);
  void finish(worker_id self, region& ended);
  void begin_learning(worker_id self, region& next);
  void finish_learning(worker_id self, region& ended);
  void finish_exploring(worker_id self, region& ended);
  void relearn(region& shifted);
  bool has_much_data() const noexcept;
  bool wants_balance(const region& next) const noexcept;
  void start_watch(worker_id self, region& until);
  void drop_watch(worker_id self);
  void count_task(worker_id self);
  void end_watch(worker_id self);
  std::uint64_t balance(worker_id self, std::vector<area>& areas);

  destination spread_child(worker_id self, upper_task& child, profile* parent);
  destination place_child(upper_task& child, profile* parent);
  void touch(worker_id self, std::uint32_t node) noexcept;
  bool is_slow(const span& part) const noexcept;
  std::uint32_t squad_of_span(const span& part) const noexcept;

  const parts which_;
  const settings told_;
  std::optional<distribution> nodes_of_;
  std::unique_ptr<seat[]> seats_;
  std::unique_ptr<squad_seat[]> squad_seats_;
  // The members below are used by the one root of the upper tier alone, between iterations.
  region_map<region> regions_;
  bool learning_ = false;       // in the iteration under way
  region* watching_ = nullptr;  // until that region has begun again this often:
  unsigned iterations_left_ = 0;
  bool balanced_ = false;
  unsigned watches_ = 0, balances_ = 0;
  std::uint32_t leaves_ = 0;  // of the largest tree so far
  evidence source_ = evidence::declared;
  // Of the iteration whose tree is learned.
  std::optional<task_census> tasks_;
  std::atomic<bool> counting_{false};
};

}  // namespace jackdaw::sched
