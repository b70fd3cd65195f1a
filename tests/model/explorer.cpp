#include "model/explorer.hpp"

#include <algorithm>
#include <utility>

#include "jackdaw/detail/context.hpp"

#if defined(JACKDAW_ASAN)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace jackdaw::model {
namespace {

constexpr std::size_t stack_size = 64 * 1024;
constexpr unsigned learning_runs = 200;

explorer* current = nullptr;

/// What a sanitizer must know of a change of stack.
struct stack_change {
#if defined(JACKDAW_ASAN)
  void leave(const void* bottom, std::size_t size) { __sanitizer_start_switch_fiber(&fake_, bottom, size); }
  void arrive() { __sanitizer_finish_switch_fiber(fake_, &left_bottom, &left_size); }
  static void begin() { __sanitizer_finish_switch_fiber(nullptr, &left_bottom, &left_size); }
  static void forget(void* stack) { __asan_unpoison_memory_region(stack, stack_size); }
  static inline const void* left_bottom = nullptr;
  static inline std::size_t left_size = 0;

 private:
  void* fake_ = nullptr;
#else
  void leave(const void*, std::size_t) {}
  void arrive() {}
  static void begin() {}
  static void forget(void*) {}
  static constexpr const void* left_bottom = nullptr;
  static constexpr std::size_t left_size = 0;
#endif
};

}  // namespace

/// A set of digests, open addressing; (0, 0) is an empty place.
class explorer::known_states {
 public:
  known_states() : places_(1 << 16) {}

  /// False: it was there.
  bool insert(digest what) {
    if (2 * (count_ + 1) > places_.size()) {
      grow();
    }
    digest& place = find(places_, what);
    if (place == what) {
      return false;
    }
    place = what;
    ++count_;
    return true;
  }
  void clear() {
    places_.assign(1 << 16, digest{0, 0});
    count_ = 0;
  }

 private:
  static digest& find(std::vector<digest>& in, digest what) {
    std::size_t at = what.a & (in.size() - 1);
    while (!(in[at] == what) && !(in[at] == digest{0, 0})) {
      at = (at + 1) & (in.size() - 1);
    }
    return in[at];
  }
  void grow() {
    std::vector<digest> larger(2 * places_.size(), digest{0, 0});
    for (const digest& each : places_) {
      if (!(each == digest{0, 0})) {
        find(larger, each) = each;
      }
    }
    places_.swap(larger);
  }

  std::vector<digest> places_;
  std::size_t count_ = 0;
};

explorer::explorer(const options& how, std::function<scenario*(void*)> make, std::size_t size)
    : options_(how),
      make_(std::move(make)),
      size_(size),
      room_(new std::byte[size + 64]),
      memory_(make_memory(how.on)),
      known_(std::make_unique<known_states>()) {
  known_->clear();
}

explorer::~explorer() = default;

explorer& explorer::active() noexcept { return *current; }

// ---- the search ---------------------------------------------------------------------------------------------------

outcome explorer::explore() {
  explorer* const outer = std::exchange(current, this);
  learning_ = true;
  for (unsigned i = 0; i < learning_runs && result_.violation.empty(); ++i) {
    path_.clear();
    run_once(true);
  }
  if (result_.violation.empty()) {
    learning_ = false;
    path_.clear();
    known_->clear();
    result_ = {};
    for (;;) {
      surprised_ = false;
      run_once(false);
      if (surprised_) {
        path_.clear();
        known_->clear();
        result_ = {};
        continue;
      }
      if (!result_.violation.empty() || result_.states > options_.most_states) {
        break;
      }
      while (!path_.empty() && path_.back().taken + 1 == path_.back().count) {
        path_.pop_back();
      }
      if (path_.empty()) {
        result_.exhaustive = options_.preemptions == ~0u;
        break;
      }
      ++path_.back().taken;
    }
  }
  if (!result_.violation.empty()) {
    logging_ = true;
    const std::string found = result_.violation;
    run_once(false);
    result_.violation = found;
  }
  current = outer;
  return result_;
}

void explorer::run_once(bool random) {
  ++result_.executions;
  void* where = room_.get();
  std::size_t space = size_ + 64;
  std::align(64, size_, where, space);
  running_ = ~0u;
  stop_ = false;
  depth_ = 0;
  last_thread_ = ~0u;
  preempted_ = 0;
  gone_.reset();
  memory_->clear();
  scenario_ = make_(where);
  count_ = scenario_->threads();
  memory_->threads(count_);
  for (unsigned t = 0; t < count_ && !stop_; ++t) {
    thread& each = threads_[t];
    if (each.stack == nullptr) {
      each.stack.reset(new std::byte[stack_size]);
    }
    stack_change::forget(each.stack.get());
    each.history = each.before_load = {};
    each.awaiting = 0;
    each.context = detail::make_context(
        reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(each.stack.get() + stack_size) & ~std::uintptr_t{63}),
        &explorer::start_thread, this);
    switch_to(t);
  }
  while (!stop_) {
    list_steps();
    if (steps_.empty()) {
      scenario::ended who;
      for (unsigned t = 0; t < count_; ++t) {
        who[t] = threads_[t].next == doing::ended;
      }
      log("the end");
      scenario_->finish(who);
      break;
    }
    std::size_t taken = 0;
    if (steps_.size() > 1) {
      if (depth_ < path_.size()) {
        taken = path_[depth_].taken;
      } else if (random) {
        random_ = random_ * 6364136223846793005u + 1442695040888963407u;
        taken = (random_ >> 33) % steps_.size();
        path_.push_back({static_cast<std::uint16_t>(steps_.size()), static_cast<std::uint16_t>(taken)});
      } else {
        if (!known_->insert(state())) {
          break;
        }
        ++result_.states;
        path_.push_back({static_cast<std::uint16_t>(steps_.size()), 0});
      }
      ++depth_;
    }
    perform(steps_[taken]);
  }
  running_ = ~0u;
  scenario_->~scenario();
  scenario_ = nullptr;
}

