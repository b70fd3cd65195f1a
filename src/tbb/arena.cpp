#include "tbb/arena.hpp"

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "base/immortal.hpp"
#include "jackdaw/detail/branch.hpp"
#include "jackdaw/error.hpp"
#include "runtime/runtime_access.hpp"
#include "runtime/threads.hpp"
#include "tbb/contexts.hpp"
#include "tbb/controls.hpp"
#include "tbb/dispatch.hpp"
#include "tbb/entry_root.hpp"
#include "tbb/known_library.hpp"
#include "tbb/spawn.hpp"

namespace jackdaw::onetbb {
namespace {

/// The arenas that no task_arena refers to, and how many others there are. One list: programs have few.
struct arena_list {
  std::mutex mutex;
  std::vector<std::pair<arena_options, arena*>> unused;
  std::map<arena*, arena_options> used;
  std::map<unsigned, arena*> limited;  // in place of the whole runtime, by the number of workers
};
detail::immortal<arena_list> arenas;

bool same(const arena_options& a, const arena_options& b) noexcept {
  return a.workers == b.workers && a.node == b.node && a.core_type == b.core_type && a.priority == b.priority;
}

/// The root that runs what is in an arena's inbox. Nobody waits for it.
class collector final : public entry_root {
 public:
  explicit collector(arena& in) noexcept : entry_root(in, nullptr, reinterpret_cast<const void*>(&run_inbox), nullptr) {
    unattended = true;
  }
  void end() override { delete this; }

 private:
  void body() override { run_inbox(); }
};

}  // namespace

arena& whole() {
  static detail::immortal<arena> it;
  return it.it;
}

arena& default_arena() {
  const unsigned allowed = allowed_parallelism();
  if (allowed == 0 || static_cast<int>(allowed) >= whole().workers()) return whole();
  {
    const std::lock_guard hold(arenas.it.mutex);
    if (const auto found = arenas.it.limited.find(allowed); found != arenas.it.limited.end()) return *found->second;
  }
  arena& made = take_arena({.workers = allowed});
  const std::lock_guard hold(arenas.it.mutex);
  return *arenas.it.limited.emplace(allowed, &made).first->second;
}

void forget_arenas() noexcept {
  new (&arenas.it.mutex) std::mutex;
  whole().waiting().forget();
  for (const auto& [each, how] : arenas.it.used) each->waiting().forget();
  for (const auto& [how, each] : arenas.it.unused) each->waiting().forget();
}

arena& take_arena(const arena_options& how) {
  const std::lock_guard hold(arenas.it.mutex);
  auto& unused = arenas.it.unused;
  arena* found = nullptr;
  for (auto each = unused.begin(); each != unused.end(); ++each) {
    if (same(each->first, how)) {
      found = each->second;
      unused.erase(each);
      break;
    }
  }
  if (found == nullptr) {
    arena_options named = how;
    named.scheduler = std::string(runtime::instance().scheduler());
    try {
      found = new arena(&named);
    } catch (const error&) {
      found = new arena(&how);  // that scheduler needs threads of its own
    }
  }
  arenas.it.used[found] = how;
  found->users = 1;
  return *found;
}

void drop(arena& of) noexcept {
  if (of.is_default() || of.users.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  const std::lock_guard hold(arenas.it.mutex);
  const auto found = arenas.it.used.find(&of);
  arenas.it.unused.emplace_back(found->second, &of);
  arenas.it.used.erase(found);
}

bool end_unused_arenas() {
  arena_list& all = arenas.it;
  const std::lock_guard hold(all.mutex);
  std::erase_if(all.limited, [&](const auto& each) {
    const bool ends = each.second->users.load(std::memory_order_acquire) == 1;
    if (ends) {
      all.used.erase(each.second);
      delete each.second;
    }
    return ends;
  });
  for (auto& [how, each] : all.unused) delete each;
  all.unused.clear();
  return all.used.empty();
}

arena& this_arena() {
  const frame* const in = this_frame();
  return in != nullptr ? *in->in : default_arena();
}

void run_inbox() noexcept {
  for (;;) {
    detail::look_up_if_asked();
    detail::worker& on = *detail::this_worker();
    detail::entry* const newest = on.active->deque.pop_newest();
    if (newest == nullptr) {
      if (!unpack(on, *this_frame()->in)) return;
    } else if (newest->start != &run_on_fiber) {
      on.keep(newest);
      return;
    } else {
      run_here(*static_cast<record*>(newest));
    }
  }
}

}  // namespace jackdaw::onetbb

namespace tbb::detail::r1 {

using namespace jackdaw::onetbb;

arena::arena(const jackdaw::arena_options* how)
    : inside_(how != nullptr ? jackdaw::detail::runtime_access::arena_of(jackdaw::runtime::instance(), *how, true)
                             : nullptr) {}

jackdaw::runtime& arena::engine() {
  if (inside_ != nullptr) return *inside_;
  prepare_default_runtime();
  return jackdaw::runtime::instance();
}

int arena::workers() { return static_cast<int>(engine().workers()); }

void arena::put(jackdaw::onetbb::record& one) {
  if (!waiting_.put(one)) return;
  auto made = std::make_unique<collector>(*this);
  jackdaw::detail::runtime_access::send(engine(), *made);
  made.release();  // it may be gone already
}

}  // namespace tbb::detail::r1
