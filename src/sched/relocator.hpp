#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "sched/decision.hpp"
#include "sched/engine.hpp"
#include "sched/memory_shares.hpp"

namespace jackdaw::sched {

/// Moves a program's data to the squads that use them, once, for schedulers under which a task runs in the same squad
/// in each iteration. Data that one thread has initialised lie on its memory node, whose bandwidth then bounds all
/// squads.
///
/// The first region that begins twice sets the pace: an iteration of the whole program lasts until it begins again. One
/// such iteration shows which squad uses what (data_mover::watch_users). If the data that are used elsewhere load their
/// nodes much more than they would load those of their users, a quarter of them is moved, or as much as some iterations
/// leave time for: the iterations before, during and after that tell what moving costs and what it saves. The rest
/// follows as soon as the iterations so far would have saved what that costs, so that moving costs at most about as
/// much as never moving would have lost by then. With shares (start) the rest also follows once that takes but three
/// hundredths of the time so far, unless the trial has lost time; and data that are not worth moving are watched again
/// from time to time. If the region that sets the pace does not come back,
/// as that of a loop that initialises several arrays, all this begins again with another one.
class relocator {
 public:
  struct decisions {
    /// Data have moved to the squads that use them. The value: their bytes.
    static constexpr decision relocate{
        "relocate", {"has moved so many bytes to the squads that use them"}, decision::holds::nothing};
  };

  /// Without this, or on one node or with one squad, data stay. They go to nodes of the same kind as before; with
  /// `shares`, which must outlive this, to the nodes that workers work from, also with one squad.
  void start(const engine& on, const memory_shares* shares = nullptr);
  /// An iteration of the region at `site` begins. Called between iterations, by one worker at a time. Throws nothing:
  /// without memory the data stay.
  void begin(worker_id self, std::uint64_t site) noexcept;
  /// Whether data are being moved, so that times of iterations say nothing of anything else.
  bool moves() const noexcept { return at_ > stage::stays && at_ != stage::waits && at_ != stage::done; }

  /// Whether the last iteration that was watched has declared no accesses to data.
  bool saw_none() const noexcept { return saw_none_; }

 private:
  /// In this order, each for an iteration of the program but for the first, `stays`, `waits` and the last.
  enum class stage : std::uint8_t {
    unknown,  // no region has begun twice
    watched,  // which squads use which data is being noted
    stays,    // what these iterations use is where it should be, as far as the last watch tells
    as_it_was,
    part_moves,
    part_moved,
    waits,  // until the rest repays, or another trial takes a small part of the time
    rest_moves,
    done,
  };

  void set_pace(worker_id self, std::uint64_t site);
  void lose_pace(worker_id self, std::uint64_t site);
  void watch(worker_id self);
  void next(worker_id self);
  bool plan(worker_id self);
  std::uint32_t node_near(const area& what, std::uint32_t index) const noexcept;
  bool pays() const noexcept;
  bool is_cheap(double now) const noexcept;
  double rest() const noexcept;
  void move_first(worker_id self);
  void move_rest(worker_id self);
  std::uint64_t make(worker_id self, std::size_t count, double most);

  task_runner* on_ = nullptr;
  data_mover* data_ = nullptr;
  const memory_shares* shares_ = nullptr;  // null: nodes of the same kind
  stage at_ = stage::done;
  std::map<std::uint64_t, unsigned>
      begun_;  // iterations by site, since the region that sets the pace, if one does, began last
  bool saw_none_ = false;
  std::uint64_t site_ = 0;         // of that region
  unsigned others_ = 0;            // the same of all sites but its own
  unsigned lost_ = 0;              // how often that was too many
  unsigned iterations_ = 0;        // of the program, since this region sets the pace
  unsigned watch_again_ = 0;       // at this iteration, if data stay until then
  double paced_ = 0;               // ns; when this region began to set the pace
  double began_ = 0;               // ns; the iteration under way, with what it moves
  double usual_ = 0, moving_ = 0;  // ns: an iteration as it was, and the one that moved a part
  double took_at_once_ = 0;        // ns: moving that part, where move_areas() takes its time at once
  double gain_ = 0, cost_ = 0;     // ns, of that part
  double least_ = 0;               // ns: the shortest iteration since then
  std::vector<area_move> moves_;   // that have not been made, those of the trial first
  std::size_t trial_ = 0;          // the moves of a trial
  std::size_t made_ = 0;           // those of them that the last one made
  double tried_ = 0;               // ns; when it began
};

}  // namespace jackdaw::sched
