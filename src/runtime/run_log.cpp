#include "runtime/run_log.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <limits>
#include <system_error>
#include <thread>
#include <utility>

#include "jackdaw/access.hpp"
#include "jackdaw/error.hpp"
#include "runtime/notes.hpp"
#include "runtime/process.hpp"
#include "runtime/run_rows.hpp"
#include "runtime/stats_library.hpp"
#include "runtime/used_data.hpp"

namespace jackdaw::detail {
namespace {

/// Looks at the process's memory may take this part of the time.
constexpr std::uint64_t between_looks = 50;
/// A server that runs for days stops to look.
constexpr std::size_t most_looks = std::size_t{1} << 20;

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm fields{};
  gmtime_r(&now, &fields);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &fields);
  return text.data();
}

const store::stats_hooks& checked(const std::string& path, const std::string& where) {
  const store::stats_hooks& found = stats_library(where);
  std::array<char, 512> message{};
  found.check(path.c_str(), message.data(), message.size());
  if (message[0] != '\0') throw error(where + ": " + message.data());
  return found;
}

std::string absolute(const std::string& path, const std::string& where) {
  std::error_code failure;
  const std::filesystem::path found = std::filesystem::absolute(path, failure);
  if (failure) throw error(where + ": " + path + ": the current folder is gone: " + failure.message());
  return found;
}

}  // namespace

run_log::run_log(const std::string& path, const std::string& where, const machine& on, std::vector<worker_place> places,
                 std::string scheduler, numa::numa_kernel& kernel)
    : to_(checked(path, where)),
      path_(absolute(path, where)),
      where_(on),
      places_(std::move(places)),
      scheduler_(std::move(scheduler)),
      started_(utc_now()),
      kernel_(&kernel),
      began_(nanoseconds_now()),
      course_(static_cast<std::uint32_t>(places_.size())),
      kept_(places_.size()),
      idle_(places_.size()),
      census_(kernel) {
  const auto workers = static_cast<std::uint32_t>(places_.size());
  for (std::uint32_t id = 0; id < workers; ++id) seats_.push_back(std::make_unique<seat>(workers, kernel));
  access_listeners.fetch_add(1, std::memory_order_relaxed);
}

run_log::~run_log() { access_listeners.fetch_sub(1, std::memory_order_relaxed); }

void run_log::see(const worker_event& what) noexcept {
  seat& mine = *seats_[what.worker];
  if (what.what == worker_event::kind::steal) mine.steals[what.other].add();
  if (what.what == worker_event::kind::run) mine.ran.store(true, std::memory_order_relaxed);
  if (what.what == worker_event::kind::start) {
    const std::lock_guard hold(mine.mutex);
    mine.thread = static_cast<pid_t>(what.value);
    mine.before = read_thread_time(mine.thread);
    mine.since = nanoseconds_now();
  }
  if (what.what == worker_event::kind::stop) {
    const std::lock_guard hold(mine.mutex);
    read_thread(mine);
    mine.thread = 0;
  }
  course_.see(what);
}

void run_log::missed(std::uint32_t self, std::uint32_t victim) noexcept { seats_[self]->failed[victim].add(); }

void run_log::decide(std::uint32_t self, const sched::decision& what, std::int64_t value) noexcept {
  try {
    course_.decide({nanoseconds_now(), self, &what, value});
  } catch (const std::bad_alloc&) {  // NOLINT(bugprone-empty-catch): it is not kept
  }
}

void run_log::declare(std::uint32_t self, const declared_access& what) {
  seat& mine = *seats_[self];
  const std::lock_guard hold(mine.mutex);
  mine.ranges.add(what, nanoseconds_now());
}

