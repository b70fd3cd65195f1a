#include "trace/timeline.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <exception>
#include <new>
#include <utility>

#include "trace/timeline_file.hpp"

namespace jackdaw::trace {
namespace {

/// Of one worker, and of all together: at 64 bytes each, 8 MiB and 512 MiB.
constexpr std::size_t most_of_worker = std::size_t{1} << 17, most_of_all = std::size_t{1} << 23;
constexpr std::size_t fewest_of_worker = std::size_t{1} << 11;

std::uint64_t now() noexcept {
  const auto since = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(since).count());
}

}  // namespace

timeline::timeline(std::filesystem::path file, std::string scheduler, std::vector<std::string> workers)
    : file_(std::move(file)), scheduler_(std::move(scheduler)), names_(std::move(workers)), begin_(now()) {
  const std::size_t most =
      std::clamp(most_of_all / std::max<std::size_t>(1, names_.size()), fewest_of_worker, most_of_worker);
  for (std::size_t i = 0; i < names_.size(); ++i) seats_.push_back(std::make_unique<seat>(most));
}

void timeline::see(const worker_event& what) noexcept {
  seat& of = *seats_[what.worker];
  if (what.what == worker_event::kind::start) of.thread.store(what.value, std::memory_order_relaxed);
  of.ring.add(what);
}

timeline_view timeline::empty_view() const {
  timeline_view seen;
  seen.program = program_invocation_short_name;
  seen.process = getpid();
  seen.scheduler = scheduler_;
  seen.begin = begin_;
  return seen;
}

void timeline::add_worker(timeline_view& to, std::uint32_t id) const {
  const seat& of = *seats_[id];
  to.workers.push_back({names_[id], of.thread.load(std::memory_order_relaxed), of.ring.read(id)});
}

timeline_view timeline::view() const {
  timeline_view seen = empty_view();
  for (std::uint32_t id = 0; id < seats_.size(); ++id) add_worker(seen, id);
  seen.end = now();
  return seen;
}

/// `ended`: no worker adds events any more, so that each one's memory is free once they are read.
void timeline::write(bool ended) noexcept {
  const bool any_started = std::any_of(
      seats_.begin(), seats_.end(), [](const auto& each) { return each->thread.load(std::memory_order_relaxed) != 0; });
  // A runtime that could not start leaves an earlier file as it is.
  if (!any_started || written_.exchange(true)) return;
  try {
    timeline_view seen = empty_view();
    for (std::uint32_t id = 0; id < seats_.size(); ++id) {
      add_worker(seen, id);
      if (ended) seats_[id]->ring.release();
    }
    seen.end = now();
    write_timeline(seen, file_);
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "jackdaw: %s: not written: there is not enough memory\n", file_.c_str());
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "jackdaw: %s\n", failure.what());
  }
}

}  // namespace jackdaw::trace
