#include "runtime/worker_counts.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>

namespace jackdaw::detail {

std::uint64_t counting_clock() noexcept {
  using std::chrono::nanoseconds, std::chrono::steady_clock;
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<nanoseconds>(steady_clock::now().time_since_epoch()).count());
}

statistics worker_counts::read(std::uint64_t at) const noexcept {
  statistics found;
  found.steals_core = steals_core.get();
  found.steals_cache = steals_cache.get();
  found.steals_local = found.steals_core + found.steals_cache + steals_package.get();
  found.steals_remote = steals_remote.get();
  found.failed_remote = failed_remote.get();
  found.failed_steals = failed_local.get() + found.failed_remote;
  found.forced_steals = forced_steals.get();
  found.migrations = migrations.get();
  found.suspensions = suspensions.get();
  found.sleeps = sleeps.get();
  found.in_place = in_place.get();
  found.rescues = rescues.get();
  found.turns = turns.get();
  found.tasks = tasks.get();
  found.roots = roots.get();
  found.at_home = at_home.get();
  found.away = away.get();
  found.local_bytes = local_bytes.get();
  found.remote_bytes = remote_bytes.get();
  found.moved_bytes = moved_bytes.get();
  for (int attempt = 0; attempt < 1000; ++attempt) {
    const std::uint64_t began = since.load(std::memory_order_acquire);  // with the times that were stored before
    const std::uint64_t lasts = began != 0 && at > began ? at - began : 0;
    const std::uint64_t does = now.load(std::memory_order_acquire);
    found.search_ns =
        search_ns.load(std::memory_order_acquire) + (does == static_cast<std::uint64_t>(doing::searching) ? lasts : 0);
    found.sleep_ns =
        sleep_ns.load(std::memory_order_acquire) + (does == static_cast<std::uint64_t>(doing::asleep) ? lasts : 0);
    // If one of them was of a later time, the next load sees the 0 that was stored before it.
    if (began != 0 && since.load(std::memory_order_relaxed) == began) break;
  }
  return found;
}

}  // namespace jackdaw::detail

namespace jackdaw {
namespace {

constexpr std::array members = {
    &statistics::steals_local,  &statistics::steals_core,   &statistics::steals_cache,  &statistics::steals_remote,
    &statistics::failed_steals, &statistics::failed_remote, &statistics::forced_steals, &statistics::migrations,
    &statistics::suspensions,   &statistics::sleeps,        &statistics::in_place,      &statistics::rescues,
    &statistics::turns,         &statistics::tasks,         &statistics::roots,         &statistics::at_home,
    &statistics::away,          &statistics::search_ns,     &statistics::sleep_ns,      &statistics::local_bytes,
    &statistics::remote_bytes,  &statistics::moved_bytes};

}  // namespace

statistics& statistics::operator+=(const statistics& other) noexcept {
  for (const auto member : members) this->*member += other.*member;
  return *this;
}

statistics& statistics::operator-=(const statistics& earlier) noexcept {
  for (const auto member : members) this->*member -= std::min(this->*member, earlier.*member);
  return *this;
}

namespace detail {

// Relaxed: a count orders nothing.
void store_counts(statistics& to, const statistics& from) noexcept {
  for (const auto member : members) std::atomic_ref(to.*member).store(from.*member, std::memory_order_relaxed);
}

statistics load_counts(const statistics& from) noexcept {
  statistics found;
  for (const auto member : members) {
    auto& count = const_cast<std::uint64_t&>(from.*member);
    found.*member = std::atomic_ref(count).load(std::memory_order_relaxed);
  }
  return found;
}

}  // namespace detail
}  // namespace jackdaw
