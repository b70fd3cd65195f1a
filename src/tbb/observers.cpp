// Observers: who is told when a thread is in an arena.
#include "tbb/observers.hpp"

#include <algorithm>
#include <mutex>
#include <new>
#include <thread>
#include <vector>

#include "base/immortal.hpp"
#include "runtime/worker.hpp"
#include "tbb/arena.hpp"
#include "tbb/frame.hpp"

namespace jackdaw::onetbb {
namespace {

using proxy = r1::observer_proxy;

struct observing {
  std::mutex mutex;
  std::vector<proxy*> all;
  std::vector<proxy*> ended;  // not freed: a thread that has told one may still compare its address with others'
};
detail::immortal<observing> known;
std::atomic<unsigned> changes{0};  // of the list
std::atomic<unsigned> count{0};    // its length

/// What the calling thread has told: while it is in the arena, those observers know.
struct told {
  arena* in = nullptr;
  unsigned as_of = 0;
  std::vector<proxy*> whom;
  ~told();
};
thread_local told here;
constinit thread_local bool is_gone = false;  // static objects' destructors may still fork on the thread
thread_local const proxy* calling = nullptr;  // an observer may end itself

bool is_worker() noexcept { return detail::this_worker() != nullptr; }

/// Calls the observer, if it is still there; it does not go meanwhile.
void call(proxy* whom, bool enters, bool from_worker) {
  {
    const std::lock_guard hold(known.it.mutex);
    if (std::find(known.it.all.begin(), known.it.all.end(), whom) == known.it.all.end()) return;
    whom->calls.fetch_add(1, std::memory_order_relaxed);
  }
  const proxy* const around = std::exchange(calling, whom);
  enters ? whom->of->on_scheduler_entry(from_worker) : whom->of->on_scheduler_exit(from_worker);
  calling = around;
  whom->calls.fetch_sub(1, std::memory_order_release);
}

/// What observers ask, and fork, is of the arena and part of no group.
frame frame_in(arena* of) noexcept { return {{nullptr, d1::no_slot, d1::no_slot}, of, nullptr}; }

void leave(told& mine, bool from_worker) {
  frame top = frame_in(mine.in);
  const inside until_they_know(top);
  const std::vector<proxy*> whom = std::exchange(mine.whom, {});
  mine.in = nullptr;
  for (proxy* each : whom) call(each, false, from_worker);
}

told::~told() {
  if (!whom.empty()) leave(*this, true);
  is_gone = true;
}

[[gnu::noinline]] void tell(arena* in) noexcept {
  if (is_gone) return;
  told& mine = here;
  const unsigned now = changes.load(std::memory_order_acquire);
  if (mine.in == in && mine.as_of == now) return;
  if (mine.in != in && mine.in != nullptr) leave(mine, is_worker());
  mine.in = in;
  mine.as_of = now;
  std::vector<proxy*> news;
  {
    const std::lock_guard hold(known.it.mutex);
    for (proxy* each : known.it.all) {
      if (each->in == in && std::find(mine.whom.begin(), mine.whom.end(), each) == mine.whom.end()) {
        news.push_back(each);
      }
    }
  }
  frame top = frame_in(in);
  const inside until_they_know(top);
  for (proxy* each : news) {
    mine.whom.push_back(each);
    call(each, true, is_worker());
  }
}

}  // namespace

void enter(arena* in) noexcept {
  if (count.load(std::memory_order_relaxed) != 0 || changes.load(std::memory_order_relaxed) != 0) [[unlikely]] {
    tell(in);
  }
}

void forget_observers() noexcept { new (&known.it.mutex) std::mutex; }

}  // namespace jackdaw::onetbb

namespace tbb::detail::r1 {

using namespace jackdaw::onetbb;

void observe(d1::task_scheduler_observer& of, bool on) {
  std::atomic<observer_proxy*>& slot = observer_proxy::proxy(of);
  observer_proxy* const old = slot.load(std::memory_order_acquire);
  if (on == (old != nullptr)) return;
  if (on) {
    arena* in = nullptr;
    if (d1::task_arena* const where = observer_proxy::where(of)) {
      where->initialize();
      in = task_arena_impl::inside(*where);
    } else {
      in = &this_arena();
    }
    auto* const made = new observer_proxy;
    made->of = &of;
    made->in = in;
    slot.store(made, std::memory_order_release);
    {
      const std::lock_guard hold(known.it.mutex);
      known.it.all.push_back(made);
    }
    count.fetch_add(1, std::memory_order_relaxed);
    changes.fetch_add(1, std::memory_order_release);
    if (in == &this_arena()) enter(in);
    return;
  }
  {
    const std::lock_guard hold(known.it.mutex);
    std::erase(known.it.all, old);
    known.it.ended.push_back(old);
  }
  count.fetch_sub(1, std::memory_order_relaxed);
  changes.fetch_add(1, std::memory_order_release);
  const int own = calling == old ? 1 : 0;
  while (old->calls.load(std::memory_order_acquire) > own) std::this_thread::yield();
  if (!is_gone && std::erase(here.whom, old) != 0) {
    frame top = frame_in(old->in);
    const inside until_it_knows(top);
    of.on_scheduler_exit(is_worker());
  }
  slot.store(nullptr, std::memory_order_release);
}

}  // namespace tbb::detail::r1
