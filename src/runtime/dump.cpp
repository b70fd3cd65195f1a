#include "jackdaw/detail/dump.hpp"

#include <array>
#include <atomic>
#include <cstdlib>

#include "base/print.hpp"
#include "runtime/fatal.hpp"
#include "runtime/process.hpp"
#include "runtime/registry.hpp"
#include "runtime/threads.hpp"

namespace jackdaw::detail {
namespace {

std::array<std::atomic<threads*>, 64> known;  // no lock: signal handlers read it; does not show engines beyond 64

}  // namespace

void enlist(threads& running) {
  for (auto& place : known) {
    threads* none = nullptr;
    if (place.compare_exchange_strong(none, &running)) {
      return;
    }
  }
}

void discharge(threads& running) noexcept {
  for (auto& place : known) {
    threads* found = &running;
    if (place.compare_exchange_strong(found, nullptr)) {
      return;
    }
  }
}

void forget_engines() noexcept {
  for (auto& place : known) {
    if (threads* const parents = place.load()) {
      parents->leave_counts_to_parent();
    }
    place.store(nullptr);
  }
}

void dump_workers(int file) noexcept {
  for (const auto& place : known) {
    if (const threads* const engine = place.load()) {
      engine->dump(file);
    }
  }
}

// The plain fields of a running worker are read without synchronisation.
__attribute__((no_sanitize("thread"))) void threads::dump(int file) const noexcept {
  print(file, "runtime with scheduler ", scheduler_->name(), ", ", workers(), " workers\n");
  static constexpr std::string_view doing[] = {"running", "searching", "asleep"};
  for (const auto& each : workers_) {
    print(file, "  worker ", each->id, ": ",
          doing[static_cast<std::size_t>(each->state.load(std::memory_order_relaxed))],
          each->active->current != nullptr ? ", in a task" : ", in its loop",
          each->mailbox.full() ? ", mailbox full" : "", each->returns.waiting() > 0 ? ", tasks return to it" : "",
          ", deques ", each->lanes[0].deque.seems_empty() ? "-" : "+", each->lanes[1].deque.seems_empty() ? "-" : "+",
          ", steals ", each->counts.steals(), ", suspensions ", each->counts.suspensions.get(), "\n");
  }
  if (const int wanting = clients_.waiting()) {
    print(file, "  clients that want a place: ", wanting, "\n");
  }
  for (const auto& each : pools_) {
    if (const std::size_t waiting = each->size.load(std::memory_order_relaxed)) {
      print(file, "  pool of worker ", each->home, ": ", waiting, " items\n");
    }
  }
}

void fatal(const char* what) noexcept {
  print(2, "jackdaw: internal error: ", std::string_view(what), "\n");
  dump_workers(2);
  std::abort();
}

void end_for(const char* mistake) noexcept {
  print(2, "jackdaw: ", std::string_view(mistake), "\n");
  std::abort();
}

}  // namespace jackdaw::detail
