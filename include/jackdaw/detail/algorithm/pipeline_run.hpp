#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>

#include "jackdaw/detail/algorithm/tokens.hpp"
#include "jackdaw/detail/algorithm/turns.hpp"
#include "jackdaw/detail/algorithm/waiting_line.hpp"
#include "jackdaw/detail/branch.hpp"
#include "jackdaw/detail/caught.hpp"
#include "jackdaw/detail/export.hpp"
#include "jackdaw/detail/first_exception.hpp"
#include "jackdaw/task_group.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw::detail {

/// How many items a stage takes in at a time, and which.
enum class stage_order : unsigned char { parallel, serial, serial_in_order };

/// A place for one item, which the item keeps on its way through all stages. Slots without an item wait at the source.
template <class... Items>
struct pipeline_slot {
  template <class T>
  T& item() noexcept {
    return *std::launder(reinterpret_cast<T*>(place));
  }

  pipeline_slot* next = nullptr;  // while it is parked, or put off
  std::uint64_t number = 0;       // in the source's order
  std::size_t stage = 0;          // the one that it is in or enters next
  std::size_t holds = 0;          // as which stage's argument an item is there; 0: there is none
  alignas(Items...) std::byte place[std::max({sizeof(Items)...})];
};

// The gates of stages: arrive() and leave() as those of turns and waiting_line.
template <stage_order Order, class Slot>
struct stage_gate {  // parallel
  explicit stage_gate(std::size_t) {}
  bool arrive(Slot*) noexcept { return true; }
  Slot* leave(const Slot*) noexcept { return nullptr; }
};
template <class Slot>
struct stage_gate<stage_order::serial, Slot> {
  explicit stage_gate(std::size_t) {}
  bool arrive(Slot* slot) noexcept { return line.arrive(slot); }
  Slot* leave(const Slot*) noexcept { return line.leave(); }
  basic_waiting_line<hardware, Slot> line;
};
template <class Slot>
struct stage_gate<stage_order::serial_in_order, Slot> : basic_turns<hardware, Slot> {
  using basic_turns<hardware, Slot>::basic_turns;
};

/// A pipeline while it runs. Items: the tuple of what each stage behind the source takes.
///
/// A runner is a task with one slot that has been let into its stage. It makes the call and then holds up to two slots:
/// its own, if the next stage lets it in, and the one that was parked at the stage just left. With two it forks another
/// runner, with none it ends. So nothing ever waits at a stage. At the end of the pipeline it goes on with the source.
///
/// A runner that has forked waits for its children when it ends. A runner whose fork would be too deep therefore asks
/// all to put off what they hold and to end. Then the pipeline goes on from its root. So stacks are bounded, too.
template <class Source, class Items, class... Stages>
class pipeline_run;
template <class Source, class... Items, class... Stages>
class pipeline_run<Source, std::tuple<Items...>, Stages...> {
 public:
  /// `deepest`: how many runners may be forked one in another, at least 1.
  pipeline_run(unsigned deepest, std::size_t tokens, Source& source, Stages&... stages)
      : deepest_(deepest),
        source_(source),
        stages_(stages...),
        gates_((static_cast<void>(stages), tokens)...),
        tokens_(tokens) {
    called_.stage = last + 1;
  }
  pipeline_run(const pipeline_run&) = delete;
  pipeline_run& operator=(const pipeline_run&) = delete;
  ~pipeline_run() {
    while (made_ != nullptr) {
      if (made_->holds != 0) list_destructors(std::index_sequence_for<Stages...>())[made_->holds - 1](made_.get());
      made_ = std::move(made_->before);
    }
  }

  /// Once. Rethrows the first exception.
  void run() {
    put_off(make());
    do {
      task_group whole;
      unwinding_.store(false, std::memory_order_relaxed);  // the forks order it
      slot* each = put_off_.exchange(nullptr, std::memory_order_relaxed);
      JACKDAW_TRY {
        while (each != nullptr) {
          slot* const first = std::exchange(each, each->next);
          whole.run([this, first] { go(first, 1); });
        }
      }
      JACKDAW_CATCH { failure_.keep(); }
      whole.wait();
      // Relaxed, here and above: joined with all that put something off.
    } while (put_off_.load(std::memory_order_relaxed) != nullptr && !failure_.any());
    failure_.rethrow();
  }

 private:
  using slot = pipeline_slot<Items...>;
  struct owned_slot : slot {
    std::unique_ptr<owned_slot> before;
  };
  /// What is in the caller's hands after a call. If both are there, `first` goes on as a child that runs at once, and
  /// `second` may be stolen meanwhile.
  struct held {
    slot* first = nullptr;
    slot* second = nullptr;
  };
  template <std::size_t K>
  using item = std::tuple_element_t<K - 1, std::tuple<Items...>>;

