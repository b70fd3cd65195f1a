#include "runtime/thread_time.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <string_view>

namespace jackdaw::detail {
namespace {

/// The beginning of one of the kernel's files on a thread.
class thread_file {
 public:
  thread_file(pid_t thread, const char* name) noexcept {
    std::array<char, 64> path{};
    std::snprintf(path.data(), path.size(), "/proc/self/task/%d/%s", static_cast<int>(thread), name);
    const int file = open(path.data(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    for (;;) {
      const ssize_t got = read(file, text_.data() + length_, text_.size() - length_);
      if (got <= 0) break;
      length_ += static_cast<std::size_t>(got);
    }
    close(file);
  }
  std::string_view text() const noexcept { return {text_.data(), length_}; }

 private:
  std::array<char, 4096> text_{};
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

}  // namespace

std::optional<thread_time> read_thread_time(pid_t thread) noexcept {
  thread_time found;
  const thread_file schedule(thread, "schedstat"), status(thread, "status");
  std::string_view times = schedule.text(), switches = status.text();
  constexpr std::string_view name = "nonvoluntary_ctxt_switches:";
  switches.remove_prefix(std::min(switches.find(name), switches.size()));
  if (!take(times, found.cpu_ns) || !take(times, found.ready_ns) || switches.empty()) return std::nullopt;
  switches.remove_prefix(name.size());
  if (!take(switches, found.preemptions)) return std::nullopt;
  return found;
}

}  // namespace jackdaw::detail
