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

#include "jackdaw/detail/caught.hpp"
#include "jackdaw/detail/export.hpp"
#include "jackdaw/detail/home_slot.hpp"
#include "jackdaw/detail/memory/first_touch.hpp"
#include "jackdaw/error.hpp"
#include "jackdaw/memory/placed_resource.hpp"
#include "jackdaw/memory/this_node.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw {

/// The state of a replicated object. Nodes have the operating system's numbers.
struct replication_report {
  std::vector<unsigned> nodes = {};     ///< The nodes that have a copy now, in the order in which they got it.
  std::vector<unsigned> wanted = {};    ///< All nodes with processors that this process may use.
  std::size_t bytes = 0;                ///< The size in bytes of one copy: the object and the elements of a range.
  std::size_t budget = 0;               ///< The most bytes that all copies together may take.
  bool interleaved = false;             ///< Whether all nodes share one copy, because the budget is too small.
  std::vector<std::string> notes = {};  ///< One line for each deviation from the request.
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
    JACKDAW_TRY { object_ = make(at, from, how); }
    JACKDAW_CATCH {
      memory_.deallocate(at, sizeof(T), alignof(T));
      JACKDAW_RETHROW;
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

/// A read-mostly object with a copy on each memory node that has processors.
///
/// A copy is made when a task first asks for it on that node, by the worker that runs the task. The contents of a copy
/// are on its node as well if T is trivially copyable, a placed_array or placed_vector, or uses a std::pmr allocator.
/// Otherwise they are where T's own allocator puts them. The copy constructor of T must not fork.
///
///     jackdaw::replicated<dictionary> words(read_words());
///     const dictionary& nearest = words.local();                // in a task
///     words.update([&](dictionary& next) { next.add(word); });  // seen by all tasks that ask afterwards
/// @par Thread safety
/// Any number of threads and tasks may call local() and report() at any time, also during an update(). Only one
/// update() may be under way.
template <class T>
class replicated {
 public:
  /// Copies `value` to the node of the caller.
  ///
  /// @param value The object to replicate.
  /// @param budget The most bytes that all copies together may take. If that is less than one copy on each node, there
  /// is a single copy, interleaved over the nodes.
  /// @throws error if the budget is less than a page, or if this process may use no memory node.
  /// @throws std::bad_alloc if there is no memory for the copy.
  /// @throws anything that the copy constructor of T throws.
  explicit replicated(const T& value, std::size_t budget = placement::unlimited)
      : nodes_(detail::nodes_to_replicate_on()) {
    if (budget < base_page_size()) {
      detail::throw_error("replicated: a budget of " + std::to_string(budget) + " B, expected at least one page, " +
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

  /// Not copyable.
  replicated(const replicated&) = delete;
  /// Not assignable.
  replicated& operator=(const replicated&) = delete;

  /// Returns the copy nearest to the caller.
  ///
  /// The reference is valid until the second update() from now begins to publish its copy. Each task should therefore
  /// call local() again. If there is no memory for a copy on the caller's node, the call returns the copy of another
  /// node, and report() says so.
  ///
  /// @throws anything that the copy constructor of T throws, except std::bad_alloc, if the call makes a copy.
  /// @par Complexity
  /// One atomic load on a worker. The first call on each node makes the copy and may wait for another one to be made.
  /// Threads that are no workers look up their node first.
  const T& local() const {
    const T* const found = slots_[detail::this_home_slot()].load(std::memory_order_acquire);
    return found != nullptr ? *found : first_use();
  }

  /// Calls `f(T&)` on a new copy and then publishes it to all readers.
  ///
  /// A call of local() after update() has returned sees the new value. A call during the update sees either the old
  /// value or the new one, complete. The old copies stay alive until the next update has published. If update() throws,
  /// nothing has changed.
  ///
  /// @param f Changes the new copy. It may fork.
  /// @throws error if another update is under way.
  /// @throws std::bad_alloc if there is no memory for the copy.
  /// @throws anything that `f` or the copy constructor of T throws.
  /// @par Complexity
  /// One copy of T. The other nodes copy it at their next local().
  template <class F>
  void update(F&& f) {
    if (updating_.exchange(true, std::memory_order_acquire)) {
      detail::throw_error("replicated: an update is under way, expected one at a time");
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

  /// Returns the state of the object at this moment.
  ///
  /// @throws std::bad_alloc if there is no memory for the report.
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
      JACKDAW_TRY {
        auto fresh = std::make_unique<copy>(*home_->get(), placement::on(node), node);
        const std::lock_guard hold(keeping_);
        current_.push_back(std::move(fresh));
        made = current_.back()->get();
      }
      JACKDAW_CATCH_OF(const std::bad_alloc&) { note_no_copy(node); }
    }
    slots_[slot].store(made, std::memory_order_release);
    return *made;
  }

  void note_no_copy(unsigned node) const noexcept {
    JACKDAW_TRY {
      const std::lock_guard hold(keeping_);
      report_.notes.push_back("no memory for a copy on node " + std::to_string(node) + ": it uses another node's");
    }
    JACKDAW_CATCH_OF(const std::bad_alloc&) {  // NOLINT(bugprone-empty-catch): not for the note either
    }
  }

  const std::vector<unsigned> nodes_;
  unsigned home_node_ = 0;
  mutable std::array<std::atomic<const T*>, detail::home_slots> slots_{};
  std::atomic<bool> updating_{false};
  mutable std::shared_mutex publishing_;  // shared: to make a copy of home_; alone: to change it
  mutable std::array<std::mutex, detail::home_slots> making_;
  mutable std::mutex keeping_;  // guards current_, retired_ and the report's notes
  copy* home_ = nullptr;
  mutable std::vector<std::unique_ptr<copy>> current_;
  std::vector<std::unique_ptr<copy>> retired_;
  mutable replication_report report_;  // but for its notes, fixed once made
};

}  // namespace jackdaw

JACKDAW_EXPORT_END
