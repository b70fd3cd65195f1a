#include "cli/terminal/interruption.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <utility>

#include "cli/commands.hpp"
#include "cli/terminal/say.hpp"
#include "cli/text.hpp"

namespace jackdaw::cli {
namespace {

constexpr int stop_watching = SIGUSR1;

}  // namespace

interruption::interruption(std::mutex& changing, std::function<void()> save)
    : changing_(changing), save_(std::move(save)) {
  sigemptyset(&signals_);
  sigaddset(&signals_, stop_watching);
  for (const int each : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction how{};
    if (sigaction(each, nullptr, &how) == 0 && how.sa_handler != SIG_IGN) sigaddset(&signals_, each);
  }
  pthread_sigmask(SIG_BLOCK, &signals_, &before_);
  watcher_ = std::thread([this] { watch(); });
}

interruption::~interruption() {
  done();
  pthread_kill(watcher_.native_handle(), stop_watching);
  watcher_.join();
  // The results are kept: what has come since then has nothing to end.
  constexpr timespec at_once{};
  while (sigtimedwait(&signals_, nullptr, &at_once) > 0) {
  }
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

void interruption::done() {
  const std::lock_guard hold(changing_);
  done_ = true;
}

void say_interrupted(std::size_t complete, std::size_t all, std::string_view what) {
  warn("interrupted: {} of {} complete{}", complete, count_text(all, what),
       complete != 0 ? " and kept" : "; nothing was kept");
}

void interruption::watch() {
  for (int signal = 0; sigwait(&signals_, &signal) == 0;) {
    const std::lock_guard hold(changing_);  // never given back if there is something to save
    if (signal == stop_watching && done_) return;
    if (signal == stop_watching || done_) continue;
    int status = 128 + signal;
    try {
      save_();
    } catch (const std::exception& failure) {
      warn("{}", failure.what());
      status = failed;
    }
    std::fflush(stdout);
    std::_Exit(status);
  }
}

}  // namespace jackdaw::cli
