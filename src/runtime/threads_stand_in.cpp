// Clients that stand in for sleeping workers, so that a root needs no wake-up to begin and none to end.
// README-stand-in.md.
#include <sched.h>

#include <array>

#include "jackdaw/detail/control_word.hpp"
#include "jackdaw/detail/home_slot.hpp"
#include "runtime/checks.hpp"
#include "runtime/exceptions.hpp"
#include "runtime/threads.hpp"

namespace jackdaw::detail {
namespace {

/// Moves the calling thread to this processor, and leaves it free to go elsewhere later. False: it may not run there.
bool move_to(unsigned os_cpu) noexcept {
  cpu_set_t may, there;
  CPU_ZERO(&may);
  if (os_cpu >= CPU_SETSIZE || sched_getaffinity(0, sizeof may, &may) != 0 || !CPU_ISSET(os_cpu, &may)) {
    return false;
  }
  CPU_ZERO(&there);
  CPU_SET(os_cpu, &there);
  return sched_setaffinity(0, sizeof there, &there) == 0 && sched_setaffinity(0, sizeof may, &may) == 0;
}

/// While it lives, the calling thread is that worker's.
class thread_of {
 public:
  thread_of(worker& on, unsigned home_slot) noexcept
      : on_(on), slot_(jackdaw_home_slot), for_handler_(on.handler_stack) {
    swap_exceptions(handled_);
    for (std::size_t i = 0; i < std::size(on.lanes); ++i) {
      exceptions_[i] = on.lanes[i].exceptions;
      on.lanes[i].exceptions = this_exception_state();
    }
    set_this_home_slot(home_slot);
    set_this_worker(&on);
  }
  ~thread_of() {
    set_this_worker(nullptr);
    set_this_home_slot(slot_);
    for (std::size_t i = 0; i < std::size(on_.lanes); ++i) {
      on_.lanes[i].exceptions = exceptions_[i];
    }
    swap_exceptions(handled_);
    control_.set();
  }
  thread_of(const thread_of&) = delete;
  thread_of& operator=(const thread_of&) = delete;

 private:
  worker& on_;
  const unsigned slot_;
  const control_word control_;            // of this thread: tasks may leave another one
  exception_state handled_;               // what this thread is handling is not its tasks'
  const exception_state* exceptions_[2];  // of the worker's own thread
  const overflow_stack for_handler_;
};

}  // namespace

/// Returns a sleeping worker that is to start what goes to `where` and whose place the calling thread has now; null if
/// there is none, or if other roots are under way: this thread must run no task of theirs.
worker* threads::borrow(const sched::destination& where) noexcept {
  if (!has_places_ || roots_.count() != 1 || watching() != nullptr) {
    return nullptr;
  }
  using how = sched::destination::how;
  const int cpu = sched_getcpu();
  const bool known = cpu >= 0 && static_cast<std::size_t>(cpu) < worker_at_.size();
  const std::uint32_t here = known ? worker_at_[static_cast<std::size_t>(cpu)] : sched::none;
  if (where.where == how::anyone) {
    if (here != sched::none && borrow(*workers_[here])) {
      return workers_[here].get();
    }
    for (const auto& each : workers_) {
      const std::optional<unsigned> its = places_[each->id].os_cpu;
      if (each->parked.load(std::memory_order_relaxed) == worker::open && (!its || move_to(*its)) && borrow(*each)) {
        return each.get();
      }
    }
    return nullptr;
  }
  worker& there = *workers_[where.where == how::mailbox ? where.worker : pools_[where.pool]->home];
  const std::optional<unsigned> its = places_[there.id].os_cpu;
  const bool is_near = !its || here == there.id;
  return there.parked.load(std::memory_order_relaxed) == worker::open && (is_near || move_to(*its)) && borrow(there)
             ? &there
             : nullptr;
}

/// Takes the place of that worker, if its thread sleeps. From here on the worker counts as searching, and the engine
/// does not end before give_back().
bool threads::borrow(worker& at) noexcept {
  if (at.parked.load(std::memory_order_relaxed) != worker::open || !sleepers_.rise(at.id)) {
    return false;
  }
  std::uint32_t open = worker::open;
  // Acquire: sees what the worker's thread, or the last client in its place, has done.
  if (!at.parked.compare_exchange_strong(open, worker::lent, std::memory_order_acquire, std::memory_order_relaxed)) {
    unpark(at.id);  // its thread gives stacks back now, and is awake already
    return false;
  }
  begin_waking();
  return true;
}

void threads::stand_in(worker& self, const root& task) noexcept {
  bool searches = true, quiet = false;
  {
    const thread_of here(self, slot_of_node(where_.nodes[places_[self.id].numa_node].os_index));
    self.serves = &task;
    self.turn_to(worker::doing::searching);
    sched::item found = look(self);
    // Nobody has left a wake-up to this search if no other root is under way. So the root begins without one.
    searches = !found || !sleepers_.end_search_alone([this] { return roots_.count_now() > 1; });
    if (searches) {
      if (found) {
        self.put_back(found);
      }
      found = search(self);
      searches = !found;
    }
    if (found) {
      self.turn_to(worker::doing::running);
    }
    while (found && !has_served(self)) {
      self.run(found);
      found = self.take_next();
      if (!found) {
        found = find(self);
        searches = !found;
      }
    }
    if (found) {
      self.put_back(found);
    }
    // The deques of its own are empty if the root has ended and there is no other.
    quiet = !found && task.ended() && self.has_nothing();
    self.takes_turn = false;
    self.serves = nullptr;
  }
  give_back(self, searches, quiet);
}

/// Ends what borrow() began. `searches`: the worker counts as searching. `quiet`: there seems to be nothing to do; then
/// its thread sleeps on, if that is so.
void threads::give_back(worker& self, bool searches, bool quiet) noexcept {
  if (!searches) {
    sleepers_.begin_search();
  }
  self.heard = 0;
  self.turn_to(worker::doing::asleep);
  // The worker that has ended the root says so before it counts it as ended.
  for (unsigned i = 0; quiet && i < 100 && roots_.any(); ++i) {
    hardware::pause();
  }
  bool sleeps = quiet && !roots_.any();
  if (sleeps) {
    self.parked.store(worker::open, std::memory_order_release);
    sleeps = sleepers_.lie_down_again(
        self.id, [this] { ask({0, workers() - 1}); },
        [this] { return !roots_.any() && !stopping_.load(std::memory_order_seq_cst); });
  }
  if (!sleeps) {
    unpark(self.id);
  }
  end_waking();
}

}  // namespace jackdaw::detail
