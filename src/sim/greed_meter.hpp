#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace jackdaw::sim {

/// Measures for how long workers are idle beside work: they have nothing to run, and a task that could run waits that
/// no worker has taken (docs/schedulers.md, "Greed"). All times in ns, and in order.
///
/// What happens at one time counts as what it leaves behind: a task that is pushed and taken at once never waits.
class greed_meter {
 public:
  explicit greed_meter(std::size_t workers) : each_(workers + 1) { oldest().before = oldest().after = workers; }

  /// How many tasks could run and have not been taken, in all deques, mailboxes, pools and the queue of roots.
  std::size_t& waiting() noexcept { return waiting_; }
  std::size_t waiting() const noexcept { return waiting_; }

  /// Everything that happens up to `now` has happened.
  void settle(double now) noexcept {
    if ((waiting_ != 0) == waits_) return;
    if (waits_) {
      ended_ += now - since_;
      if (const std::size_t first = oldest().after; first != none()) saw(each_[first], now);
    } else {
      since_ = now;
    }
    waits_ = !waits_;
  }

  /// The worker has nothing to run from now on.
  void begin_idle(std::size_t worker, double now) noexcept {
    one& who = each_[worker];
    who.since = now;
    who.waited = waited(now);
    who.before = oldest().before;
    who.after = none();
    each_[who.before].after = oldest().before = worker;
    who.idle = true;
  }
  /// The idle worker has found something. Returns for how long it was idle beside work.
  double end_idle(std::size_t worker, double now) noexcept {
    one& who = each_[worker];
    if (waits_) saw(who, now);
    each_[who.before].after = who.after;
    each_[who.after].before = who.before;
    who.idle = false;
    return waited(now) - who.waited;
  }
  /// For how long the worker has been idle beside work by now, since it has become idle; 0 if it is not.
  double idle(std::size_t worker, double now) const noexcept {
    return each_[worker].idle ? waited(now) - each_[worker].waited : 0;
  }

  /// The longest time without a break for which a worker has been idle beside work; of the intervals that have ended.
  double longest() const noexcept { return longest_; }

 private:
  /// Idle workers are in a list, those that have been idle for longest first.
  struct one {
    double since = 0;   ///< since when it has been idle
    double waited = 0;  ///< waited() then
    std::size_t before = 0, after = 0;
    bool idle = false;
  };

  std::size_t none() const noexcept { return each_.size() - 1; }
  one& oldest() noexcept { return each_.back(); }
  /// For how long anything has waited, up to now.
  double waited(double now) const noexcept { return ended_ + (waits_ ? now - since_ : 0); }
  void saw(const one& who, double now) noexcept { longest_ = std::max(longest_, now - std::max(since_, who.since)); }

  std::vector<one> each_;  // by worker, and the list's ends
  std::size_t waiting_ = 0;
  bool waits_ = false;  // whether anything waited when the last time settled
  double since_ = 0;    // if so, since when
  double ended_ = 0;    // how long earlier stretches of that kind were together
  double longest_ = 0;
};

}  // namespace jackdaw::sim
