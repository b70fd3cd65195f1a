#include "cli/terminal/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <cstdio>

#include "cli/terminal/terminal.hpp"
#include "cli/text.hpp"

namespace jackdaw::cli {
namespace {

constexpr std::chrono::seconds quiet{2};

std::string duration_text(double seconds) {
  return seconds < 90 ? fmt::format("{:.0f} s", std::ceil(seconds))
                      : fmt::format("{:.0f} min", std::ceil(seconds / 60));
}

}  // namespace

progress::progress() : shown_(isatty(STDERR_FILENO) != 0) {
  if (!shown_) return;
  // Signals are for other threads, some of which may be about to block them.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  first_ = std::thread([this] {
    std::unique_lock hold(mutex_);
    if (!ended_.wait_for(hold, quiet, [this] { return over_; })) draw();
  });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

progress::~progress() {
  if (!shown_) return;
  {
    const std::lock_guard hold(mutex_);
    over_ = true;
  }
  ended_.notify_one();
  first_.join();
  clear();
}

void progress::say(const std::string& what) {
  if (!shown_) return;
  const std::lock_guard hold(mutex_);
  line_ = one_line(what);
  counted_since_ = clock::now();
  if (clock::now() - began_ >= quiet) draw();
}

void progress::say(const std::string& what, std::size_t done, std::size_t all) {
  if (!shown_) return;
  const std::lock_guard hold(mutex_);
  line_ = fmt::format("{}: {} of {}", one_line(what), done, all);
  if (done != 0) {
    const double took = std::chrono::duration<double>(clock::now() - counted_since_).count();
    line_ += fmt::format(", about {} to go",
                         duration_text(took / static_cast<double>(done) * static_cast<double>(all - done)));
  }
  if (clock::now() - began_ >= quiet) draw();
}

void progress::clear() {
  if (!shown_) return;
  const std::lock_guard hold(mutex_);
  if (drawn_) fmt::print(stderr, "\r\x1b[K");
  std::fflush(stderr);
  drawn_ = false;
}

void progress::draw() {
  constexpr std::chrono::milliseconds between{100};
  if (over_ || line_.empty() || (drawn_ && clock::now() - drawn_at_ < between)) return;
  // A line that fills the last column would begin another one.
  const std::size_t width = terminal_columns(stderr).value_or(80) - 1;
  std::string text = line_;
  while (columns_of(text) > width) text.pop_back();
  fmt::print(stderr, "\r\x1b[K{}", text);
  std::fflush(stderr);
  drawn_ = true;
  drawn_at_ = clock::now();
}

}  // namespace jackdaw::cli
