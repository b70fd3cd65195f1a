#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>

#include "sched/engine.hpp"

namespace jackdaw::sched {

/// The items of a pool, from its front to its back. Takes no lock.
class item_queue {
 public:
  bool empty() const noexcept { return items_.empty(); }
  std::size_t size() const noexcept { return items_.size(); }

  void put(item what, pool_end where, std::uint64_t order) {
    switch (where) {
      case pool_end::front:
        items_.push_front({what, order});
        break;
      case pool_end::back:
        items_.push_back({what, order});
        break;
      case pool_end::in_order:
        if (items_.empty() || items_.back().order <= order) return items_.push_back({what, order});
        // Searched from the front, because a task's children lie near it: the task was itself the first when it was
        // taken.
        items_.insert(std::find_if(items_.begin(), items_.end(), [&](const entry& each) { return each.order > order; }),
                      {what, order});
        break;
    }
  }

  /// Takes the item at that end, front or back; returns nothing if the queue is empty.
  item take(pool_end where) noexcept {
    if (items_.empty()) return {};
    const item found = where == pool_end::back ? items_.back().what : items_.front().what;
    if (where == pool_end::back) {
      items_.pop_back();
    } else {
      items_.pop_front();
    }
    return found;
  }

 private:
  struct entry {
    item what;
    std::uint64_t order;
  };
  std::deque<entry> items_;
};

}  // namespace jackdaw::sched
