#pragma once

#include <csignal>
#include <functional>
#include <mutex>
#include <string_view>
#include <thread>

namespace jackdaw::cli {

/// Results that a command finds bit by bit. Code that changes or keeps them holds `changing`.
template <class Result>
struct guarded {
  std::mutex changing;
  Result value;
};

/// Keeps what a long command has found when it is interrupted, by Ctrl-C or by a batch system. As long as one lives,
/// SIGINT, SIGTERM and SIGHUP call `save` at once, in a thread of its own that holds `changing`, and then end the
/// process with status 128 plus the signal's number. Signals that the process ignores stay ignored. Make it before
/// other threads: they must inherit that these signals are blocked.
class interruption {
 public:
  interruption(std::mutex& changing, std::function<void()> save);
  ~interruption();
  interruption(const interruption&) = delete;
  interruption& operator=(const interruption&) = delete;

  /// The command itself keeps its results from now on. That is short, so signals wait for it.
  void done();

 private:
  void watch();

  std::mutex& changing_;
  const std::function<void()> save_;
  bool done_ = false;  // under changing_
  sigset_t signals_, before_;
  std::thread watcher_;
};

/// Says on stderr that the command was interrupted, and that it has kept `complete` of `all`.
void say_interrupted(std::size_t complete, std::size_t all, std::string_view what);

}  // namespace jackdaw::cli
