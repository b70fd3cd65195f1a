#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "jackdaw/detail/export.hpp"
#include "jackdaw/detail/option_text.hpp"
#include "jackdaw/priority.hpp"
#include "jackdaw/runtime.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw {

/// The options of an arena.
struct arena_options {
  /// How many workers of the runtime are in the arena at most, at the same time. 0: as many as the runtime has, or has
  /// on the node.
  unsigned workers = 0;
  /// The memory node, by the operating system's number, whose workers the arena has. Empty: of any node.
  std::optional<unsigned> node = {};
  /// The type of cores, by its index in machine::core_types, whose workers the arena has. Empty: of any type.
  std::optional<unsigned> core_type = {};
  /// The scheduler of the arena's tasks: a name as in options::scheduler, but none that needs threads of its own, as
  /// cab, cats, laws and bats do. Empty: auto, or adws on a machine with several memory nodes, whatever
  /// `$JACKDAW_SCHEDULER` says.
  detail::option_text scheduler = {};
  /// How urgent the arena's roots are: docs/roots.md. Roots that are less urgent may wait without a limit as long as
  /// more urgent ones keep all workers busy.
  jackdaw::priority priority = jackdaw::priority::normal;
};

/// A part of a runtime's workers, which run the arena's roots, and no more of them at the same time than the arena has.
///
/// An arena has no workers of its own. A worker of the runtime comes when there is something to do and the worker is
/// idle, or when its turn comes, as with roots; it leaves when there is nothing more, or when others wait. Clients of
/// the arena wait as those of a runtime do. A task of the arena forks within it, and is a task like any other:
/// this_worker() and concurrency() are those of the arena.
///
/// Only the arena's workers run its tasks, and while they are in the arena they run no other ones.
/// @par Thread safety
/// Any thread and any task may call all functions at the same time.
class arena {
 public:
  /// Makes an arena of the workers of `of`. If that runtime ends before the arena, the program ends with a message.
  ///
  /// Where the runtime records, its only worker runs what is for the arena as its own.
  ///
  /// @throws error if an option cannot be used, or if the runtime has ended.
  /// @throws std::bad_alloc
  explicit arena(runtime& of, const arena_options& how = {});
  /// The same of the default runtime, also in a task of another one.
  explicit arena(const arena_options& how = {}) : arena(runtime::instance(), how) {}
  /// Waits for all tasks of the arena. A task of the arena must not destroy it. A task of another arena or runtime
  /// waits as in a join.
  ~arena() = default;
  /// Not copyable.
  arena(const arena&) = delete;
  /// Not assignable.
  arena& operator=(const arena&) = delete;

  /// Runs `f()` as a root task of the arena and returns its result: runtime::run().
  template <class F>
  auto run(F&& f) -> std::invoke_result_t<F&> {
    return to_.run(std::forward<F>(f));
  }
  /// Starts `f()` as a root task of the arena and does not wait for it: runtime::async().
  template <class F>
  auto async(F&& f) {
    return to_.async(std::forward<F>(f));
  }
  /// Returns the number of workers that may be in the arena at the same time.
  unsigned workers() const noexcept { return to_.workers(); }
  /// Returns the name of the arena's scheduler.
  std::string_view scheduler() const noexcept { return to_.scheduler(); }
  /// Returns where a place of the arena is: runtime::place().
  const worker_place& place(unsigned i) const { return to_.place(i); }
  /// Returns the arena's event counts, which are not part of the runtime's: runtime::stats().
  statistics stats() const noexcept { return to_.stats(); }

 private:
  const std::unique_ptr<runtime> inside_;  // null: the runtime records
  runtime& to_;
};

}  // namespace jackdaw

JACKDAW_EXPORT_END
