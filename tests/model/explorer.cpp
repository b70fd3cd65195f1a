#include "model/explorer.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
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

/// Threads that have nothing left to be seen have had the fence that others wait for.
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

// ---- accesses -----------------------------------------------------------------------------------------------------

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

/// What the search has relied on does not hold: it begins anew.
void explorer::surprise() {
  surprised_ = stop_ = true;
  hand_over(doing::ended);
}

bool explorer::mine(location at) const noexcept {
  return !learning_ && uses_[at].accessed == 1u << running_;
}

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
  static constexpr const char* names[] = {"loads #",     "stores to #",    "changes #", "fences",
                                          "begins a heavy fence", "ends a heavy fence", "goes on after a pause",
                                          "chooses",     "ends"};
  const thread& self = threads_[what.thread];
  std::string line = who + " " + names[static_cast<unsigned>(self.next)];
  if (self.next <= doing::change) {
    line += std::to_string(self.at);
  }
  return what.choice != 0 ? line + " (choice " + std::to_string(what.choice) + ")" : line;
}

}  // namespace jackdaw::model
