#pragma once

#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "jackdaw/data_report.hpp"
#include "jackdaw/detail/root.hpp"
#include "jackdaw/machine.hpp"
#include "jackdaw/options.hpp"
#include "jackdaw/profile_source.hpp"
#include "jackdaw/statistics.hpp"

namespace jackdaw::measure {
class recorder;
}

namespace jackdaw {

class affinity;

namespace detail {
class runtime_access;
class threads;
void check_affinity(const affinity& where);
}  // namespace detail

/// Workers, and the scheduler that tells them what to do. Most programs need not make one: the first fork outside a
/// task starts instance(). Any number may be made, one after another or side by side.
class runtime {
 public:
  /// Starts the workers. Throws jackdaw::error, with a message of one line, if an option or an environment variable
  /// that stands in for it cannot be used.
  explicit runtime(const options& how = {});
  /// Waits for the workers, which must have nothing to do any more.
  ~runtime();
  runtime(const runtime&) = delete;
  runtime& operator=(const runtime&) = delete;

  /// Runs f() as a task and returns what it returns, or throws what it throws. The calling thread sleeps meanwhile;
  /// on a worker of this runtime f is simply called.
  template <class F>
  auto run(F&& f) -> std::invoke_result_t<F&> {
    if (on_own_worker()) {
      return f();
    }
    detail::root_of<std::remove_reference_t<F>> root(f);
    submit(root);
    return root.result();
  }

  /// How the next root task is called in a recording of this runtime, such as "prepare"; later ones are "root" again.
  void label_next_root(std::string label);

  unsigned workers() const noexcept;
  std::string_view scheduler() const noexcept;
  const machine& where() const noexcept;
  /// Where worker i is, for i < workers().
  const worker_place& place(unsigned i) const;

  /// Sums since the start or the last reset. Exact only while nothing runs.
  statistics stats() const noexcept;
  void reset_stats() noexcept;

  /// What the scheduler's latest profile of tasks was made of.
  profile_source profiled_by() const noexcept;

  /// What the scheduler has done about the program's data so far.
  data_report data() const;

  /// The default runtime, started with default options by the first use.
  static runtime& instance();

 private:
  friend class task_group;
  friend class detail::runtime_access;
  friend void detail::check_affinity(const affinity& where);

  runtime(const options& how, measure::recorder* into);

  bool on_own_worker() const noexcept;
  void send(detail::root& task);
  detail::threads& engine() const noexcept;
  void submit(detail::root& task) {
    send(task);
    task.wait();
  }

  struct parts;
  std::unique_ptr<parts> parts_;
};

/// Index of the worker that runs the calling task, within its runtime; none on other threads.
std::optional<unsigned> this_worker() noexcept;

/// Number of workers that share what the caller forks: its runtime's, or instance()'s on other threads.
unsigned concurrency();

/// What options.scheduler may be.
std::vector<std::string> scheduler_names();

}  // namespace jackdaw