  static constexpr std::size_t last = sizeof...(Stages);

  void go(slot* mine, unsigned depth) {
    static constexpr auto calls = list_calls(std::index_sequence_for<Stages...>());
    task_group others;
    JACKDAW_TRY {
      while (mine != nullptr && !failure_.any()) {
        if (unwinding_.load(std::memory_order_relaxed)) {  // a runner may learn of it late
          put_off(mine);
          break;
        }
        look_up_if_asked();
        const held now = (this->*calls[mine->stage])(mine);
        mine = now.second == nullptr ? now.first : now.second;
        if (now.first == nullptr || now.second == nullptr) continue;
        if (depth == deepest_) {
          put_off(now.first);
          unwinding_.store(true, std::memory_order_relaxed);
        } else {
          others.run([this, first = now.first, depth] { go(first, depth + 1); });
        }
      }
    }
    JACKDAW_CATCH { failure_.keep(); }
    others.wait();
  }

  /// By any runner, for the root.
  void put_off(slot* one) noexcept {
    one->next = put_off_.load(std::memory_order_relaxed);
    // Relaxed: the root looks after the join.
    while (!put_off_.compare_exchange_weak(one->next, one, std::memory_order_relaxed)) {
    }
  }

  /// In the source, or before it is called.
  slot* make() {
    auto another = std::make_unique<owned_slot>();
    another->before = std::move(made_);
    made_ = std::move(another);
    return made_.get();
  }

  template <std::size_t K, class... A>
  static void fill(slot* on, A&&... from) {
    ::new (static_cast<void*>(on->place)) item<K>(std::forward<A>(from)...);
    on->holds = K;
    on->stage = K;
  }
  template <std::size_t K>
  static void empty(slot* on) noexcept {
    on->holds = 0;
    std::destroy_at(std::addressof(on->template item<item<K>>()));
  }

  /// For the slot that stands for the runner that was called.
  held enter_source(slot*) { return {tokens_.enter() ? take_slot() : nullptr}; }

  /// In the source.
  slot* take_slot() {
    slot* const free = tokens_.pop();
    return free != nullptr ? free : make();
  }

  held call_source(slot* on) {
    auto made = std::invoke(source_);
    if (!made) return {};  // the source stays busy, so it is not called again
    fill<1>(on, *std::move(made));
    on->number = count_++;
    slot* const calls = tokens_.leave() ? &called_ : nullptr;
    return {arrive<1>(on), calls};
  }

  template <std::size_t K>
  held call(slot* on) {
    auto& function = std::get<K - 1>(stages_).function;
    auto& argument = on->template item<item<K>>();
    if constexpr (K == last) {
      std::invoke(function, std::move(argument));
      empty<K>(on);
      on->stage = 0;
    } else {
      item<K + 1> result(std::invoke(function, std::move(argument)));
      empty<K>(on);
      fill<K + 1>(on, std::move(result));
    }
    // In this order: once the slot has arrived somewhere it may be another runner's.
    slot* const next = std::get<K - 1>(gates_).leave(on);
    if constexpr (K == last) {
      // The last stage first, which others may come to soon, rather than another item from the start.
      return {next, tokens_.arrive(on) ? take_slot() : nullptr};
    } else {
      // The stage is kept until the child ends or a thief comes: so no other item can overtake those for long.
      return {arrive<K + 1>(on), next};
    }
  }

  /// Null: it is parked.
  template <std::size_t K>
  slot* arrive(slot* on) noexcept {
    return std::get<K - 1>(gates_).arrive(on) ? on : nullptr;
  }

  template <std::size_t... K>
  static constexpr auto list_calls(std::index_sequence<K...>) {
    return std::array<held (pipeline_run::*)(slot*), last + 2>{
        &pipeline_run::call_source, &pipeline_run::call<K + 1>..., &pipeline_run::enter_source};
  }
  template <std::size_t... K>
  static constexpr auto list_destructors(std::index_sequence<K...>) {
    return std::array<void (*)(slot*) noexcept, last>{&pipeline_run::empty<K + 1>...};
  }

  const unsigned deepest_;
  Source& source_;
  std::tuple<Stages&...> stages_;
  std::tuple<stage_gate<Stages::order, slot>...> gates_;
  basic_tokens<hardware, slot> tokens_;
  slot called_;  // stands for the runner that is called, and has no item
  // These belong to the runner that is in the source.
  std::uint64_t count_ = 0;
  std::unique_ptr<owned_slot> made_;

  std::atomic<slot*> put_off_ = nullptr;
  std::atomic<bool> unwinding_ = false;
  first_exception failure_;
};

}  // namespace jackdaw::detail

JACKDAW_EXPORT_END
