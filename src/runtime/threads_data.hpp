#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "jackdaw/data_report.hpp"
#include "jackdaw/machine.hpp"
#include "jackdaw/memory/migration.hpp"
#include "jackdaw/observer.hpp"
#include "malloc/hooks.hpp"
#include "numa/numa_kernel.hpp"
#include "numa/placed_registry.hpp"
#include "profile/hotness/access_log.hpp"
#include "profile/hotness/hotness.hpp"
#include "profile/hotness/sweeper.hpp"
#include "profile/hotness/thread_samples.hpp"
#include "runtime/memory_nodes.hpp"
#include "runtime/page_homes.hpp"
#include "runtime/recording.hpp"
#include "runtime/tally.hpp"
#include "runtime/worker_counts.hpp"
#include "sched/data_mover.hpp"

namespace jackdaw::detail {

/// The data_mover of `threads`: sends first touches to nodes, watches how hot each part is, moves parts, and counts
/// which declared accesses are local. On a machine that is only described nothing of this is possible, and the answers
/// are empty.
class threads_data final : public sched::data_mover {
 public:
  /// For an engine with these squads, on a machine with these nodes and usable CPUs. `real`: they are this computer's.
  /// The kernels outlive this.
  threads_data(memory_nodes nodes, bool real, std::vector<unsigned> cpus, const std::vector<sched::squad>& squads,
               numa::numa_kernel& kernel = numa::linux_kernel(), profile::page_calls& pages = profile::linux_pages(),
               profile::thread_samples samples = profile::thread_samples());
  ~threads_data() override;
  threads_data(const threads_data&) = delete;
  threads_data& operator=(const threads_data&) = delete;

  const std::vector<sched::memory_node>& nodes() const noexcept override { return nodes_.nodes; }
  bool user_places() const noexcept override { return user_places_; }
  std::uint64_t program_bytes() const noexcept override {
    return allocator_ != nullptr ? allocator_->large_bytes() : 0;
  }
  const std::vector<unsigned>& os_nodes() const noexcept { return nodes_.os; }

  /// Lets `to` see what data are moved; null: nothing does. Called while no worker runs.
  void show(observer* to) noexcept { observer_ = to; }
  /// Says that worker `self` is the calling thread from now until this ends, so that its accesses can be sampled, and
  /// where its counts are.
  void arrive(sched::worker_id self, worker_counts& counts) noexcept;
  /// Says that the calling thread, a worker's, ends.
  void leave() noexcept;

  // sched::data_mover
  void touch_to(sched::worker_id self, std::uint32_t node) noexcept override;
  void watch(sched::worker_id self, std::uint32_t parts) override;
  void watch_users(sched::worker_id self, std::uint32_t parts) override;
  std::vector<sched::area> watched(sched::worker_id self) override;
  void move_areas(sched::worker_id self, std::span<sched::area_move> moves, double most) override;

  /// Called when pages may have moved: what is known of them may be old.
  void forget_homes() noexcept { generation_.fetch_add(1, std::memory_order_relaxed); }
  /// Takes an access that a task on worker `self`, the calling thread, has declared. `counting`: it is counted as local
  /// or remote.
  void declare(sched::worker_id self, const declared_access& what, bool counting);
  /// Return the declared lines on nodes of the worker's own squad, and on other nodes.
  std::uint64_t local(sched::worker_id of) const noexcept { return seats_[of]->local.get(); }
  std::uint64_t remote(sched::worker_id of) const noexcept { return seats_[of]->remote.get(); }

  data_report report() const;

 private:
  struct alignas(64) seat {
    seat(numa::numa_kernel& kernel, std::uint32_t squad) : squad(squad), homes(kernel) {}
    const std::uint32_t squad;
    std::atomic<pid_t> thread{0};              // the kernel's number; 0: it has not arrived
    std::uint32_t node = sched::none;          // where its first touches go
    std::optional<numa::touch_policy> before;  // the policy that its thread had; none: not asked yet
    page_homes homes;
    std::uint32_t generation = 0;     // of what `homes` knows
    worker_counts* counts = nullptr;  // null: it has not arrived
    tally local, remote;
    std::mutex mutex;  // for the log
    profile::access_log log;
  };

  void forget_accesses() noexcept;
  std::vector<profile::access_log::entry> take_log(seat& of) noexcept;
  std::vector<sched::area> find_areas();
  std::vector<sched::area> find_users(std::uint32_t parts);
  void place_areas(std::vector<sched::area>& areas, double least);
  struct queue;
  bool has_policy(const std::byte* first, std::size_t bytes);
  bool is_of_a_runtime(const numa::touch_policy& policy) const;
  void make(queue& moves, std::uint64_t until) noexcept;
  void move_area(const sched::area_move& what, migration& sum) noexcept;
  void tell_of(std::span<queue> made, sched::worker_id self) noexcept;
  void listen(bool on) noexcept;

  numa::numa_kernel* kernel_;
  observer* observer_ = nullptr;
  const bool real_;
  bool user_places_ = false;  // the thread that made this has a policy (numactl)
  bool placing_;              // real, and the user has not said where all memory goes
  memory_nodes nodes_;
  std::vector<unsigned> cpus_;  // usable
  std::vector<std::unique_ptr<seat>> seats_;
  std::atomic<std::uint32_t> generation_{1};
  std::atomic<bool> watching_{false};
  std::atomic<std::uint32_t> users_of_{0};  // the areas wanted if it is users that are watched; else 0
  std::size_t most_declared_;               // by a worker, until users have been watched for long enough
  std::atomic<bool> touch_refused_{false};
  const malloc::hooks* allocator_;  // null: the C library's
  profile::hotness hotness_;
  std::unique_ptr<profile::sweeper> sweeper_;  // while watching
  std::vector<profile::data_area> areas_;      // found by the last watched()
  numa::movable moves_ = numa::movable::all;   // of these
  mutable std::mutex mutex_;                   // for the report
  data_report report_;
};

}  // namespace jackdaw::detail
