#include "runtime/threads_data.hpp"
#include "base/say_once.hpp"

#include <dlfcn.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <atomic>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <limits>
#include <map>
#include <mutex>
#include <system_error>
#include <utility>

#include "jackdaw/access.hpp"
#include "jackdaw/memory/page_locations.hpp"
#include "numa/locate.hpp"
#include "numa/node_view.hpp"
#include "numa/pinned_touch.hpp"
#include "numa/side_by_side.hpp"
#include "profile/hotness/declared_heat.hpp"
#include "runtime/notes.hpp"

namespace jackdaw::detail {
namespace {

/// How many pages of an area are asked for their node.
constexpr std::size_t pages_asked = 16;

/// Users are watched until one worker has declared its share of this many accesses, but not too few or too many: a
/// watch that nobody ends soon costs nothing any more, and what has been logged can be added up in some ms.
constexpr std::size_t most_declared = std::size_t{1} << 19;
constexpr std::size_t fewest_of_worker = std::size_t{1} << 10, most_of_worker = std::size_t{1} << 14;
/// Pages are moved in steps of so many bytes: while one lasts, no container can be made or end.
constexpr std::size_t step_bytes = std::size_t{8} << 20;

/// Adds the time that it lives to a sum.
class timed {
 public:
  timed(std::mutex& mutex, double& sum) : mutex_(mutex), sum_(sum) {}
  ~timed() {
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start_;
    const std::lock_guard hold(mutex_);
    sum_ += took.count();
  }
  timed(const timed&) = delete;
  timed& operator=(const timed&) = delete;

