#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "jackdaw/machine.hpp"
#include "jackdaw/observer.hpp"
#include "jackdaw/statistics.hpp"
#include "numa/census.hpp"
#include "runtime/course_log.hpp"
#include "runtime/declared_ranges.hpp"
#include "runtime/tally.hpp"
#include "runtime/thread_time.hpp"
#include "store/stats_hooks.hpp"

namespace jackdaw::detail {

struct run_rows;
class threads;

/// What a runtime collects about itself while it is to be written into the results file ($JACKDAW_STATS): who stole
/// from whom, which worker used which data, where these were and who touched them first, iterations, decisions and
/// tasks. A runtime that is not to be recorded has none. docs/stats.md.
class run_log final : public observer {
 public:
  /// Throws error, which names `where`, if no results can be stored in `path`, or libjackdaw-stats.so is not there.
  run_log(const std::string& path, const std::string& where, const machine& on, std::vector<worker_place> places,
          std::string scheduler, numa::numa_kernel& kernel = numa::linux_kernel());
  ~run_log() override;
  run_log(const run_log&) = delete;
  run_log& operator=(const run_log&) = delete;

  // observer
  void see(const worker_event& what) noexcept override;

  /// Worker `self`, the calling thread, found nothing at that worker.
  void missed(std::uint32_t self, std::uint32_t victim) noexcept;
  /// The scheduler has decided. `what` lasts as long as the program.
  void decide(std::uint32_t self, const sched::decision& what, std::int64_t value) noexcept;
  /// A task of worker `self`, the calling thread, declares an access. Throws std::bad_alloc.
  void declare(std::uint32_t self, const declared_access& what);
  /// A task from outside is sent, and has ended; the sender does not know the latter yet.
  void begin_root(const threads& engine) noexcept;
  void end_root(const threads& engine) noexcept;
  /// Keeps the workers' counts, which are about to be cleared.
  void keep(const std::vector<statistics>& counted);

  /// Writes all into the results file, once; `counted` are the workers' counts. A failure is reported in a line on
  /// stderr. Other threads may run tasks meanwhile, as after exit() in a task; what these do is not written.
  void write(const std::vector<statistics>& counted) noexcept;

 private:
  static constexpr std::int64_t outside = -1, nobody_known = -2;

  struct alignas(64) seat {
    seat(std::uint32_t workers, numa::numa_kernel& kernel)
        : steals(new tally[workers]), failed(new tally[workers]), ranges(kernel) {}
    std::unique_ptr<tally[]> steals, failed;  // by victim
    std::atomic<bool> ran{false};             // something, since the roots under way began
    std::mutex mutex;                         // for what follows
    declared_ranges ranges;
    pid_t thread = 0;                    // 0: it has not started, or has ended
    std::uint64_t since = 0, until = 0;  // when it started and ended
    std::optional<thread_time> before;   // when it started
    std::optional<thread_time> timed;    // between the two
  };

  void look(bool begins);
  void clock(const threads& engine, double sign);
  /// Reads what the kernel knows of a worker's thread, unless that has ended. Called with of.mutex held.
  void read_thread(seat& of) noexcept;
  void gather(run_rows& into, const std::vector<statistics>& counted);
  void gather_process(run_rows& into);
  void gather_workers(run_rows& into, const std::vector<statistics>& counted);
  void gather_data(run_rows& into);
  void gather_course(run_rows& into);
  void store(const std::vector<statistics>& counted) noexcept;

  const store::stats_hooks& to_;
  const std::string path_;
  const machine& where_;
  const std::vector<worker_place> places_;
  const std::string scheduler_, started_;
  numa::numa_kernel* const kernel_;
  const std::uint64_t began_;
  std::vector<std::unique_ptr<seat>> seats_;
  course_log course_;
  std::atomic<bool> written_{false};

  std::mutex mutex_;  // for all that follows
  std::vector<statistics> kept_;
  struct idle_times {
    double search = 0, sleep = 0;  // ns
  };
  std::vector<idle_times> idle_;  // of each worker, while roots were under way; less what they were when one began
  std::uint32_t roots_ = 0;
  std::uint64_t since_ = 0, under_way_ns_ = 0;
  numa::census census_;
  std::vector<std::int64_t> touched_by_{nobody_known};  // by the census's number: who touched what appeared then
  std::uint64_t looked_ = 0, look_took_ = 0;
  bool looked_last_time_ = false, any_root_ = false;
};

}  // namespace jackdaw::detail
