#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "gomp/patience.hpp"
#include "gomp/share.hpp"
#include "gomp/task.hpp"
#include "gomp/teams.hpp"

namespace jackdaw::gomp {

struct team;

/// One of a team's threads, for as long as the region takes. Its own thread alone uses it, apart from its queue and its
/// implicit task's counts.
struct alignas(64) member {
  team* in = nullptr;
  unsigned id = 0;
  int place = -1;           ///< that it is bound to; -1: it is not bound
  task* now = nullptr;      ///< that runs
  share* at = nullptr;      ///< the share that it came to last
  std::size_t singles = 0;  ///< `single`s without copies that it came to
  std::uint64_t trips = 0;  ///< pieces of a fixed schedule that it has had
  std::uint64_t from = 0;   ///< the piece that it has, in iterations counted from 0
  std::uint64_t to = 0;
  bool orders = false;  ///< the piece is of an ordered loop, and its turn has not been passed on
  task implicit;
  task_queue tasks;

  /// Prepares it, on its own thread, for a region of that team.
  void begin(team& of) noexcept;
  /// Moves on to the next share of the chain. `make` fills in a new one. True: this member has come first.
  template <class Make>
  bool enter(const Make& make) noexcept;
};

/// A barrier of a team, in which waiting members run the team's tasks. README.md.
struct barrier {
  alignas(64) std::atomic<unsigned> arrived{0};
  alignas(64) word phase{0};
};

struct team {
  explicit team(unsigned most);
  team(const team&) = delete;
  team& operator=(const team&) = delete;

  /// Prepares the next region of n members; nobody is in the team.
  void begin(unsigned n, member* by, void (*body)(void*), void* argument) noexcept;
  /// Prepares it as a team of one outside of all regions, whatever it was before. Returns its member.
  member& begin_outside() noexcept;

  const unsigned most;
  unsigned size = 1;
  void (*function)(void*) = nullptr;
  void* data = nullptr;
  member* opener = nullptr;   ///< who came from outside; it is member 0 here. Null: the thread's own team of one
  unsigned level = 0;         ///< regions around a task of it
  unsigned active_level = 0;  ///< those of them with several threads
  control vars;               ///< that the members begin with
  teams_place teams;          ///< that the opener is in
  task_set* set = nullptr;    ///< that they begin with: task reductions of the region
  std::unique_ptr<member[]> members;

  barrier meet;                              ///< for barriers inside the region
  barrier end;                               ///< at its end
  bell changes;                              ///< rung for phases, tasks and turns
  std::atomic<bool> cancelled{false};        ///< the region
  std::atomic<bool> share_cancelled{false};  ///< its loop or sections

  alignas(64) std::atomic<std::size_t> singles{0};     ///< of those that members came to, that somebody runs
  alignas(64) std::atomic<std::size_t> tasks_left{0};  ///< deferred tasks that have not ended
  alignas(64) std::atomic<std::uint64_t> offered{0};   ///< tasks that have been put into queues, ever
  std::atomic<std::uint64_t> taken{0};                 ///< those of them that have been taken out
  std::atomic<unsigned> helpers{0};                    ///< members in a barrier that look for a task
  std::atomic<unsigned> choosy{0};                     ///< members that wait and may not run just any task

  bool has_queued() const noexcept {
    return offered.load(std::memory_order_seq_cst) != taken.load(std::memory_order_seq_cst);
  }
  /// Waits for something that is told by `changes`, and cannot run whatever is offered.
  template <class Ready>
  void wait_choosily(const Ready& ready) noexcept {
    choosy.fetch_add(1, std::memory_order_seq_cst);
    changes.wait(ready);
    choosy.fetch_sub(1, std::memory_order_relaxed);
  }

  share* root = nullptr;  ///< where the members' chain begins
  team* link = nullptr;   ///< in a list of unused ones

  share* take_share() noexcept;
  void give_share(share* one) noexcept;
  /// Lets the chain begin anew; all members are out. `last`: where they all are, unless the region was cancelled. Then
  /// they may have gone different ways.
  void rewind_shares(share* last) noexcept;

 private:
  lock shares_lock_;
  share* shares_ = nullptr;      // unused
  share* all_shares_ = nullptr;  // the one that was made last
};

/// The calling thread's place in the innermost team. Null: it has not been in any yet.
extern constinit thread_local member* current_member;

/// Makes a team of one for a thread that comes from outside.
member& first_time_here() noexcept;

inline member& here() noexcept {
  member* const found = current_member;
  return found != nullptr ? *found : first_time_here();
}

/// Waits until all members are here and all tasks of the team have ended; runs tasks meanwhile. `can_be_cancelled`:
/// returns true as soon as the region has been cancelled.
bool wait_at(barrier& at, member& self, bool can_be_cancelled = false) noexcept;

template <class Make>
bool member::enter(const Make& make) noexcept {
  share* const last = at;
  // Acquire: sees what the first member has filled in.
  share* next = last->next.load(std::memory_order_acquire);
  bool comes_first = false;
  if (next == nullptr) {
    share* const made = in->take_share();
    make(*made);
    if (last->next.compare_exchange_strong(next, made, std::memory_order_acq_rel, std::memory_order_acquire)) {
      comes_first = true;
      next = made;
    } else {
      made->clear();
      in->give_share(made);
    }
  }
  at = next;
  trips = from = to = 0;
  orders = false;
  // Acquire and release: whoever leaves last has the others' accesses behind it, and may give the share back.
  if (last->left.fetch_add(1, std::memory_order_acq_rel) + 1 == in->size) {
    last->clear();
    in->give_share(last);
  }
  return comes_first;
}

}  // namespace jackdaw::gomp