void explorer::list_steps() {
  steps_.clear();
  std::uint8_t interrupts = 0;
  const bool bound = preempted_ >= options_.preemptions && last_thread_ < count_ && choices(threads_[last_thread_]) > 0;
  for (unsigned t = 0; t < count_; ++t) {
    thread& each = threads_[t];
    interrupts |= each.awaiting;
    if (!bound || t == last_thread_) {
      const unsigned count = choices(each);
      for (unsigned choice = 0; choice < count; ++choice) {
        steps_.push_back({step::by::thread, static_cast<std::uint8_t>(t), static_cast<std::uint16_t>(choice)});
      }
    }
    const unsigned flushes = memory_->flushes(t);
    for (unsigned which = 0; which < flushes; ++which) {
      steps_.push_back({step::by::flush, static_cast<std::uint8_t>(t), static_cast<std::uint16_t>(which)});
    }
  }
  for (unsigned t = 0; t < count_; ++t) {
    // With store buffers the thread's fence is the moment at which its buffer is empty: drained().
    if ((interrupts >> t & 1) != 0 && options_.on == machine::views) {
      steps_.push_back({step::by::interrupt, static_cast<std::uint8_t>(t), 0});
    }
  }
}

unsigned explorer::choices(thread& of) {
  const auto self = static_cast<unsigned>(&of - threads_.data());
  switch (of.next) {
    case doing::load:
      return memory_->load_choices(self, of.at, of.how);
    case doing::store:
      return 1;
    case doing::change:
      return memory_->update_choices(self, of.at, of.what, of.how, of.failing);
    case doing::fence:
    case doing::heavy_begin:
      return memory_->fence_possible(self) ? 1 : 0;
    case doing::heavy_end:
      return of.awaiting == 0 && memory_->fence_possible(self) ? 1 : 0;
    case doing::pause:
      return memory_->news(self, of.last_at, of.last_value) ? 1 : 0;
    case doing::choose:
      return of.choices;
    case doing::ended:
      break;
  }
  return 0;
}

void explorer::perform(const step& what) {
  if (logging_) {
    log(describe(what));
  }
  switch (what.kind) {
    case step::by::thread:
      if (last_thread_ < count_ && last_thread_ != what.thread && choices(threads_[last_thread_]) > 0) {
        ++preempted_;
      }
      last_thread_ = what.thread;
      threads_[what.thread].choice = what.choice;
      memory_->settle(what.thread);
      switch_to(what.thread);
      break;
    case step::by::flush:
      memory_->flush(what.thread, what.choice);
      drained();
      break;
    case step::by::interrupt:
      memory_->fence(what.thread);
      for (thread& each : threads_) {
        each.awaiting &= static_cast<std::uint8_t>(~(1u << what.thread));
      }
      break;
  }
}

/// A thread with no store left to make visible counts as having executed the fence that others wait for.
void explorer::drained() noexcept {
  for (unsigned t = 0; t < count_; ++t) {
    if (memory_->quiet(t)) {
      for (thread& each : threads_) {
        each.awaiting &= static_cast<std::uint8_t>(~(1u << t));
      }
    }
  }
}

digest explorer::state() const {
  digest sum;
  for (unsigned t = 0; t < count_; ++t) {
    sum.add(threads_[t].history.a);
    sum.add(threads_[t].history.b);
    sum.add(threads_[t].awaiting);
  }
  if (options_.preemptions != ~0u) {
    sum.add(std::uint64_t{preempted_} << 8 | (last_thread_ & 0xff));
  }
  memory_->sum(sum);
  return sum;
}

// ---- the threads --------------------------------------------------------------------------------------------------

void explorer::start_thread(void* self) noexcept {
  stack_change::begin();
  auto& me = *static_cast<explorer*>(self);
  me.scenario_->run(me.running_);
  me.hand_over(doing::ended);
}

void explorer::switch_to(unsigned thread) {
  running_ = thread;
  stack_change change;
  change.leave(threads_[thread].stack.get(), stack_size);
  detail::jackdaw_switch(&context_, threads_[thread].context, nullptr);
  change.arrive();
  running_ = ~0u;
}

void explorer::hand_over(doing next) {
  thread& self = threads_[running_];
  self.next = next;
  stack_change change;
  change.leave(stack_change::left_bottom, stack_change::left_size);
  detail::jackdaw_switch(&self.context, context_, nullptr);
  change.arrive();
}

void explorer::log(const std::string& line) {
  if (logging_) {
    result_.trace += line + "\n";
  }
}

std::string explorer::describe(const step& what) const {
  const std::string who = "thread " + std::to_string(what.thread);
  if (what.kind == step::by::flush) {
    return who + ": its store " + std::to_string(what.choice) + " reaches memory";
  }
  if (what.kind == step::by::interrupt) {
    return who + ": is made to fence";
  }
  static constexpr const char* names[] = {"loads #",
                                          "stores to #",
                                          "changes #",
                                          "fences",
                                          "begins a heavy fence",
                                          "ends a heavy fence",
                                          "goes on after a pause",
                                          "chooses",
                                          "ends"};
  const thread& self = threads_[what.thread];
  std::string line = who + " " + names[static_cast<unsigned>(self.next)];
  if (self.next <= doing::change) {
    line += std::to_string(self.at);
  }
  return what.choice != 0 ? line + " (choice " + std::to_string(what.choice) + ")" : line;
}

}  // namespace jackdaw::model
