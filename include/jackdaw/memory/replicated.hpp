#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <memory_resource>
#include <mutex>
#include <new>
#include <optional>
#include <ranges>
#include <shared_mutex>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "jackdaw/detail/home_slot.hpp"
#include "jackdaw/detail/memory/first_touch.hpp"
#include "jackdaw/error.hpp"
#include "jackdaw/memory/placed_resource.hpp"
#include "jackdaw/memory/this_node.hpp"

#pragma GCC visibility push(default)

namespace jackdaw {

/// What became of a replicated object.
struct replication_report {
  std::vector<unsigned> nodes = {};     ///< that have a copy of their own by now, in the order in which they got it
  std::vector<unsigned> wanted = {};    ///< all nodes with processors that this process may use
  std::size_t bytes = 0;                ///< of one copy, as far as it can be told
  std::size_t budget = 0;               ///< for all copies together
  bool interleaved = false;             ///< there is one copy for all, since the budget is less than one for each
  std::vector<std::string> notes = {};  ///< a line for everything that is not as it was asked for
};

namespace detail {

/// Bytes of an object and of the elements in it.
template <class T>
std::size_t footprint(const T& object) {
  std::size_t bytes = sizeof(T);
  if constexpr (std::ranges::sized_range<const T>) {
    bytes += static_cast<std::size_t>(std::ranges::size(object)) * sizeof(std::ranges::range_value_t<const T>);
  }
  return bytes;
}

/// The nodes with processors that this process may use, and the memory of which it may use.
std::vector<unsigned> nodes_to_replicate_on();

/// An object in memory of its own that is placed as a policy says; and all that it holds, if T uses a polymorphic
/// allocator or is a placed container.
template <class T>
class replica {
 public:
  replica(const T& from, const placement& how, std::optional<unsigned> on) : node(on), memory_(how) {
    void* const at = memory_.allocate(sizeof(T), alignof(T));
    try {
      object_ = make(at, from, how);
    } catch (...) {
      memory_.deallocate(at, sizeof(T), alignof(T));
      throw;
    }
  }
  ~replica() {
    std::destroy_at(object_);
    memory_.deallocate(object_, sizeof(T), alignof(T));
  }
  replica(const replica&) = delete;
  replica& operator=(const replica&) = delete;

  T* get() const noexcept { return object_; }

  const std::optional<unsigned> node;  ///< none for one that is interleaved

 private:
  T* make(void* at, const T& from, const placement& how) {
    auto* const place = static_cast<T*>(at);
    if constexpr (std::is_constructible_v<T, const T&, const placement&, by_this_thread>) {
      return std::construct_at(place, from, how, by_this_thread{});
    } else if constexpr (std::uses_allocator_v<T, std::pmr::polymorphic_allocator<>>) {
      return std::uninitialized_construct_using_allocator(place, std::pmr::polymorphic_allocator<>(&memory_), from);
    } else {
      return std::construct_at(place, from);
    }
  }

  placed_resource memory_;
  T* object_ = nullptr;
};

}  // namespace detail

/// A table that is read much and written seldom, with a copy on each memory node that has processors: made when a task
/// first asks for it there, by the worker that runs the task. What a copy holds lies on its node too if T is trivially
/// copyable, a placed_array or placed_vector, or uses a std::pmr allocator; else it lies where T's own allocator puts
/// what the copying worker asks it for. T's copy constructor must not fork. src/memory/README-replicated.md has the
/// protocol.
template <class T>
class replicated {
 public:
  /// `budget`: bytes that all copies together may take; if that is less than one on each node, there is a single one,
  /// interleaved over the nodes. Throws error for a budget below a page, std::bad_alloc, and what T's copy throws.
  explicit replicated(const T& value, std::size_t budget = placement::unlimited)
      : nodes_(detail::nodes_to_replicate_on()) {
    if (budget < base_page_size()) {
      throw error("replicated: a budget of " + std::to_string(budget) + " B, expected at least one page, " +
                  std::to_string(base_page_size()) + " B");
    }
    report_.wanted = nodes_;
    report_.bytes = detail::footprint(value);
    report_.budget = budget;
    report_.interleaved = budget / nodes_.size() < report_.bytes;
    if (report_.interleaved) {
      report_.notes.push_back("the budget of " + std::to_string(budget) + " B is less than " +
                              std::to_string(nodes_.size()) + " copies of " + std::to_string(report_.bytes) +
                              " B: one copy, interleaved");
    }
    const std::optional<unsigned> here = this_node();
    home_node_ = here && is_wanted(*here) ? *here : nodes_.front();
    publish(make_home(value));
  }

  replicated(const replicated&) = delete;
  replicated& operator=(const replicated&) = delete;

