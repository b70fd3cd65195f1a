#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "sched/engine.hpp"
#include "sched/upper_task.hpp"
#include "trace/task_tree.hpp"

namespace jackdaw::sim {

struct group_run;

/// A recorded task that runs, waits or has not begun. A frame that is its own base corresponds to a fiber of the
/// threads engine. Other frames run on their base's stack, such as the branches of an invoke that were not taken.
struct frame {
  const trace::task* of = nullptr;
  std::uint32_t next = 0;   ///< the step to make next
  std::uint32_t index = 0;  ///< which child of its group, in serial order
  frame* base = nullptr;
  frame* caller = nullptr;                   ///< the frame that continues when this one ends; null for a base
  group_run* member_of = nullptr;            ///< the group of which this is a child; null for a root
  group_run* invoking = nullptr;             ///< the structured group that this frame is executing
  std::vector<group_run*> open;              ///< groups of its own that it has not waited for
  bool detached = false;                     ///< counted by member_of as running without its parent
  bool begun = false;                        ///< of a base: a worker has entered it
  bool searching = false;                    ///< of a base: it is in the upper tier
  std::unique_ptr<sched::upper_task> upper;  ///< of a base that the scheduler placed
};

/// A group between its first fork and the end of the wait for it.
struct group_run {
  enum class branch : std::uint8_t { exposed, taken, ended };

  const trace::group* of = nullptr;
  std::uint32_t id = 0;
  frame* owner = nullptr;
  std::uint32_t pending = 0;  ///< children that run without their parent
  bool waiting = false;
  std::unique_ptr<sched::upper_group> upper;  ///< of a group that the scheduler has heard of

  // A structured group of the lower tier:
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  std::vector<branch> branches;
  std::uint64_t first_fork = 0;  ///< of the ops; the others follow
  std::uint32_t current = 0;     ///< the branch that comes next, in serial order
  std::uint32_t awaited = none;  ///< the branch whose end the suspended owner waits for
};

/// What a simulated deque holds.
struct entry {
  enum class kind : std::uint8_t {
    rest,    ///< the rest of `who`
    branch,  ///< branch `index` of `group`
    child,   ///< a help-first child, `who`
  };
  kind what = kind::rest;
  frame* who = nullptr;
  frame* child = nullptr;  ///< of a rest that a work-first spawn exposed: the child to continue after
  group_run* group = nullptr;
  std::uint32_t index = 0;
};

/// A simulated deque, oldest entry first. What it holds counts in the number of waiting tasks that all share.
class entries {
 public:
  void count_in(std::size_t& waiting) noexcept { waiting_ = &waiting; }

  bool empty() const noexcept { return all_.empty(); }
  entry& front() noexcept { return all_.front(); }
  entry& back() noexcept { return all_.back(); }
  auto rbegin() noexcept { return all_.rbegin(); }
  auto rend() noexcept { return all_.rend(); }
  void push_back(const entry& made) {
    all_.push_back(made);
    ++*waiting_;
  }
  void pop_back() noexcept {
    all_.pop_back();
    --*waiting_;
  }
  void pop_front() noexcept {
    all_.pop_front();
    --*waiting_;
  }

 private:
  std::deque<entry> all_;
  std::size_t* waiting_ = nullptr;
};

/// The engine's items are frames here.
inline frame& frame_of(sched::item what) noexcept { return *reinterpret_cast<frame*>(what.handle()); }
inline sched::item item_of(frame& what) noexcept { return sched::item(reinterpret_cast<std::uintptr_t>(&what)); }

/// A pool of objects. An object that is given back keeps its memory.
template <class T>
class recycled {
 public:
  T& take() {
    if (free_.empty()) {
      all_.push_back(std::make_unique<T>());
      free_.push_back(all_.back().get());
    }
    T& taken = *free_.back();
    free_.pop_back();
    return taken;
  }
  void give(T& back) { free_.push_back(&back); }
  std::size_t in_use() const noexcept { return all_.size() - free_.size(); }
  /// The most objects that have been in use at once.
  std::size_t most() const noexcept { return all_.size(); }

 private:
  std::vector<std::unique_ptr<T>> all_;
  std::vector<T*> free_;
};

}  // namespace jackdaw::sim