/// Looks at the process's memory, if that does not take too much of the time. What was not there the last time was
/// touched outside of tasks if no task has run between, or by the one worker that ran any.
void run_log::look(bool begins) {
  const std::uint64_t now = nanoseconds_now();
  const bool due = touched_by_.size() < most_looks && (looked_ == 0 || now - looked_ >= between_looks * look_took_);
  if (!due) {
    looked_last_time_ = false;
    return;
  }
  std::int64_t by = nobody_known;
  if (begins) {
    if (looked_last_time_ || !any_root_) by = outside;
  } else if (looked_last_time_) {
    std::uint32_t ran = 0;
    for (std::uint32_t id = 0; id < seats_.size(); ++id) {
      if (!seats_[id]->ran.load(std::memory_order_relaxed)) continue;
      by = id;
      ++ran;
    }
    if (ran != 1) by = nobody_known;
  }
  touched_by_.push_back(by);
  census_.look(static_cast<std::uint32_t>(touched_by_.size() - 1));
  looked_last_time_ = true;
  looked_ = nanoseconds_now();
  look_took_ = looked_ - now;
}

void run_log::read_thread(seat& of) noexcept {
  if (of.thread == 0 || !of.before) return;
  of.until = nanoseconds_now();
  of.timed = read_thread_time(of.thread);
  if (of.timed) *of.timed -= *of.before;
}

/// Adds the times that workers have been idle for, or subtracts them when roots begin to be under way.
void run_log::clock(const threads& engine, double sign) {
  const std::vector<statistics> now = engine.counters();
  for (std::size_t id = 0; id < idle_.size(); ++id) {
    idle_[id].search += sign * static_cast<double>(now[id].search_ns);
    idle_[id].sleep += sign * static_cast<double>(now[id].sleep_ns);
  }
}

void run_log::begin_root(const threads& engine) noexcept {
  const std::lock_guard hold(mutex_);
  if (roots_++ != 0) return;
  try {
    look(true);
    clock(engine, -1);
  } catch (const std::bad_alloc&) {
    looked_last_time_ = false;
  }
  any_root_ = true;
  for (const auto& each : seats_) each->ran.store(false, std::memory_order_relaxed);
  since_ = nanoseconds_now();
}

void run_log::end_root(const threads& engine) noexcept {
  const std::lock_guard hold(mutex_);
  if (--roots_ != 0) return;
  under_way_ns_ += nanoseconds_now() - since_;
  try {
    clock(engine, 1);
    look(false);
  } catch (const std::bad_alloc&) {
    looked_last_time_ = false;
  }
}

void run_log::keep(const std::vector<statistics>& counted) {
  const std::lock_guard hold(mutex_);
  for (std::size_t id = 0; id < kept_.size() && id < counted.size(); ++id) kept_[id] += counted[id];
}

void run_log::write(const std::vector<statistics>& counted) noexcept {
  if (written_.exchange(true)) return;
  if (this_worker() == nullptr) {
    store(counted);
    return;
  }
  // exit() in a task: its stack may be small.
  try {
    std::thread([&] { store(counted); }).join();
  } catch (const std::exception&) {  // no thread, or no memory for one
    store(counted);
  }
}

void run_log::store(const std::vector<statistics>& counted) noexcept {
  std::array<char, 512> message{};
  try {
    run_rows rows;
    {
      const std::lock_guard hold(mutex_);
      gather(rows, counted);
    }
    rows.whole.program = program_invocation_short_name;
    to_.write(path_.c_str(), rows.point(), message.data(), message.size());
  } catch (const std::bad_alloc&) {
    std::snprintf(message.data(), message.size(), "%s: not written: there is not enough memory", path_.c_str());
  }
  if (message[0] != '\0') std::fprintf(stderr, "jackdaw: %s\n", message.data());
}

void run_log::gather(run_rows& into, const std::vector<statistics>& counted) {
  into.whole.started = started_.c_str();
  into.whole.scheduler = scheduler_.c_str();
  into.whole.machine = where_.name.c_str();
  into.whole.machine_source = where_.source.c_str();
  const std::uint64_t lasts = roots_ != 0 ? nanoseconds_now() - since_ : 0;
  into.whole.seconds = static_cast<double>(under_way_ns_ + lasts) * 1e-9;
  gather_process(into);
  gather_data(into);
  gather_workers(into, counted);
  gather_course(into);
}

void run_log::gather_process(run_rows& into) {
  const process::beginning began = process::began();
  into.whole.process = into.text(std::to_string(getpid()) + "@" + std::to_string(began.at));
  into.whole.process_seconds = static_cast<double>(nanoseconds_now() - began.at) * 1e-9;
  into.whole.process_cpu_seconds = static_cast<double>(process::processor_time() - began.cpu_ns) * 1e-9;
}

