// How a worker's running task gives other roots their turns. README-roots.md.
#include <algorithm>
#include <new>
#include <utility>

#include "runtime/threads.hpp"
#include "runtime/worker.hpp"

namespace jackdaw::detail {
namespace {

/// Returns the fiber whose own rest the entry is; null for other entries.
fiber* preempted(entry* what) noexcept {
  if (what->start != nullptr) return nullptr;
  auto* const rest = static_cast<continuation*>(what);
  return rest->group == nullptr ? rest->of : nullptr;
}

}  // namespace

bool worker::owes_a_turn() noexcept {
  if (!gives_way.load(std::memory_order_relaxed)) {
    return false;
  }
  if (!home.has_other_roots() && !leaves.load(std::memory_order_relaxed)) {
    // A question that comes between these two lines is lost. Its client asks again within a millisecond.
    gives_way.store(false, std::memory_order_relaxed);
    return false;
  }
  return true;
}

void worker::give_way() noexcept {
  gives_way.store(false, std::memory_order_relaxed);
  queued& turn = active->current->turn;
  if (const std::size_t most = active->deque.size()) {
    turn.exposed.reset(new (std::nothrow) entry*[most]);
    if (!turn.exposed) {
      return;
    }
  }
  takes_turn = true;
  counts.turns.add();
  leave(
      [](worker& on, fiber* left, void*) noexcept -> fiber* {
        queued& to = left->turn;
        on.active->deque.take_all([&to](entry* each) { to.exposed[to.count++] = each; });
        on.set_apart(to);
        on.home.requeue(left);
        return nullptr;
      },
      nullptr, worker_event::reason::gives_way);
}

/// Puts the rests of other tasks, which are below what a task that gives way has exposed, into the queue by themselves,
/// each with what it had exposed itself. No other thread can reach any of these entries now.
void worker::set_apart(queued& turn) noexcept {
  std::size_t begin = 0;
  for (std::size_t i = 0; i < turn.count; ++i) {
    fiber* const other = preempted(turn.exposed[i]);
    if (other == nullptr) {
      continue;
    }
    queued& its = other->turn;
    if (const std::size_t below = i - begin) {
      its.exposed.reset(new (std::nothrow) entry*[below]);
      if (!its.exposed) {
        break;  // this rest goes along with the task that gives way
      }
      std::copy_n(&turn.exposed[begin], below, &its.exposed[0]);
      its.count = below;
    }
    begin = i + 1;
    claim(&other->self);
    home.requeue(other);
  }
  if (begin != 0) {
    std::move(&turn.exposed[begin], &turn.exposed[turn.count], &turn.exposed[0]);
    turn.count -= begin;
  }
}

void worker::take_up(queued& turn) noexcept {
  for (std::size_t i = 0; i < turn.count; ++i) {
    (void)active->deque.push(turn.exposed[i]);  // a question is answered at the next fork
  }
  if (turn.count != 0) {
    home.notice(id);  // a worker that has lain down meanwhile has asked, and was not answered
  }
  turn.count = 0;
  turn.exposed.reset();
}

}  // namespace jackdaw::detail
