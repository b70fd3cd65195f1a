#include "runtime/thread_time.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <ctime>
#include <string_view>

namespace jackdaw::detail {
namespace {

/// The end of one of the kernel's files on a thread.
class thread_file {
 public:
  thread_file(pid_t thread, const char* name) noexcept {
    std::array<char, 64> path{};
    std::snprintf(path.data(), path.size(), "/proc/self/task/%d/%s", static_cast<int>(thread), name);
    const int file = open(path.data(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    for (;;) {
      if (length_ == text_.size()) {  // a list of many groups or processors precedes what is looked for
        std::copy(text_.begin() + text_.size() / 2, text_.end(), text_.begin());
        length_ -= text_.size() / 2;
      }
      const ssize_t got = read(file, text_.data() + length_, text_.size() - length_);
      if (got <= 0) break;
      length_ += static_cast<std::size_t>(got);
    }
    close(file);
  }
  std::string_view text() const noexcept { return {text_.data(), length_}; }

 private:
  std::array<char, 1024> text_{};
  std::size_t length_ = 0;
};

/// Takes a number from the beginning of a text; blanks may precede it.
template <class Number>
bool take(std::string_view& from, Number& into) noexcept {
  from.remove_prefix(std::min(from.find_first_not_of(" \t"), from.size()));
  const auto [end, failure] = std::from_chars(from.data(), from.data() + from.size(), into);
  from.remove_prefix(static_cast<std::size_t>(end - from.data()));
  return failure == std::errc();
}

/// Returns the clock of a thread's processor time, as glibc's pthread_getcpuclockid() does: the kernel's
/// MAKE_THREAD_CPUCLOCK(thread, CPUCLOCK_SCHED).
clockid_t clock_of(pid_t thread) noexcept { return static_cast<clockid_t>((~static_cast<unsigned>(thread) << 3) | 6); }

}  // namespace

std::optional<thread_time> read_thread_time(pid_t thread) noexcept {
  thread_time found;
  const thread_file schedule(thread, "schedstat"), status(thread, "status");
  std::string_view times = schedule.text(), switches = status.text();
  constexpr std::string_view name = "nonvoluntary_ctxt_switches:";
  switches.remove_prefix(std::min(switches.find(name), switches.size()));
  std::uint64_t turns = 0;  // on a processor; 0: the kernel could count, and does not (nodelayacct)
  if (!take(times, found.cpu_ns) || !take(times, found.ready_ns) || !take(times, turns) || turns == 0) {
    return std::nullopt;
  }
  // The file's first number is of the last tick or switch: of a thread that runs it lacks several milliseconds.
  timespec used{};
  if (clock_gettime(clock_of(thread), &used) != 0) return std::nullopt;
  found.cpu_ns = static_cast<std::uint64_t>(used.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(used.tv_nsec);
  if (switches.empty()) return std::nullopt;
  switches.remove_prefix(name.size());
  if (!take(switches, found.preemptions)) return std::nullopt;
  return found;
}

}  // namespace jackdaw::detail
