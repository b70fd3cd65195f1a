#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sched/change_watch.hpp"
#include "sched/cpu_bound.hpp"
#include "sched/idle_clock.hpp"
#include "sched/packer.hpp"
#include "sched/packing_search.hpp"
#include "sched/region_map.hpp"
#include "sched/relocator.hpp"
#include "sched/settings.hpp"
#include "sched/squad_stealing.hpp"
#include "sched/tuner.hpp"

namespace jackdaw::sched {

/// Locality-Aware Work Stealing (Chen, Guo and Guan, TACO 2015), and the two schedulers that it is compared with.
///
/// A region is a place in the program where a root opens groups again and again; each group is an iteration of it. In
/// the first one all tasks but the smallest are of the upper tier. Each goes to the pool of the squad that its span
/// belongs to (Eq. 1), and no squad takes another's, so that data touched first lie on that squad's memory node. Each
/// task's cache misses are counted. From these the packer groups tasks into subtrees that fit the shared cache, which
/// each squad runs one at a time. If most tasks miss little for the instructions that they retire, the region is
/// CPU-bound and its tasks are stolen plainly (6.6), until its iterations change their time for good.
///
/// - laws: the tuner tries packings only if they can save misses, and keeps one only if it saves time. Like laws_nc, it
///   moves data that one thread has initialised to where they are used (relocator).
/// - laws:paper: packed from the second iteration on. Algorithm 1 picks the packing, and what it picks is final.
/// - laws:STEP: packed in one way from the second iteration on, STEP levels below the first packing (above it if it is
///   negative), as the curve of Figure 5 is measured.
/// - laws_nc: tasks go to their squads but are not packed: what lies within a squad is of the lower tier, and a worker
///   whose squad has run dry steals elsewhere.
/// - cats: packed as the first iteration suggests and not tuned; from the second on, a task stays with the squad that
///   forks it until another one steals it, wherever its data are.
class laws final : public squad_stealing {
 public:
  enum class variant : std::uint8_t { cats, laws_nc, laws, paper, fixed };
  static constexpr int most_steps = 99;  ///< that can be fixed, up or down
  struct decisions : squad_scheduler::decisions {
    static constexpr decision spread{"spread", {"sends tasks to the squads of their spans, without packing"}};
    static constexpr decision pack{"pack", {"packs tasks into subtrees, so many steps from the first packing"}};
    /// The search for an arrangement has ended. The value: how many iterations it took.
    static constexpr decision settle{
        "settle", {"has settled on a packing after so many iterations"}, decision::holds::nothing};
    /// Nothing was counted, so each task is assumed to use its share of the data size. The value: that size in bytes.
    static constexpr decision divide{"divide",
                                     {"assumes that each task uses its part of so many bytes, as nothing was counted"},
                                     decision::holds::nothing};
  };

  laws(variant which, const settings& given) : name_(name_of(which)), which_(which), data_(given.data) {}
  /// Packs in one way: `step` levels from the first packing, from -most_steps to most_steps.
  laws(const settings& given, int step)
      : name_("laws:" + std::to_string(step)), which_(variant::fixed), step_(step), data_(given.data) {}

  static constexpr std::string_view name_of(variant which) noexcept {
    return which == variant::cats      ? "cats"
           : which == variant::laws_nc ? "laws:nc"
           : which == variant::paper   ? "laws:paper"
                                       : "laws";
  }
  std::string_view name() const noexcept override { return name_; }
  void start(const engine& on) override;
  void resume(worker_id self, upper_task& task) override;
  void open(worker_id self, upper_group& group) override;
  destination fork(worker_id self, upper_group& group, upper_task& child) override;
  void wait(worker_id self, upper_group& group, tier as) override;
  destination close(worker_id self, upper_group& group) override;
  void end(worker_id self, upper_task& task) override;
  item idle(worker_id self) override;
  void rescued(worker_id self) override;

 protected:
  /// One squad has all data and no other squad to share with.
  bool always_plain() const noexcept override { return squads() == 1; }
  bool own_first() const noexcept override { return which_ != variant::cats; }
  bool nearest_first() const noexcept override { return which_ == variant::laws || which_ == variant::laws_nc; }

 private:
  enum class stage : std::uint8_t { fresh, tuned, cpu_bound, shapeless };
  struct region {
    profile root;
    stage at = stage::fresh;
    std::optional<packer> packed;
    std::optional<tuner> tuning;           // of laws
    std::optional<packing_search> search;  // of laws:paper
    std::optional<int> packing;            // the step that `packed` shows
    std::uint64_t from_memory = 0;         // lines, in the profiled iteration
    change_watch times;                    // of a CPU-bound region
    unsigned profiled = 0;                 // how many times
    std::atomic<bool> misfit{false};       // a task forked more or fewer children than the profile knows
  };
  /// A worker's measurements.
  struct alignas(64) seat {
    const upper_task* of = nullptr;
    counts since;      // that task's counts when it began
    double began = 0;  // that task's start, in ns
    idle_clock idle;
  };

  /// The squad to which a task's data belong, and whether all of them do.
  struct share {
    std::uint32_t squad;
    bool whole;
  };
  share allocate(const span& part) const noexcept;
  /// What all workers had done at some moment, and for how long they had idled.
  struct reading {
    double at = 0;  // ns
    counts done;
    std::vector<double> idle;  // by squad: ns, the mean of its workers
  };
  /// Whether the tuner wants to see an iteration of this region.
  bool looks(const region& at) const noexcept;
  void read(const region& of, reading& into) const;
  static double imbalance(const reading& before, const reading& after);
  void looked(worker_id self, bool found);
  void begin(worker_id self, region& next);
  void begin_profile(worker_id self, region& next);
  arrangement arrangement_of(const region& next) const;
  void finish(worker_id self, region& ended);
  void finish_profile(worker_id self, region& ended, const reading& now);
  static void look_again(region& changed) noexcept;
  void search(worker_id self, region& ended, const reading& now);
  prospects prospects_of(const region& ended, const reading& now) const;
  counts add_up(worker_id self);
  void measure(worker_id self, const upper_task& task);
  void judge_size(double leaf);
  destination profile_child(upper_task& child, profile* parent, share to);
  destination spread_child(upper_task& child, profile* as, share to);
  destination pack_child(worker_id self, upper_task& child, profile* as, share to);

  const std::string name_;
  const variant which_;
  const int step_ = 0;  // of variant::fixed
  const std::uint64_t data_;
  std::unique_ptr<seat[]> seats_;
  region_map<region> regions_;
  relocator relocator_;
  // Of the beginning and the end of an iteration; used by the one root of the upper tier alone, between iterations.
  reading before_, now_;
  std::optional<task_census> tasks_;  // of the profiled iteration
  std::atomic<bool> profiling_{false};
  std::atomic<bool> hasty_{false};           // early findings about the profiled iteration are acted upon
  std::atomic<std::uint64_t> judged_at_{0};  // instructions at which it is next judged whether the region is CPU-bound
  std::atomic<std::uint64_t> leaves_{0};     // the number of leaves profiled
  std::atomic<double> took_{0};              // ns that leaves took since their size was last judged
  std::atomic<std::uint32_t> parts_{0};      // tasks are profiled down to 1 / parts_ of a worker's share
};

}  // namespace jackdaw::sched
