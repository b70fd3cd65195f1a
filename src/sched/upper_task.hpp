#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <type_traits>

#include "sched/span.hpp"

namespace jackdaw::sched {

class upper_task;

/// Room for a scheduler's own state of a task or a group: one object of its own type, all of whose bits are zero at
/// first. A scheduler derived from another one puts the base's object first in its own, so that both find theirs.
template <std::size_t Bytes>
class scheduler_state {
 public:
  template <class State>
  State& own() noexcept {
    static_assert(std::is_trivially_copyable_v<State> && std::is_standard_layout_v<State>);
    static_assert(std::is_trivially_default_constructible_v<State>, "its members are zero; initialisers would not run");
    static_assert(sizeof(State) <= Bytes && alignof(State) <= alignof(std::uint64_t));
    return *std::launder(reinterpret_cast<State*>(room_.data()));
  }
  template <class State>
  const State& own() const noexcept {
    return const_cast<scheduler_state&>(*this).template own<State>();
  }

 private:
  alignas(std::uint64_t) std::array<std::byte, Bytes> room_{};
};

/// A group of children whose task is in the upper tier.
class upper_group : public scheduler_state<16> {
 public:
  upper_group(upper_task& of, upper_group* around, span whole, double total, std::uint64_t site) noexcept
      : task(of), around(around), site(site), rest(whole), unassigned(total) {}

  upper_task& task;
  upper_group* around;       ///< the group of the same task that encloses this one, if any
  const std::uint64_t site;  ///< the place in the program that opened it
  span rest;                 ///< the part that the children so far have left
  double unassigned;         ///< work not yet given to a child, if is_known()
  std::uint32_t children = 0;

  /// Whether an amount of work is known: it is neither negative nor infinite nor no number.
  static bool is_known(double work) noexcept { return work >= 0 && std::isfinite(work); }
  /// Returns the share of `rest` for a child with `work`. Without a hint, or without a total: half, because recursion
  /// most often leaves a chain of halves.
  double share(double work) noexcept {
    if (!is_known(unassigned) || !is_known(work)) {
      return 0.5;
    }
    const double share = unassigned > 0 ? work / unassigned : 0.0;
    unassigned = unassigned > work ? unassigned - work : 0.0;
    return share;
  }

  /// Cuts off the span of the next child. It is empty if another group of the task was opened after this one and still
  /// has children: that group shares out the same rest.
  span cut(double work) noexcept { return cut_part(share(work)); }
  /// The same, if its part of `rest` is known, 0 to 1.
  inline span cut_part(double part) noexcept;
};

/// A scheduler's view of a task that it places: a root, or a child forked by a task of the upper tier. Tasks of the
/// lower tier have none.
class upper_task : public scheduler_state<32> {
 public:
  upper_task() = default;
  upper_task(upper_task& parent, span whole, std::uint32_t index) noexcept
      : parent(&parent), whole(whole), level(parent.level + 1), index(index), unshared(parent.unshared) {}

  upper_task* parent = nullptr;
  span whole;
  std::uint32_t level = 0;       ///< distance from the root
  std::uint32_t index = 0;       ///< which child of its parent, in serial order
  upper_group* group = nullptr;  ///< the innermost open group
  const void* region = nullptr;  ///< the region that the program says it is in
  std::uint64_t number = 0;      ///< its number in a log, if one is kept; else 0
  bool inter = false;            ///< the program calls it an inter-socket task (task_group::inter_spawn)
  bool unshared = false;         ///< the program asks that its children and their descendants run where they are placed

  /// Returns the part of the span not yet given to children.
  const span& rest() const noexcept { return group != nullptr ? group->rest : whole; }

  /// A group has been waited for; it need not be the innermost one.
  void leave(upper_group& closed) noexcept {
    upper_group** at = &group;
    while (*at != &closed) {
      at = &(*at)->around;
    }
    *at = closed.around;
  }
};

inline span upper_group::cut_part(double part) noexcept {
  return task.group == this ? rest.split(part) : span{rest.begin, rest.begin};
}

}  // namespace jackdaw::sched
