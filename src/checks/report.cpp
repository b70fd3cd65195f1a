#include "checks/report.hpp"

#include <array>
#include <atomic>
#include <charconv>
#include <cstddef>
#include <cstdlib>
#include <span>
#include <string>

#include "base/print.hpp"
#include "checks/symbol.hpp"

namespace jackdaw::checks {
namespace {

std::atomic<bool> aborting{true};

const char* name_of(kind what) noexcept {
  switch (what) {
    case kind::mutex:
      return "a mutex";
    case kind::read_lock:
      return "a shared mutex (for reading)";
    case kind::write_lock:
      return "a shared mutex";
    case kind::spin_lock:
      return "a spin lock";
    case kind::initialiser:
      return "the guard of a static variable";
    case kind::once:
      return "a once_flag";
  }
  return "";
}

/// True for the first report of what was taken there. A program that goes on says each place once, and at most so many.
bool is_new(const void* place) noexcept {
  static constinit std::array<std::atomic<const void*>, 64> said{};
  for (auto& each : said) {
    const void* found = nullptr;
    if (each.compare_exchange_strong(found, place)) {
      return true;
    }
    if (found == place) {
      return false;
    }
  }
  return false;
}

/// The innermost function that is the program's own. Else the one that the program's own may have been inlined into:
/// one of jackdaw's templates, whose arguments name it; or the innermost of all.
std::string shown(std::span<const void* const> callers) {
  std::string first;
  bool is_template = false;
  for (const void* const each : callers) {
    if (each == nullptr) {
      break;
    }
    // A return address may be the first of the next line, or function.
    const symbol found = find_symbol(static_cast<const std::byte*>(each) - 1);
    if (!found.name.empty() && !found.of_library()) {
      return found.shown();
    }
    if (first.empty() || (!is_template && found.of_template())) {
      first = found.shown();
      is_template = found.of_template();
    }
  }
  return first;
}

std::string address_of(const holding& held) {
  char digits[16];
  const auto end =
      std::to_chars(digits, digits + sizeof digits, reinterpret_cast<std::uintptr_t>(held.address), 16).ptr;
  return " 0x" + std::string(digits, end);
}

/// One write, so that threads' lines do not mix.
void say(const std::string& text) noexcept {
  detail::print(2, std::string_view(text));
  if (aborting.load(std::memory_order_relaxed)) {
    std::abort();
  }
}

constexpr const char* what_to_do = ". See docs/forks.md of jackdaw\n";

}  // namespace

void set_aborts(bool aborts) noexcept { aborting.store(aborts, std::memory_order_relaxed); }

void report_left(const holding& held, const void* site, const void* base) noexcept {
  if (!is_new(held.from.front())) {
    return;
  }
  trail<32> callers;
  find_callers(callers, site, base);
  std::string text = "jackdaw-checks: a task holds ";
  text += name_of(held.what) + address_of(held) + " while its thread goes on with other tasks\n";
  text += belongs_to_thread(held.what) ? "  locked in    " : "  begun in     ";
  text += shown(held.from) + "\n  suspended in " + shown(callers) + "\n";
  text += belongs_to_thread(held.what)
              ? "  unlock it before the fork or join: another task that locks it here waits for ever, and this one may "
                "go on on another thread"
              : "  let the initialiser not fork, or run it before the runtime starts: another task that needs it here "
                "waits for ever";
  say(text + what_to_do);
}

void report_moved(const holding& held, const void* site) noexcept {
  if (!is_new(held.from.front())) {
    return;
  }
  std::string text = "jackdaw-checks: a task holds ";
  text += name_of(held.what) + address_of(held) + " and goes on on another thread than it locked it on\n";
  text += "  locked in    " + shown(held.from) + "\n";
  if (site != nullptr) {
    text += "  moved after  " + shown({&site, 1}) + "\n";
  }
  text += "  unlock it before the fork: only the thread that locked it may";
  say(text + what_to_do);
}

}  // namespace jackdaw::checks