  /// The copy nearest to the caller: one load, but for the first time on a node and on threads that are no workers. It
  /// is valid until the second update() from now on begins to publish, so ask again in each task.
  const T& local() const {
    const T* const found = slots_[detail::this_home_slot()].load(std::memory_order_acquire);
    return found != nullptr ? *found : first_use();
  }

  /// Calls f(T&) on a new copy, then lets all readers have that: who calls local() after update() has returned sees the
  /// new value, who does so meanwhile sees the old one or the new one, whole. The copies of before stay alive until the
  /// next update has published. Throws error if another update is under way, and what f and T's copy throw; then
  /// nothing has changed.
  template <class F>
  void update(F&& f) {
    if (updating_.exchange(true, std::memory_order_acquire)) {
      throw error("replicated: an update is under way, expected one at a time");
    }
    // Not a lock: f may fork and come back on another thread.
    const struct last {
      std::atomic<bool>& flag;
      ~last() { flag.store(false, std::memory_order_release); }
    } ended{updating_};
    auto next = make_home(*home_->get());
    std::forward<F>(f)(*next->get());
    publish(std::move(next));
  }

  /// What there is now. May be called at any time.
  replication_report report() const {
    const std::lock_guard hold(keeping_);
    replication_report now = report_;
    for (const auto& each : current_) {
      if (each->node) now.nodes.push_back(*each->node);
    }
    return now;
  }

 private:
  using copy = detail::replica<T>;

  bool is_wanted(unsigned node) const { return std::find(nodes_.begin(), nodes_.end(), node) != nodes_.end(); }

  std::unique_ptr<copy> make_home(const T& from) const {
    if (report_.interleaved) return std::make_unique<copy>(from, placement::interleave(nodes_), std::nullopt);
    return std::make_unique<copy>(from, placement::on(home_node_), home_node_);
  }

  void publish(std::unique_ptr<copy> next) {
    std::vector<std::unique_ptr<copy>> gone, fresh;
    fresh.push_back(std::move(next));  // first of all, as it may throw
    {
      const std::unique_lock nobody_copies(publishing_);
      const std::lock_guard hold(keeping_);
      home_ = fresh.front().get();
      gone = std::exchange(retired_, std::exchange(current_, std::move(fresh)));
      const unsigned home_slot = detail::slot_of_node(home_node_);
      // slots_[0] stays empty: threads that are no workers take the slow way.
      for (unsigned slot = 1; slot < detail::home_slots; ++slot) {
        const bool served = report_.interleaved || slot == home_slot;
        slots_[slot].store(served ? home_->get() : nullptr, std::memory_order_release);
      }
    }
  }

  [[gnu::noinline]] const T& first_use() const {
    const unsigned node = this_node().value_or(home_node_);
    const unsigned slot = detail::slot_of_node(node);
    if (const T* const found = slots_[slot].load(std::memory_order_acquire)) return *found;
    const std::shared_lock no_update_publishes(publishing_);
    const std::lock_guard one_copies_here(making_[slot]);
    if (const T* const found = slots_[slot].load(std::memory_order_relaxed)) return *found;
    const T* made = home_->get();
    if (is_wanted(node)) {
      try {
        auto fresh = std::make_unique<copy>(*home_->get(), placement::on(node), node);
        const std::lock_guard hold(keeping_);
        current_.push_back(std::move(fresh));
        made = current_.back()->get();
      } catch (const std::bad_alloc&) {
        note_no_copy(node);
      }
    }
    slots_[slot].store(made, std::memory_order_release);
    return *made;
  }

  void note_no_copy(unsigned node) const noexcept {
    try {
      const std::lock_guard hold(keeping_);
      report_.notes.push_back("no memory for a copy on node " + std::to_string(node) + ": it uses another node's");
    } catch (const std::bad_alloc&) {  // NOLINT(bugprone-empty-catch): not for the note either
    }
  }

  const std::vector<unsigned> nodes_;
  unsigned home_node_ = 0;
  mutable std::array<std::atomic<const T*>, detail::home_slots> slots_{};
  std::atomic<bool> updating_{false};
  mutable std::shared_mutex publishing_;  // shared: by who makes a copy of home_; alone: by who changes it
  mutable std::array<std::mutex, detail::home_slots> making_;
  mutable std::mutex keeping_;  // guards current_, retired_ and the report's notes
  copy* home_ = nullptr;
  mutable std::vector<std::unique_ptr<copy>> current_;
  std::vector<std::unique_ptr<copy>> retired_;
  mutable replication_report report_;  // but for its notes, fixed once made
};

}  // namespace jackdaw

#pragma GCC visibility pop