void run_log::gather_workers(run_rows& into, const std::vector<statistics>& counted) {
  const auto whole = [](std::uint64_t count) { return static_cast<std::int64_t>(count); };
  const double roots = into.whole.seconds * 1e9;
  for (std::uint32_t id = 0; id < places_.size(); ++id) {
    const worker_place& at = places_[id];
    statistics of = kept_[id];
    of += counted[id];
    // After exit() in a task, roots are still under way.
    const double more = roots_ != 0 ? 1 : 0;
    const double search = std::clamp(idle_[id].search + more * static_cast<double>(counted[id].search_ns), 0.0, roots);
    const double sleep =
        std::clamp(idle_[id].sleep + more * static_cast<double>(counted[id].sleep_ns), 0.0, roots - search);
    into.add_worker(id, at, of, roots - search - sleep, search, sleep);
    const std::lock_guard hold(seats_[id]->mutex);
    read_thread(*seats_[id]);
    if (const auto& timed = seats_[id]->timed) {
      const auto lived = static_cast<double>(seats_[id]->until - seats_[id]->since);
      // A sleep lasts until the worker has a processor again; the kernel counts the end of it as being ready.
      const double counted_ns = static_cast<double>(timed->cpu_ns) + static_cast<double>(timed->ready_ns);
      into.workers.back().awake_ns = std::max(lived - static_cast<double>(of.sleep_ns), counted_ns);
      into.workers.back().cpu_ns = static_cast<double>(timed->cpu_ns);
      into.workers.back().ready_ns = static_cast<double>(timed->ready_ns);
      into.workers.back().preemptions = timed->preemptions;
    }
    // Workers still search, so `counted` is older than what each victim's tally says; the rows are to agree.
    auto& by = into.workers.back();
    by.failed_local = by.failed_remote = 0;
    for (std::uint32_t victim = 0; victim < places_.size(); ++victim) {
      const std::uint64_t steals = seats_[id]->steals[victim].get(), failed = seats_[id]->failed[victim].get();
      if (steals + failed != 0) into.steals.push_back({id, victim, whole(steals), whole(failed)});
      (places_[victim].package == at.package ? by.failed_local : by.failed_remote) += whole(failed);
    }
  }
  into.add_nodes(where_);
  for (const store::execution::traffic& each : into.traffics) {
    auto& by = into.workers[static_cast<std::size_t>(each.worker)];
    const bool local = into.package_of(where_, static_cast<unsigned>(each.node)) == by.package;
    (local ? by.local_bytes : by.remote_bytes) += each.bytes;
  }
}

void run_log::gather_data(run_rows& into) {
  used_data data(where_, places_, *kernel_);
  for (std::uint32_t id = 0; id < seats_.size(); ++id) {
    const std::lock_guard hold(seats_[id]->mutex);
    for (range_use& each : seats_[id]->ranges.all()) data.add(id, std::move(each));
  }
  data.write(into, census_, touched_by_);
}

void run_log::gather_course(run_rows& into) {
  course_log::lists found = course_.read();
  const auto since = [this](std::uint64_t at) { return static_cast<double>(at) - static_cast<double>(began_); };
  for (const course_log::stretch& each : found.iterations) {
    into.iterations.push_back({into.text(std::string(each.region)), each.region.empty() ? each.site : 0,
                               since(each.begin), static_cast<double>(each.end - each.begin)});
  }
  for (const course_log::decision& each : found.decisions) {
    into.decisions.push_back({since(each.at), each.worker, into.text(std::string(each.what->name)), each.value,
                              into.text(std::string(each.what->in_words(each.value)))});
  }
  for (const course_log::task& each : found.tasks) {
    const bool spans = each.last >= each.first;
    into.tasks.push_back({static_cast<std::int64_t>(each.id), static_cast<std::int64_t>(each.parent), each.worker,
                          since(each.begin), since(each.end), each.depth,
                          spans ? each.first : store::execution::not_known,
                          spans ? each.last : store::execution::not_known});
  }
}

}  // namespace jackdaw::detail
