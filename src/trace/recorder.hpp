#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <new>
#include <string>
#include <unordered_map>
#include <utility>

#include "trace/instruction_sample.hpp"
#include "trace/interruptions.hpp"
#include "trace/near_data.hpp"
#include "trace/tree_builder.hpp"

namespace jackdaw::trace {

/// Writes down what the one worker of a recorded runtime does: every fork, end and wait, the time between them, and the
/// accesses that were declared in that time. The cost of recording itself is measured and subtracted from each time,
/// never below 0; what is left to subtract is carried over.
///
/// The time should cover computing alone, because a simulation adds the cost of moving data on its own machine. So the
/// recorder brings data into the processor's caches, off the clock, when their access is declared, and subtracts what
/// the core waits for those that do not fit (near_data). A leaf should declare before it touches.
///
/// Times are those of this computer's cores, whose speed the recording names (detail::compute_rate_here): the higher
/// one of those measured when the recorder is made and when the recording is taken. Instructions are counted if the
/// computer does that (count_instructions_by).
///
/// Only the worker calls the functions between begin_root and end_root. When memory runs out, nothing more is added to
/// the recording, and take() throws; the program continues.
class recorder {
 public:
  /// `workers`: the number of workers that the program is told.
  recorder(std::string program, unsigned workers);
  ~recorder();
  recorder(const recorder&) = delete;
  recorder& operator=(const recorder&) = delete;

  unsigned workers() const noexcept { return workers_; }

  /// Sets the function that names the places at which groups are opened; null: places are named by address. Not while a
  /// root runs.
  using name_of_place = const std::string* (*)(const void* site) noexcept;
  void name_places_by(name_of_place names) noexcept { name_of_place_ = names; }

  /// The label of the next root that begins; the default is "root". By any thread.
  void label_next_root(std::string label);

  /// Whether measure_forks() is still to be called, before the first root.
  bool measures_forks() const noexcept { return !forks_measured_; }
  /// Records `tree`, which only forks, in the way in which the program will be recorded, and forgets it. What each of
  /// its pieces of work takes beyond `own` ns, in the usual case, will be subtracted from all pieces.
  void measure_forks(const std::function<void()>& tree, double own) noexcept;

  /// Counts instructions of the worker's thread in this way from now on. Called by that thread outside roots.
  void count_instructions_by(instruction_sample::counter how) noexcept {
    keep([&] { sample_.count_by(std::move(how)); });
  }

  void begin_root() noexcept;
  void end_root() noexcept;

  /// A group of the running task, which forks into it at once. `site` is an address in the
  /// code that opened it, or a region's; only a root's own groups keep it.
  std::uint32_t open_group(double total, bool structured, const void* site) noexcept;
  /// The child begins.
  void fork(std::uint32_t group, double hint, bool help_first, bool inter = false) noexcept;
  /// The child ends.
  void end_task() noexcept;
  void wait(std::uint32_t group) noexcept;

  /// The running task declares an access. Ignored outside roots.
  void touch(const access& what) noexcept;

  /// The running task works in vectors, from its last step to its next one. Ignored outside roots.
  void work_in_vectors() noexcept { vector_ = builder_.depth() != 0; }

  /// How other programs disturbed the roots that have ended, since the recorder was made. Not while a root runs.
  const interruptions& disturbed() const noexcept { return disturbed_.so_far(); }

  /// Whether a root is under way. By any thread.
  bool busy() const noexcept { return busy_.load(std::memory_order_acquire); }

  /// Returns everything so far and begins a new recording. By any thread that knows that no root is under way. Throws
  /// error if one is, or if memory ran out; that too begins a new recording.
  task_tree take();

 private:
  using clock = std::chrono::steady_clock;

  recorder(std::string program, unsigned workers, double compute_rate, double cost);
  static double measure_cost();
  task_tree head() const;
  template <class F>
  void keep(F adds) noexcept {
    if (lost_) {
      return;
    }
    try {
      adds();
    } catch (const std::bad_alloc&) {
      lost_ = true;
    }
  }
  void pause(double stall = 0) noexcept;
  void stop();
  void stop_before(std::uint32_t group);
  void start() noexcept {
    stopped_ = false;
    sample_.begin();
    since_ = clock::now();
  }
  std::uint32_t site_of(const void* address);

  const std::string program_;
  const unsigned workers_;
  const double compute_rate_;
  double cost_;  ///< ns of a piece of work that does nothing
  bool forks_measured_ = false;
  tree_builder builder_;
  std::unordered_map<const void*, std::uint32_t> sites_;
  name_of_place name_of_place_ = nullptr;
  interruption_count disturbed_;
  near_data near_;  ///< of the piece of work in progress
  instruction_sample sample_;
  bool vector_ = false;       ///< the piece of work in progress is in vectors
  bool any_vectors_ = false;  ///< of the recording
  clock::time_point since_;
  double stretch_ = 0;  ///< ns since the last event, up to since_
  double owed_ = 0;     ///< ns, at most 0, that could not be subtracted from pieces before
  bool stopped_ = false;
  bool lost_ = false;  ///< memory ran out for a part of the recording
  std::atomic<bool> busy_{false};
  std::mutex label_mutex_;
  std::string label_;
};

/// Where in the program an address lies: "function+0x1f", else "module+0x1f".
std::string name_of_address(const void* address);

}  // namespace jackdaw::trace