 private:
  std::mutex& mutex_;
  double& sum_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Whether some runtime of this process has given a worker a policy. Relaxed: who inherits a policy sees it.
std::atomic<bool> sends_touches{false};

void say_touch_refused(int code) {
  static std::atomic<bool> said{false};
  if (first(said)) {
    std::fprintf(stderr, "jackdaw: set_mempolicy is refused (%s): what a worker touches first is on its own node\n",
                 std::generic_category().message(code).c_str());
  }
}

}  // namespace

threads_data::threads_data(memory_nodes nodes, bool real, std::vector<unsigned> cpus,
                           const std::vector<sched::squad>& squads, numa::numa_kernel& kernel,
                           profile::page_calls& pages, profile::thread_samples samples)
    : kernel_(&kernel),
      real_(real),
      nodes_(std::move(nodes)),
      cpus_(std::move(cpus)),
      allocator_(static_cast<const malloc::hooks*>(dlsym(RTLD_DEFAULT, malloc::hooks_name))),
      hotness_(pages, std::move(samples)) {
  for (std::uint32_t number = 0; number < squads.size(); ++number) {
    for (std::uint32_t id = squads[number].workers.first; id <= squads[number].workers.last; ++id) {
      seats_.push_back(std::make_unique<seat>(kernel, number));
    }
  }
  most_declared_ =
      std::clamp(most_declared / std::max<std::size_t>(1, seats_.size()), fewest_of_worker, most_of_worker);
  numa::touch_policy given;
  placing_ = real_ && (allocator_ == nullptr || allocator_->follows_scheduler());
  if (placing_ && allocator_ != nullptr) hotness_.see_all_memory(kernel);
  user_places_ = real_ && kernel_->policy(given) == 0 && given != numa::touch_policy{} && !is_of_a_runtime(given);
}

threads_data::~threads_data() { listen(false); }

/// Any worker may end a watch of users.
void threads_data::listen(bool on) noexcept {
  if (watching_.exchange(on, std::memory_order_relaxed) == on) return;
  access_listeners.fetch_add(on ? 1U : ~0U, std::memory_order_relaxed);
}

/// Whether a thread has this policy from a runtime of this process: its own, as a worker's, or that of the worker that
/// started it or that called fork().
bool threads_data::is_of_a_runtime(const numa::touch_policy& policy) const {
  return sends_touches.load(std::memory_order_relaxed) &&
         std::ranges::any_of(nodes_.os, [&](unsigned node) { return numa::prefers(policy, node); });
}

void threads_data::arrive(sched::worker_id self, worker_counts& counts) noexcept {
  seats_[self]->counts = &counts;
  // Relaxed: it is only a number. A watch that begins before it is stored has no samples, of any worker.
  seats_[self]->thread.store(static_cast<pid_t>(syscall(SYS_gettid)), std::memory_order_relaxed);
}

/// The allocator's heaps of a thread end before the last of its allocations.
void threads_data::leave() noexcept {
  if (allocator_ != nullptr) allocator_->allocate_on(-1);
}

void threads_data::touch_to(sched::worker_id self, std::uint32_t node) noexcept {
  seat& mine = *seats_[self];
  if (node >= nodes_.nodes.size()) node = sched::none;
  if (node == mine.node || !placing_ || touch_refused_.load(std::memory_order_relaxed)) return;
  try {
    if (!mine.before && kernel_->policy(mine.before.emplace()) != 0) *mine.before = {};
    const int code = kernel_->set_policy(node == sched::none ? *mine.before : numa::preferring(nodes_.os[node]));
    if (code == 0) {
      sends_touches.store(true, std::memory_order_relaxed);
      mine.node = node;
      if (allocator_ != nullptr) allocator_->allocate_on(node == sched::none ? -1 : static_cast<int>(nodes_.os[node]));
      return;
    }
    if (!numa::numa_kernel::refused(code) || touch_refused_.exchange(true)) return;
    {
      const std::lock_guard hold(mutex_);
      report_.touch_refused = code;
    }
    say_touch_refused(code);
  } catch (const std::bad_alloc&) {
    mine.before.reset();  // nothing was changed
  }
}

/// Ends a watch that may be under way.
void threads_data::forget_accesses() noexcept {
  sweeper_.reset();
  users_of_.store(0, std::memory_order_relaxed);
  listen(false);
  for (const auto& each : seats_) take_log(*each);
}

std::vector<profile::access_log::entry> threads_data::take_log(seat& of) noexcept {
  const std::lock_guard hold(of.mutex);
  return of.log.take();
}

void threads_data::watch_users(sched::worker_id, std::uint32_t parts) {
  forget_accesses();
  users_of_.store(std::max(parts, 1U), std::memory_order_relaxed);
  listen(true);
}

void threads_data::watch(sched::worker_id, std::uint32_t parts) {
  const timed taken(mutex_, report_.watch_seconds);
  forget_accesses();
  std::vector<pid_t> threads;
  for (const auto& each : seats_) threads.push_back(each->thread.load(std::memory_order_relaxed));
  // Without the samples of one worker, data that it alone uses would look cold.
  if (std::find(threads.begin(), threads.end(), 0) != threads.end()) threads.clear();
  hotness_.begin(parts);
  // The worker's thread is pinned, and the thread that it starts would be pinned too.
  sweeper_ = std::make_unique<profile::sweeper>(hotness_, [this, threads = std::move(threads)] {
    if (real_) numa::pin_this_thread(cpus_);
    hotness_.sample(threads);
  });
  listen(true);
}

std::vector<sched::area> threads_data::watched(sched::worker_id) {
  const std::uint32_t users_of = users_of_.load(std::memory_order_relaxed);
  if (users_of == 0 && sweeper_ == nullptr) return {};
  const timed taken(mutex_, report_.watch_seconds);
  listen(false);
  users_of_.store(0, std::memory_order_relaxed);
  moves_ = users_of > 0 ? numa::movable::not_placed : numa::movable::all;
  try {
    return users_of > 0 ? find_users(users_of) : find_areas();
  } catch (const std::bad_alloc&) {
    sweeper_.reset();
    return {};  // nothing could be seen
  }
}

std::vector<sched::area> threads_data::find_areas() {
  std::vector<profile::access_log::entry> declared;
  for (const auto& each : seats_) {
    const auto entries = take_log(*each);
    declared.insert(declared.end(), entries.begin(), entries.end());
  }
  profile::hotness_found found;
  sweeper_->finish([&] { found = hotness_.end(declared); });
  sweeper_.reset();
  areas_ = found.areas;
  std::vector<sched::area> areas(areas_.size());
  for (std::size_t i = 0; i < areas.size(); ++i) {
    areas[i].heat = found.heat[i];
    areas[i].bytes = areas_[i].bytes();
  }
  if (real_) place_areas(areas, 0);
  const std::lock_guard hold(mutex_);
  report_.watched_by = found.source;
  report_.areas = static_cast<std::uint32_t>(areas.size());
  report_.sweeps = found.sweeps;
  report_.samples = found.samples;
  report_.lost_samples = found.lost_samples;
  report_.sweep_seconds += found.sweep_seconds;
  report_.bits_refused = hotness_.refusal();
  return areas;
}

std::vector<sched::area> threads_data::find_users(std::uint32_t parts) {
  std::vector<std::vector<profile::access_log::entry>> by_squad;
  std::vector<profile::access_log::entry> written;
  for (const auto& each : seats_) {
    const auto entries = take_log(*each);
    if (each->squad == by_squad.size()) by_squad.emplace_back();  // workers go squad by squad
    by_squad.back().insert(by_squad.back().end(), entries.begin(), entries.end());
    for (const profile::access_log::entry& one : entries) {
      if (one.write) written.push_back(one);
    }
  }
  areas_ = profile::declared_areas(written, parts);
  std::vector<sched::area> areas(areas_.size());
  for (std::size_t i = 0; i < areas.size(); ++i) areas[i].bytes = areas_[i].bytes();
  for (std::uint32_t squad = 0; squad < by_squad.size(); ++squad) {
    const std::vector<double> lines = profile::declared_heat(by_squad[squad], areas_);
    for (std::size_t i = 0; i < areas.size(); ++i) areas[i].add_user(squad, lines[i]);
  }
  if (real_) place_areas(areas, sched::part_at_home);
  return areas;
}

/// Sets each area's node to that of most of its pages that are asked for, if these are more than the part `least`. Asks
/// for the pages of all areas at once.
void threads_data::place_areas(std::vector<sched::area>& areas, double least) {
  std::vector<void*> asked;
  std::vector<std::size_t> beyond;  // of each area, in asked
  for (const profile::data_area& each : areas_) {
    const std::size_t pages = each.bytes() / base_page_size();
    const std::size_t looks = std::min(pages, pages_asked);
    for (std::size_t i = 0; i < looks; ++i) {
      asked.push_back(reinterpret_cast<void*>(each.begin + pages * i / looks * base_page_size()));
    }
    beyond.push_back(asked.size());
  }
  int refusal = 0;
  const std::vector<int> on = numa::nodes_of(*kernel_, asked, refusal);
  for (std::size_t area = 0, i = 0; area < areas.size(); ++area) {
    std::map<int, std::size_t> pages;
    double looks = 0;  // at pages that have memory
    for (; i < beyond[area]; ++i) {
      if (on[i] < 0) continue;
      ++pages[on[i]];
      ++looks;
    }
    const auto most =
        std::max_element(pages.begin(), pages.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    if (most != pages.end() && static_cast<double>(most->second) > least * looks)
      areas[area].node = nodes_.index_of(most->first);
  }
}

/// Whether the user has given all memory of the process a policy, or the program that in [first, first + bytes) one of
/// its own (mbind); looks at some pages.
bool threads_data::has_policy(const std::byte* first, std::size_t bytes) {
  if (user_places_) return true;
  numa::touch_policy its;
  for (std::size_t at = 0; at < bytes; at += std::max(bytes / pages_asked, base_page_size())) {
    if (kernel_->policy_at(first + at, its) == 0 && its != numa::touch_policy{}) return true;
  }
  return false;
}

/// Moves that one thread makes, one after another.
struct threads_data::queue {
  struct one {
    sched::area_move* what;
    migration came_to = {};
    std::uint64_t began = 0, ended = 0;  // ns of steady_clock; 0: it was not made
  };
  std::vector<one> moves = {};
  std::vector<bool> full;  // by node
  std::size_t told = 0;    // moves
};

void threads_data::move_areas(sched::worker_id self, std::span<sched::area_move> moves, double most) {
  if (!placing_) return;
  const timed taken(mutex_, report_.move_seconds);
  constexpr auto never = std::numeric_limits<std::uint64_t>::max();
  const std::uint64_t until = most < 1e18 ? nanoseconds_now() + static_cast<std::uint64_t>(std::max(most, 0.0)) : never;
  const std::uint32_t own = seats_[self]->squad;
  std::vector<queue> queues(seats_.back()->squad + 1, {.full = std::vector<bool>(nodes_.nodes.size())});  // by squad
  for (sched::area_move& each : moves) {
    const std::uint32_t near = each.node < nodes_.nodes.size() ? nodes_.nodes[each.node].squad : own;
    queues[near < queues.size() ? near : own].moves.push_back({&each});
  }
  std::vector<numa::pinned_job> jobs;
  for (std::uint32_t squad = 0; squad < queues.size(); ++squad) {
    if (squad == own || queues[squad].moves.empty()) continue;
    const bool pinned = squad < nodes_.cpus.size() && !nodes_.cpus[squad].empty();
    jobs.push_back({pinned ? nodes_.cpus[squad] : cpus_, [this, &of = queues[squad], until] { make(of, until); }});
  }
  numa::do_side_by_side(jobs, [this, &of = queues[own], until] { make(of, until); });
  forget_homes();
  tell_of(queues, self);
}

/// Called by several threads at once, for different moves.
void threads_data::make(queue& moves, std::uint64_t until) noexcept {
  for (queue::one& each : moves.moves) {
    sched::area_move& what = *each.what;
    each.began = nanoseconds_now();
    if (each.began > until && &each != &moves.moves.front()) return;
    if (what.area < areas_.size() && what.node < moves.full.size() && !moves.full[what.node]) {
      move_area(what, each.came_to);
      moves.full[what.node] = each.came_to.failed != 0 && each.came_to.moved == 0;
    }
    what.made = true;
    what.bytes = each.came_to.moved;
    each.ended = nanoseconds_now();
  }
}

/// Adds what comes of it to `sum`. Without memory, what has not moved yet stays.
void threads_data::move_area(const sched::area_move& what, migration& sum) noexcept {
  const profile::data_area& area = areas_[what.area];
  try {
    for (std::uintptr_t at = area.begin; at < area.end && (sum.failed == 0 || sum.moved != 0); at += step_bytes) {
      const std::size_t bytes = std::min<std::size_t>(step_bytes, area.end - at);
      const auto* const first = reinterpret_cast<const std::byte*>(at);
      // The data may have ended since they were watched, and others may lie there now.
      const auto kept = numa::lock_pages(first, bytes, area.holder, moves_);
      if (!kept.owns_lock() || (moves_ == numa::movable::not_placed && has_policy(first, bytes))) continue;
      const migration done = numa::move(*kernel_, first, bytes, nodes_.os[what.node], base_page_size());
      sum.moved += done.moved;
      sum.failed += done.failed;
      if (done.failed != 0) sum.error = done.error;
    }
  } catch (const std::bad_alloc&) {  // NOLINT(bugprone-empty-catch)
  }
}

/// Tells the observer, in the order in which the moves ended, the worker's counts and the report what has moved.
void threads_data::tell_of(std::span<queue> made, sched::worker_id self) noexcept {
  std::uint64_t moved = 0;
  for (;;) {
    const queue::one* next = nullptr;
    queue* from = nullptr;
    for (queue& each : made) {
      if (each.told == each.moves.size()) continue;
      const queue::one& its = each.moves[each.told];
      if (its.ended == 0 || (next != nullptr && next->ended <= its.ended)) continue;
      next = &its;
      from = &each;
    }
    if (next == nullptr) break;
    ++from->told;
    moved += next->came_to.moved;
    if (next->came_to.failed != 0) {
      const std::lock_guard hold(mutex_);
      report_.failed += next->came_to.failed;
      report_.failed_node = nodes_.os[next->what->node];
      report_.move_error = next->came_to.error;
    }
    if (observer_ == nullptr) [[likely]]
      continue;
    worker_event told = about(next->what->node);
    told.what = event_kind::move;
    told.worker = self;
    told.value = static_cast<std::int64_t>(next->came_to.moved);
    told.at = next->ended;
    told.site = next->ended - next->began;
    observer_->see(told);
  }
  if (worker_counts* const counts = seats_[self]->counts) counts->moved_bytes.add(moved);
  const std::lock_guard hold(mutex_);
  report_.moved += moved;
}

void threads_data::declare(sched::worker_id self, const declared_access& what, bool counting) {
  seat& mine = *seats_[self];
  if (watching_.load(std::memory_order_relaxed)) {
    const std::lock_guard hold(mine.mutex);
    mine.log.add({what.begin, what.end(), static_cast<double>(what.lines()), what.write});
    const bool users = users_of_.load(std::memory_order_relaxed) > 0;
    if (users && mine.log.added() >= most_declared_) listen(false);
  }
  if (!counting || !real_) return;
  const std::uint32_t generation = generation_.load(std::memory_order_relaxed);
  if (std::exchange(mine.generation, generation) != generation) mine.homes.forget();
  std::uint64_t near = 0, far = 0;
  for (const int os : mine.homes.of(what.begin, what.end())) {
    if (os < 0) continue;
    const std::uint32_t node = nodes_.index_of(os);
    const bool own = node != sched::none && nodes_.nodes[node].squad == mine.squad;
    ++(own ? near : far);
  }
  if (near + far == 0) return;
  const std::uint64_t local = what.lines() * near / (near + far);
  mine.local.add(local);
  mine.remote.add(what.lines() - local);
  if (mine.counts == nullptr) return;
  mine.counts->local_bytes.add(local * 64);
  mine.counts->remote_bytes.add((what.lines() - local) * 64);
}

data_report threads_data::report() const {
  const std::lock_guard hold(mutex_);
  return report_;
}

}  // namespace jackdaw::detail
