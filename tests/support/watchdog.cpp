#include "support/watchdog.hpp"

#include <unistd.h>

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "jackdaw/detail/dump.hpp"

namespace jackdaw::test {

watchdog::watchdog(clock::duration limit) : limit_(limit) {}

watchdog::~watchdog() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void watchdog::watch(std::string what) {
  {
    const std::lock_guard lock(mutex_);
    watched_ = std::move(what);
    deadline_ = clock::now() + limit_;
  }
  changed_.notify_one();
  if (!thread_.joinable()) thread_ = std::thread([this] { run(); });
}

void watchdog::release() {
  const std::lock_guard lock(mutex_);
  deadline_ = clock::time_point::max();
}

void watchdog::run() {
  std::unique_lock lock(mutex_);
  while (!ending_) {
    if (deadline_ == clock::time_point::max()) {
      changed_.wait(lock);
    } else if (clock::now() < deadline_) {
      changed_.wait_until(lock, deadline_);
    } else {
      const auto seconds = std::chrono::duration<double>(limit_).count();
      std::fprintf(stderr, "watchdog: %s lasted longer than %g s\n", watched_.c_str(), seconds);
      jackdaw::detail::dump_workers(STDERR_FILENO);
      std::abort();
    }
  }
}

std::chrono::seconds limit_from_environment() {
  const char* value = std::getenv("JACKDAW_TEST_TIMEOUT");
  if (value == nullptr) return std::chrono::seconds(100);
  const std::string_view text = value;
  unsigned seconds = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (failure != std::errc{} || end != text.data() + text.size() || seconds == 0) {
    std::fprintf(stderr, "JACKDAW_TEST_TIMEOUT: '%s', expected a whole number of seconds, at least 1\n", value);
    std::exit(2);
  }
  return std::chrono::seconds(seconds);
}

}  // namespace jackdaw::test
