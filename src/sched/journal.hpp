#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <utility>

namespace jackdaw::sched {

/// A list to which one thread adds and which any thread may read meanwhile; entries never move.
template <class T>
class journal {
 public:
  journal() = default;
  journal(const journal&) = delete;
  journal& operator=(const journal&) = delete;
  ~journal() {
    // One after the other: if each chunk destroyed its next one, destructors would nest as deep as the list is long.
    for (std::unique_ptr<chunk> gone = std::move(first_.next); gone != nullptr;) gone = std::move(gone->next);
  }

  /// Called by the one thread only.
  void add(const T& fresh) {
    const std::size_t at = size_.load(std::memory_order_relaxed);
    if (at != 0 && at % each == 0) {
      last_->next = std::make_unique<chunk>();
      last_ = last_->next.get();
    }
    last_->kept[at % each] = fresh;
    size_.store(at + 1, std::memory_order_release);  // publishes the entry, and the chunk that it is in
  }

  /// Calls f(entry) for each entry that was added before the call, in order.
  template <class F>
  void for_each(F&& f) const {
    const std::size_t size = size_.load(std::memory_order_acquire);
    const chunk* in = &first_;
    for (std::size_t at = 0; at < size; ++at) {
      if (at != 0 && at % each == 0) in = in->next.get();
      f(in->kept[at % each]);
    }
  }

 private:
  static constexpr std::size_t each = 64;
  struct chunk {
    std::array<T, each> kept;
    std::unique_ptr<chunk> next;  // written once, before the size that needs it
  };

  std::atomic<std::size_t> size_{0};
  chunk first_;
  chunk* last_ = &first_;  // used by the one thread
};

}  // namespace jackdaw::sched
