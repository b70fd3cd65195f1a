#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <queue>
#include <vector>

namespace jackdaw::sim {

/// When workers act next. Events at the same time come in the order in which they were added.
///
/// Most events are those of idle workers that look again and again, always after one of a few times. Events that are
/// added after the same delay come in the order of adding, so each such delay has a queue of its own and needs no heap.
class event_queue {
 public:
  struct event {
    double at;  ///< ns
    std::uint64_t order;
    std::uint32_t worker;
    bool operator>(const event& other) const noexcept { return at != other.at ? at > other.at : order > other.order; }
  };

  bool empty() const noexcept { return first_ == nowhere; }
  const event& top() const noexcept { return first_ == in_heap ? heap_.top() : queues_[first_].front(); }
  void pop() {
    if (first_ == in_heap) {
      heap_.pop();
    } else {
      queues_[first_].pop();
    }
    find_first();
  }

  /// Adds an event of a worker at `now` + `delay`, and returns its order. `now` must not be less than in earlier calls.
  std::uint64_t add(double now, double delay, std::uint32_t worker) {
    const event made{now + delay, added_++, worker};
    heap_.push(made);
    if (empty() || top() > made) first_ = in_heap;
    return made.order;
  }
  /// The same for a delay that comes again and again.
  std::uint64_t add_repeated(double now, double delay, std::uint32_t worker) {
    for (std::size_t i = 0; i < queues_.size(); ++i) {
      queue& into = queues_[i];
      if (into.empty()) into.delay = delay;
      if (into.delay != delay) continue;
      const event made{now + delay, added_++, worker};
      const bool sooner = empty() || top() > made;
      into.push(made);
      if (sooner) first_ = i;
      return made.order;
    }
    return add(now, delay, worker);
  }

 private:
  /// A ring that grows.
  class queue {
   public:
    double delay = 0;

    bool empty() const noexcept { return count_ == 0; }
    const event& front() const noexcept { return ring_[begin_]; }
    void pop() noexcept {
      begin_ = (begin_ + 1) & (ring_.size() - 1);
      --count_;
    }
    void push(const event& what) {
      if (count_ == ring_.size()) grow();
      ring_[(begin_ + count_++) & (ring_.size() - 1)] = what;
    }

   private:
    void grow() {
      std::vector<event> larger(ring_.empty() ? 64 : 2 * ring_.size());
      for (std::size_t i = 0; i < count_; ++i) larger[i] = ring_[(begin_ + i) & (ring_.size() - 1)];
      ring_ = std::move(larger);
      begin_ = 0;
    }

    std::vector<event> ring_;  // its size is a power of two
    std::size_t begin_ = 0, count_ = 0;
  };

  static constexpr std::size_t in_heap = 8, nowhere = 9;

  void find_first() noexcept {
    first_ = heap_.empty() ? nowhere : in_heap;
    for (std::size_t i = 0; i < queues_.size(); ++i)
      if (!queues_[i].empty() && (empty() || top() > queues_[i].front())) first_ = i;
  }

  std::array<queue, in_heap> queues_;
  std::priority_queue<event, std::vector<event>, std::greater<>> heap_;
  std::size_t first_ = nowhere;  ///< where the first event is
  std::uint64_t added_ = 0;
};

}  // namespace jackdaw::sim
