#pragma once

#include <atomic>
#include <concepts>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "jackdaw/detail/export.hpp"
#include "jackdaw/memory/affinity.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw {

class task_graph;
class task_group;

/// A task of a task_graph, for after(). It is valid as long as its graph lives.
class graph_task {
 public:
  /// Refers to no task.
  graph_task() noexcept = default;

 private:
  friend class task_graph;
  graph_task(const task_graph* of, std::size_t number) noexcept : of_(of), number_(number) {}

  const task_graph* of_ = nullptr;
  std::size_t number_ = 0;
};

/// The tasks that have to end before another one may begin: `after(a, b)`.
class after {
 public:
  /// Nothing: the task may begin at once.
  after() noexcept = default;
  /// All of these.
  template <std::same_as<graph_task>... Tasks>
    requires(sizeof...(Tasks) > 0)
  explicit after(Tasks... tasks) : tasks_{tasks...} {}
  /// All of these.
  explicit after(std::vector<graph_task> tasks) noexcept : tasks_(std::move(tasks)) {}

 private:
  friend class task_graph;
  std::vector<graph_task> tasks_;
};

/// Tasks that wait for one another, for what is no nest of forks and joins: a wavefront, a build, a factorisation by
/// tiles.
///
///     jackdaw::task_graph graph;
///     const auto read = graph.add(read_input);
///     const auto left = graph.add(solve_left, jackdaw::after(read));
///     const auto right = graph.add(solve_right, jackdaw::after(read));
///     graph.add(print, jackdaw::after(left, right));
///     graph.run();
///
/// A task waits only for tasks that were added before it, so a graph has no cycles. It may be run any number of times.
/// What a task did is seen by those after it. A task may fork and join. Where forks and joins nest by themselves, use
/// invoke() or task_group: they cost less, and schedulers can lay them out.
/// @par Thread safety
/// One thread or task at a time may use a graph, and none may while it runs.
class task_graph {
 public:
  /// Makes an empty graph.
  task_graph() noexcept;
  /// Destroys the functions. Ends the program if the graph runs.
  ~task_graph();
  /// Not copyable.
  task_graph(const task_graph&) = delete;
  /// Not assignable.
  task_graph& operator=(const task_graph&) = delete;

  /// Adds a task that calls `f()` once in each run, after the others have ended.
  ///
  /// @param f A function without parameters. The graph keeps a copy, or `f` itself if it is moved in. Its result is
  /// ignored.
  /// @param others The tasks before it.
  /// @return The task, for after().
  /// @throws error if one of the others is of another graph, or if the graph runs.
  /// @throws std::bad_alloc, and anything that copying `f` throws. Then nothing has been added.
  /// @par Complexity
  /// Constant for each of the others, amortised.
  template <class F>
    requires std::invocable<std::decay_t<F>&>
  graph_task add(F&& f, const after& others = {}) {
    return add(std::make_unique<step_of<std::decay_t<F>>>(std::forward<F>(f)), others);
  }

  /// The same of a task that prefers the workers near some memory: `graph.add(jackdaw::near(tile), f, after(other))`.
  ///
  /// @param where Made by near() or on(). The class affinity documents what the preference means.
  /// @param f As in add(F&&, const after&).
  /// @param others As in add(F&&, const after&).
  template <class F>
    requires std::invocable<std::decay_t<F>&>
  graph_task add(const affinity& where, F&& f, const after& others = {}) {
    auto made = std::make_unique<step_of<std::decay_t<F>>>(std::forward<F>(f));
    made->where = where;
    return add(std::move(made), others);
  }

  /// An error: write `graph.add(f, after(other))`.
  template <class F, std::same_as<graph_task>... Others>
    requires(sizeof...(Others) != 0)
  graph_task add(F&&, Others...) {
    static_assert(sizeof...(Others) == 0, "task_graph::add: the tasks before this one are named by after(...)");
    return {};
  }

  /// Returns the number of tasks.
  std::size_t size() const noexcept { return steps_.size(); }

  /// Runs all tasks, each once those before it have ended, and waits for them.
  ///
  /// Outside of tasks it runs in runtime::instance(). Each task begins with the floating-point control bits that run()
  /// was called with. Of the tasks that become ready together, other workers can take first the one that has the
  /// longest chain of others behind it; the worker itself begins with the others.
  ///
  /// @throws std::bad_alloc if there is no memory for a fork. Tasks that have not begun are skipped then, too.
  /// @throws error if the graph runs already. Also if an on() names a node that the machine does not have, once the
  /// tasks before that one have ended.
  /// @throws anything that a task throws; of several exceptions the first. Tasks that have not begun by then are
  /// skipped, and the graph may be run again. Outside of tasks also what runtime::instance() throws.
  /// @par Complexity
  /// A few steps for each task and each pair of them before anything begins. Then a fork for each task but one of those
  /// that another one makes ready. The span is that of the longest chain.
  void run();

 private:
  // All that waits for a task is ready once `left` is 0. Whoever takes it down to 0 runs it: there is one such task.
  struct step {
    virtual ~step();
    virtual void call() = 0;
    std::vector<step*> later;
    std::size_t before = 0;             // tasks
    std::size_t behind = 0;             // tasks in the longest chain after this one
    std::atomic<std::size_t> left = 0;  // of them, in this run
    std::optional<affinity> where;
  };
  template <class F>
  struct step_of final : step {
    template <class G>
    explicit step_of(G&& f) : function(std::forward<G>(f)) {}
    void call() override { std::invoke(function); }
    F function;
  };

  graph_task add(std::unique_ptr<step> made, const after& others);
  struct course;  // of a run
  void prepare() noexcept;
  void run_in_task();
  static void start(task_group& group, step& ready, course& on);
  static void follow(step& first, course& on);

  std::vector<std::unique_ptr<step>> steps_;
  std::atomic<bool> runs_ = false;
};

}  // namespace jackdaw

JACKDAW_EXPORT_END
