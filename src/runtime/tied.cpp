// Tasks that return to a thread, because of jackdaw::tied. README-return.md.
#include "jackdaw/tied.hpp"

#include "runtime/client.hpp"
#include "runtime/fatal.hpp"
#include "runtime/threads.hpp"

namespace jackdaw::detail {

void go_back(const void* thread) noexcept {
  // Again if something else has resumed it elsewhere: a client that gives its place back passes on what it has found.
  while (this_thread() != thread) {
    this_worker()->suspend(
        [](worker& on, fiber* left, void* thread) noexcept -> fiber* {
          on.home.send_back(thread, left);
          return nullptr;
        },
        const_cast<void*>(thread));
  }
}

/// Lets a task that is off its stack go on on that thread, a worker's or a client's, which is still there: the task is
/// of a root that has not ended, or the client lingers for it.
void threads::send_back(const void* thread, fiber* rest) noexcept {
  const auto into = [rest](run_queue& returns) { returns.put(rest->turn, item_of(rest), 0); };
  if (const std::uint32_t whose = worker_on(thread); whose != sched::none) {
    worker& there = *workers_[whose];
    into(there.returns);
    if (has_other_roots()) {
      hurry(there);
    }
    wake(whose);
    return;
  }
  // A thread of the host may be a client, with an isolated task; then it comes to nothing that its host calls it for.
  if (!clients_.with(thread, [&](client& there) { there.task.call([&] { into(there.returns); }); }) &&
      !send_to_guest(thread, rest)) {
    fatal("a task is to return to a thread that has left");
  }
}

void threads::settle(std::uint32_t who, entry& what, queued& turn) noexcept {
  workers_[who]->returns.put(turn, item_of(&what), 0);
  wake(who);
}

/// What the worker runs may be long; it comes to its loop at the next fork.
void threads::hurry(worker& busy) noexcept {
  busy.gives_way.store(true, std::memory_order_relaxed);
  busy.summon();  // release: the worker that answers sees the line above
  recall(busy.id);
}

/// What goes on on the thread that has this place, and nowhere else. In an arena also what was sent to a thread that
/// has left the place meanwhile; it will be sent again.
sched::item threads::returned(worker& self) noexcept {
  sched::item back = (self.serves != nullptr ? self.serves->returns : self.returns).take();
  // Not if that thread waits inside, because it has lent the place. Relaxed: whoever has the place has acquired what
  // the last thread did there (README-arena.md), so it sees the null that each thread stores before it leaves.
  if (!back && self.serves != nullptr && host_ != nullptr && self.thread.load(std::memory_order_relaxed) == nullptr) {
    back = self.returns.take();
  }
  if (back) {
    use(self.id, sched::deque_kind::local);
  }
  return back;
}

}  // namespace jackdaw::detail
