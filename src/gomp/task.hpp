#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "gomp/futex.hpp"

namespace jackdaw::gomp {

struct depend_table;
struct team;

/// omp_sched_t
enum class schedule : unsigned char { runtime = 0, fixed = 1, dynamic = 2, guided = 3, automatic = 4 };

/// What a task may set for itself and for what it makes: OpenMP's internal control variables of a data environment.
struct control {
  unsigned threads = 1;
  unsigned thread_limit = 0x7fffffff;
  int chunk = 1;
  schedule kind = schedule::dynamic;
  bool monotonic = false;
  bool adjusts = false;  ///< dyn-var
  unsigned char max_levels = 1;
};

/// A taskgroup: it ends when all tasks that were made in it have ended, and the tasks that these made.
struct task_set {
  task_set* around = nullptr;
  std::uintptr_t* reductions = nullptr;  ///< reduction.cpp
  bool of_share = false;                 ///< made for a worksharing construct's task reductions
  std::atomic<bool> cancelled{false};
  std::atomic<std::size_t> left{0};

  /// Whether what has not begun in it is to be dropped.
  bool drops() const noexcept {
    return cancelled.load(std::memory_order_relaxed) ||
           (of_share && around != nullptr && around->cancelled.load(std::memory_order_relaxed));
  }
};

/// A task of a team: the implicit one of each member, a deferred one in somebody's queue, or an included one, which
/// runs where it is met. It lives until it and all its children have ended, because they count down in it.
struct task {
  enum class kind : unsigned char { implicit, deferred, included };

  task() = default;
  task(const task&) = delete;
  task& operator=(const task&) = delete;
  ~task();

  void (*function)(void*) = nullptr;
  void* data = nullptr;
  task* parent = nullptr;
  task_set* set = nullptr;
  team* in = nullptr;
  control vars;
  unsigned depth = 0;  ///< of the parents' chain
  kind as = kind::implicit;
  bool final = false;
  bool is_ordered = false;  ///< it has `depend` clauses
  bool is_copied = false;   ///< its argument has objects, which its function destroys: it cannot be dropped
  bool detaches = false;    ///< it ends when its event has been fulfilled, too

  std::atomic<std::size_t> children{0};  ///< that have not ended
  std::atomic<std::size_t> users{1};     ///< itself, its children, and tables that name it

  task* newer = nullptr;  ///< in a queue
  task* older = nullptr;

  std::atomic<unsigned> ends_left{1};  ///< 2 for one that detaches: its function and its event

  // depend.cpp
  std::atomic<std::size_t> awaits{0};
  lock order;  ///< guards the next two
  bool has_ended = false;
  std::vector<task*> successors;
  std::unique_ptr<depend_table> table;  ///< of its children; used by the thread that runs it alone

  /// Whether the task is a child of `of`, or a child's child, and so on. Both are alive, so all between are.
  bool descends_from(const task& of) const noexcept {
    const task* at = this;
    while (at->depth > of.depth) at = at->parent;
    return at == &of;
  }
};

/// One user less; frees a task that is not implicit with its last one.
void release(task* one) noexcept;

/// The deferred tasks that a member has made and nobody has begun. Its own thread takes the newest, others the oldest.
/// Any thread may put one in: whoever fulfils an event.
class alignas(64) task_queue {
 public:
  void put(task& one) noexcept;
  /// The same for a task that an event has made ready. What the member's innermost task waits for may be below it from
  /// now on, so whoever looks for a certain task's descendants looks through the whole queue until that is empty.
  void put_amid(task& one) noexcept;
  /// Null: it is empty, or what is at that end does not descend from `of`; null stands for all.
  task* take_newest(const task* of) noexcept;
  task* take_oldest(const task* of) noexcept;

 private:
  void link(task& one) noexcept;
  task* unlink(task* one, const task* of) noexcept;
  lock lock_;
  bool is_mixed_ = false;               // something has been put amid the others
  std::atomic<task*> newest_{nullptr};  // written under the lock; null is read without it, as a hint
  task* oldest_ = nullptr;
};

}  // namespace jackdaw::gomp
