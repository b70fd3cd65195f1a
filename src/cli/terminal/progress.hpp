#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace jackdaw::cli {

/// A line on stderr that says what a command does, once the command has taken two seconds. Where stderr is no terminal
/// there is none. Any thread may call these.
class progress {
 public:
  progress();
  ~progress();
  progress(const progress&) = delete;
  progress& operator=(const progress&) = delete;

  /// Replaces what the line says.
  void say(const std::string& what);
  /// Says that `done` of `all` are done, and how long the others will take at that pace.
  void say(const std::string& what, std::size_t done, std::size_t all);
  /// Removes the line, because other text follows.
  void clear();

 private:
  using clock = std::chrono::steady_clock;

  void draw();

  const bool shown_;
  const clock::time_point began_ = clock::now();
  clock::time_point counted_since_ = began_;  // since when `done` grows
  std::mutex mutex_;                          // guards all below
  std::condition_variable ended_;
  std::string line_;
  bool drawn_ = false, over_ = false;
  clock::time_point drawn_at_;
  std::thread first_;  // draws a line that nothing else has drawn after two seconds; sleeps until then
};

}  // namespace jackdaw::cli
