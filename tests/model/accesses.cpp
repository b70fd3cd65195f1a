// The functions that the policy calls. On a model thread, an access that others could notice first becomes a step of
// its own.
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "model/explorer.hpp"

namespace jackdaw::model {

location explorer::add(word initial) {
  const location at = memory_->add(initial);
  if (at >= most_locations) {
    std::fputs("a scenario has too many locations\n", stderr);
    std::abort();
  }
  return at;
}

void explorer::end(location at) {
  if (on_thread() && !stop_) {
    note(at, true);
    gone_.set(at);
  }
}

void explorer::note(location at, bool writes) {
  expect(!gone_[at], "something is used after its end");
  use& known = uses_[at];
  const use before = known;
  const auto bit = static_cast<std::uint8_t>(1u << running_);
  known.accessed |= bit;
  known.written |= writes ? bit : std::uint8_t{0};
  if (!learning_ && (known.accessed != before.accessed || known.written != before.written)) {
    surprise();
  }
}

/// An assumption of the search does not hold, so it starts again.
void explorer::surprise() {
  surprised_ = stop_ = true;
  hand_over(doing::ended);
}

bool explorer::mine(location at) const noexcept { return !learning_ && uses_[at].accessed == 1u << running_; }

bool explorer::only_writer(location at) const noexcept {
  return !learning_ && (uses_[at].written & ~(1u << running_)) == 0;
}

std::memory_order explorer::weakened(std::memory_order how) const noexcept {
  const bool acquires = !options_.acquire_is_relaxed;
  const bool releases = !options_.release_is_relaxed;
  switch (how) {
    case std::memory_order_acquire:
    case std::memory_order_consume:
      return acquires ? how : std::memory_order_relaxed;
    case std::memory_order_release:
      return releases ? how : std::memory_order_relaxed;
    case std::memory_order_acq_rel:
      return acquires ? (releases ? how : std::memory_order_acquire)
                      : (releases ? std::memory_order_release : std::memory_order_relaxed);
    default:
      return how;
  }
}

void explorer::read(location at, word value, bool by_load) {
  thread& self = threads_[running_];
  self.before_load = self.history;
  self.only_loaded = by_load;
  self.history.add(value);
  self.last_at = at;
  self.last_value = value;
  if (logging_) {
    log("    read " + std::to_string(value));
  }
}

word explorer::load(location at, std::memory_order how) {
  if (!on_thread()) {
    return memory_->direct(at);
  }
  note(at, false);
  if (mine(at) || only_writer(at)) {
    return memory_->own(running_, at);
  }
  thread& self = threads_[running_];
  self.at = at;
  self.how = weakened(how);
  hand_over(doing::load);
  expect(!gone_[at], "something is used after its end");
  const word value = memory_->load(running_, at, self.how, self.choice);
  read(at, value, true);
  return value;
}

void explorer::store(location at, word value, std::memory_order how) {
  if (!on_thread()) {
    memory_->direct(at) = value;
    return;
  }
  note(at, true);
  if (mine(at)) {
    memory_->store_unseen(running_, at, value);
    return;
  }
  thread& self = threads_[running_];
  const bool total = how == std::memory_order_seq_cst;
  // The fence that another thread's heavy fence makes this one execute may come before or after the store.
  if (memory_->store_is_step(only_writer(at) && !total && !fenced_heavily_)) {
    self.at = at;
    hand_over(doing::store);
    self.history.add(0);
  }
  if (logging_) {
    log("thread " + std::to_string(running_) + " stores " + std::to_string(value) + " to #" + std::to_string(at));
  }
  memory_->store(running_, at, value, weakened(how));
  if (total && options_.on != machine::views) {
    full_fence();
  }
}

word explorer::change(location at, const update& what, std::memory_order how, std::memory_order failing) {
  if (!on_thread()) {
    word& value = memory_->direct(at);
    const word old = value;
    value = what.writes(old) ? what.apply(old) : old;
    return old;
  }
  note(at, true);
  if (mine(at)) {
    const word old = memory_->own(running_, at);
    if (what.writes(old)) {
      memory_->store_unseen(running_, at, what.apply(old));
    }
    return old;
  }
  thread& self = threads_[running_];
  self.at = at;
  self.how = weakened(how);
  self.failing = weakened(failing);
  self.what = what;
  hand_over(doing::change);
  expect(!gone_[at], "something is used after its end");
  const word old = memory_->change(running_, at, what, self.how, self.failing, self.choice);
  read(at, old, false);
  return old;
}

void explorer::full_fence() {
  if (on_thread()) {
    hand_over(doing::fence);
    memory_->fence(running_);
    threads_[running_].history.add(1);
  }
}

bool explorer::heavy_fence() {
  if (!on_thread() || options_.heavy != options::fence::works) {
    return options_.heavy != options::fence::refused;
  }
  thread& self = threads_[running_];
  if (!std::exchange(fenced_heavily_, true) && !learning_) {
    surprise();
  }
  hand_over(doing::heavy_begin);
  memory_->fence(running_);
  self.history.add(2);
  self.awaiting = static_cast<std::uint8_t>(((1u << count_) - 1) & ~(1u << running_));
  drained();
  hand_over(doing::heavy_end);
  memory_->fence(running_);
  self.history.add(3);
  return true;
}

void explorer::pause() {
  if (on_thread()) {
    thread& self = threads_[running_];
    const digest after = self.only_loaded ? self.before_load : self.history;
    self.history.add(4);
    hand_over(doing::pause);
    memory_->expect_news(running_, self.last_at, self.last_value);
    self.history = after;
  }
}

word explorer::plain(location at, const word* written) {
  if (on_thread()) {
    note(at, written != nullptr);
    if (!mine(at)) {
      expect(memory_->race_free(running_, at), "a data race");
    }
  }
  if (written != nullptr) {
    store(at, *written, std::memory_order_relaxed);
    return *written;
  }
  return load(at, std::memory_order_relaxed);
}

void explorer::expect(bool holds, const char* what) {
  if (!holds && !stop_) {
    result_.violation = what;
    log(std::string("violated: ") + what);
    stop_ = true;
    if (on_thread()) {
      hand_over(doing::ended);
    }
  }
}

unsigned explorer::choose(unsigned count) {
  thread& self = threads_[running_];
  self.choices = count;
  hand_over(doing::choose);
  self.history.add(self.choice);
  return self.choice;
}

}  // namespace jackdaw::model
