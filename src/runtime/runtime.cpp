#include "jackdaw/runtime.hpp"

#include <chrono>
#include <mutex>
#include <new>
#include <optional>
#include <utility>

#include "base/happens_before.hpp"
#include "jackdaw/error.hpp"
#include "jackdaw/invoke.hpp"
#include "runtime/fatal.hpp"
#include "runtime/process.hpp"
#include "runtime/runtime_access.hpp"
#include "runtime/runtime_parts.hpp"
#include "runtime/uncancelled.hpp"
#include "runtime/visit.hpp"

namespace jackdaw {
namespace {

std::mutex starting;  // held while the default runtime starts, or any runtime starts anew in the child of a fork()

// The options of the default runtime, if the program has set them; guarded by starting. A pointer, so that a fork()
// sees all of them or none.
const options* configured = nullptr;

constexpr char has_ended[] = "this runtime has ended";

}  // namespace

/// Never destroyed: tasks may still be forked while the program's static objects are.
union runtime::immortal {
  constexpr immortal() noexcept : it(not_started(0)) {}
  ~immortal() {}
  runtime it;
};
constinit runtime::immortal runtime::the_default;

runtime& runtime::instance() {
  the_default.it.start();
  return the_default.it;
}

runtime::runtime(const options& how) : runtime(how, nullptr) {}

runtime::runtime(const options& how, trace::recorder* into) : link_(std::make_shared<detail::runtime_link>()) {
  link_->to = this;
  detail::process::join();
  parts_.store(parts::make(how, into), std::memory_order_release);
  generation_.store(detail::process::generation(), std::memory_order_relaxed);
  detail::process::expect_exit();
  door_.open();
}

runtime::runtime(runtime& host, const arena_options& how)
    : host_(&host), link_(std::make_shared<detail::runtime_link>()) {
  link_->to = this;
  detail::process::join();
  parts_.store(parts::make(host, how), std::memory_order_release);
  generation_.store(detail::process::generation(), std::memory_order_relaxed);
  detail::process::expect_exit();
  door_.open();
}

runtime::~runtime() {
  if (link_ != nullptr) {
    const std::lock_guard hold(link_->mutex);  // whoever sends something by this link has done so
    link_->to = nullptr;
  }
  parts* const last = parts_.load(std::memory_order_acquire);
  if (last == nullptr) {
    return;
  }
  if (last->of_this_process() && !detail::process::exiting()) {
    door_.close();
    parts_.store(nullptr, std::memory_order_release);
    end(last);
    return;
  }
  // Either exit() has begun: tasks and other threads continue. Or this is the child of a fork(): the workers do not
  // exist here, and the state in which they left their memory is unknown.
  static std::atomic<parts*> left{nullptr};  // so that leak checkers find it
  last->left = left.exchange(last);
  if (last->of_this_process()) {
    last->write_files();
  } else {
    parts_.store(nullptr, std::memory_order_release);
  }
}

/// Ends the parts of a runtime of this process, not while the process exits. No root is sent any more.
void runtime::end(parts* last) noexcept {
  if (const detail::worker* const self = detail::this_worker();
      self != nullptr && &self->home.owner() == &last->engine) {
    detail::end_for("a runtime was ended by one of its own tasks");
  }
  std::optional<detail::uncancelled> until_ended;
  if (detail::this_worker() == nullptr) until_ended.emplace();  // a task may leave its thread meanwhile
  last->engine.wait_for_roots();                                // an arena may be one of its tasks'
  if (last->engine.has_arenas()) {
    detail::end_for("a runtime has ended before an arena of its workers");
  }
  last->watched.write();
  last->write_log();
  delete last;
}

/// Takes the default runtime's parts away, so that it starts anew when it is needed; returns null if it has none here.
/// Other threads need not wait for its last tasks, which may be waiting for them. Throws error if it has arenas, unless
/// `with_arenas`.
runtime::parts* runtime::take_default(bool with_arenas) {
  runtime& it = the_default.it;
  const std::lock_guard hold(starting);
  parts* const last = it.parts_.load(std::memory_order_acquire);
  if (last == nullptr || !last->of_this_process()) {
    return nullptr;  // threads that were inside the door at a fork never leave it in the child
  }
  it.door_.close();  // no arena begins from here on
  if (!with_arenas && last->engine.has_arenas()) {
    it.door_.open();
    throw error("jackdaw::shutdown: an arena has the default runtime's workers, expected its end before");
  }
  it.parts_.store(nullptr, std::memory_order_release);
  return last;
}

void configure(const options& how) {
  const detail::wishes checked(how);
  const detail::wanted_files files(how, false);
  const auto* const made = new options(how);
  const std::lock_guard hold(starting);
  if (runtime::the_default.it.parts_.load(std::memory_order_acquire) != nullptr) {
    delete made;
    throw error(
        "jackdaw::configure: the default runtime has started, expected a call before the first fork outside of a task, "
        "or after jackdaw::shutdown()");
  }
  delete std::exchange(configured, made);
}

std::string detail::runtime_access::default_scheduler() {
  {
    const std::lock_guard hold(starting);
    if (configured != nullptr) return wishes(*configured).scheduler;
  }
  return wishes(options{}).scheduler;
}

void shutdown() {
  if (detail::process::exiting()) {
    return;
  }
  if (detail::this_worker() != nullptr) {
    throw error("jackdaw::shutdown was called by a task; call it on a thread that is no worker");
  }
  if (runtime::parts* const last = runtime::take_default(false)) {
    runtime::end(last);
  }
}

void detail::end_default() noexcept {
  if (!process::exiting()) {
    if (runtime::parts* const last = runtime::take_default(true)) {
      runtime::end(last);
    }
  } else {
    const std::lock_guard hold(starting);
    runtime& it = runtime::the_default.it;
    if (it.is_of_this_process()) {
      it.parts_.load(std::memory_order_acquire)->write_files();
    }
  }
}

void detail::forget_default() noexcept { new (&starting) std::mutex; }

/// Whether it has parts, and their threads are in this process.
bool runtime::is_of_this_process() const noexcept {
  return are_of_this_process(parts_.load(std::memory_order_acquire));
}

/// The same of parts that the caller has read: a thread that ends the runtime may remove them at any time.
bool runtime::are_of_this_process(const parts* these) const noexcept {
  return these != nullptr && generation_.load(std::memory_order_acquire) == detail::process::generation();
}

/// Starts the runtime if necessary and enters its door. Returns the parts; they stay until the caller leaves.
runtime::parts& runtime::enter() {
  for (;;) {
    start();
    if (door_.enter()) {
      if (is_of_this_process()) {
        detail::acquires(&parts_);
        return *parts_.load(std::memory_order_acquire);
      }
      door_.leave();
    }
    // The runtime is ending: start() throws, or starts the default one anew.
  }
}

/// Returns what `answer(parts)` returns. Any thread may shut down the default runtime meanwhile, so its door keeps its
/// parts. Other runtimes, and the one of the calling task, may not end while they are asked. In the child of a fork()
/// the parent's copy answers until the child has its own.
template <class Answer>
decltype(auto) runtime::ask(const Answer& answer) const {
  if (parts* const found = mine()) {
    return answer(*found);
  }
  runtime& self = const_cast<runtime&>(*this);
  if (this != &the_default.it) {
    parts* const found = parts_.load(std::memory_order_acquire);
    if (found == nullptr) {
      throw error(has_ended);
    }
    return answer(*found);
  }
  if (!is_of_this_process()) {
    // Under the lock, because the parts may come and go between two looks at them.
    const std::lock_guard hold(starting);
    if (parts* const found = parts_.load(std::memory_order_acquire); found != nullptr && !are_of_this_process(found)) {
      return answer(*found);
    }
  }
  struct inside {
    runtime& of;
    ~inside() { of.door_.leave(); }
  };
  parts& now = self.enter();
  const inside until_answered{self};
  return answer(now);
}

/// Starts the default runtime, or in the child of a fork() any that the parent has made. Throws error if it has ended.
/// What the parts point to may end meanwhile.
void runtime::start() {
  if (is_of_this_process() && !door_.is_closed()) {
    return;
  }
  std::unique_lock hold(starting, std::defer_lock);
  const bool is_childs_arena =
      host_ != nullptr && generation_.load(std::memory_order_acquire) != detail::process::generation();
  do {
    if (is_childs_arena) {
      hold = {};
      host_->start();
    }
    hold = std::unique_lock(starting);
    // Under the lock its runtime, if that is the default one, stays until the arena is counted.
  } while (is_childs_arena && !host_->is_of_this_process());
  parts* const found = parts_.load(std::memory_order_acquire);  // once: a destructor does not hold the lock
  if (are_of_this_process(found)) {
    if (door_.is_closed()) {
      throw error("this runtime is ending");
    }
    return;
  }
  if (found == nullptr && this != &the_default.it) {
    throw error(has_ended);
  }
  detail::process::join();
  // The parent's parts are left as they are. The door is closed anew, because the parent may have left it open, with
  // threads inside. Other threads enter only after they have seen this generation.
  door_.close_anew();
  parts* const made =
      found != nullptr
          ? new parts(*found, host_ != nullptr ? &host_->parts_.load(std::memory_order_acquire)->engine : nullptr)
          : parts::make(configured != nullptr ? *configured : options{}, nullptr);
  detail::releases(&parts_);
  parts_.store(made, std::memory_order_release);
  generation_.store(detail::process::generation(), std::memory_order_release);
  detail::process::expect_exit();
  door_.open();
}

runtime::visit::visit(runtime& to) : to_(to), engine(to.enter().engine) {
  try {
    detail::process::notice_exit();
  } catch (...) {
    to_.door_.leave();  // the destructor will not run
    throw;
  }
}

void runtime::label_next_root(std::string label) {
  start();
  ask([&](parts& now) {
    if (now.recorder != nullptr) {
      now.recorder->label_next_root(std::move(label));
    }
  });
}

// Asking a runtime that has ended, or that cannot start in the child of a fork(), ends the program.
// NOLINTNEXTLINE(bugprone-exception-escape)
unsigned runtime::workers() const noexcept {
  return ask([](parts& now) { return now.recorder != nullptr ? now.recorder->workers() : now.engine.workers(); });
}
std::string_view runtime::scheduler() const noexcept {
  return ask([](parts& now) { return now.engine.scheduler().name(); });
}
// NOLINTNEXTLINE(bugprone-exception-escape): as workers()
const machine& runtime::where() const noexcept {
  return ask([](parts& now) -> const machine& { return now.where; });
}
const worker_place& runtime::place(unsigned i) const {
  return ask([i](parts& now) -> const worker_place& { return now.places.at(i); });
}
statistics runtime::stats() const noexcept {
  return ask([](parts& now) { return now.engine.stats(); });
}
std::vector<statistics> runtime::counters() const {
  return ask([](parts& now) { return now.engine.counters(); });
}
profile_source runtime::profiled_by() const noexcept {
  return ask([](parts& now) { return now.engine.profiled_by(); });
}
data_report runtime::data() const {
  const_cast<runtime*>(this)->start();
  return ask([](parts& now) { return now.engine.data(); });
}
void runtime::reset_stats() noexcept {
  ask([](parts& now) {
    now.keep_counts();
    now.engine.reset_stats();
  });
}

bool runtime::on_own_worker() const noexcept { return mine() != nullptr; }

/// Returns the parts if the caller is one of their workers; they stay as long as the calling task runs.
runtime::parts* runtime::mine() const noexcept {
  const detail::worker* const self = detail::this_worker();
  if (self == nullptr) {
    return nullptr;
  }
  parts* const found = parts_.load(std::memory_order_acquire);
  return found != nullptr && &self->home.owner() == &found->engine && are_of_this_process(found) ? found : nullptr;
}

/// As threads::send().
detail::worker* runtime::send(detail::root& task, bool waits) {
  detail::process::notice_exit();
  const visit inside(*this);
  inside.engine.root_comes();
  inside.engine.roots().begin();
  try {
    return inside.engine.send(task, waits);
  } catch (...) {
    inside.engine.root_goes();
    inside.engine.roots().end();
    throw;
  }
}

void runtime::submit(detail::root& task) {
  detail::worker* const caller = detail::this_worker();
  if (caller != nullptr && !caller->never_suspends()) {
    task.waited_in = &caller->home;
    task.unattended = true;
    send(task, false);
    caller->suspend(
        [](detail::worker&, detail::fiber* left, void* awaited) noexcept -> detail::fiber* {
          return static_cast<detail::root*>(awaited)->wait(left) ? nullptr : left;
        },
        &task);
    detail::acquires(&task);
    return;
  }
  const detail::uncancelled until_it_has_ended;
  std::optional<detail::client> here;
  // A worker of another runtime that cannot leave its task stays what it is.
  if (detail::worker* const lent = send(task, caller == nullptr)) {
    here.emplace(lent->home, task);
    lent->home.stand_in(*lent, *here);
  }
  std::chrono::milliseconds next(1);
  while (!(here ? here->wait(next) : task.wait(next))) {
    next = look_after(task.begun());
  }
  detail::acquires(&task);
}

std::chrono::milliseconds runtime::look_after(bool begun) noexcept {
  std::chrono::milliseconds next(10);
  if (is_of_this_process() && door_.enter()) {
    if (is_of_this_process()) {
      detail::threads& engine = parts_.load(std::memory_order_acquire)->engine;
      engine.let_take_turns(begun);
      next = engine.between_looks(begun);
    }
    door_.leave();
  }
  return next;
}

bool runtime::all_at_work() noexcept {
  bool busy = false;
  if (is_of_this_process() && door_.enter()) {
    busy = is_of_this_process() && parts_.load(std::memory_order_acquire)->engine.all_at_work();
    door_.leave();
  }
  return busy;
}

std::chrono::milliseconds runtime::visit::look_after_default() noexcept { return the_default.it.look_after(true); }

std::vector<statistics> counters() {
  const detail::worker* const self = detail::this_worker();
  return self != nullptr && !self->stranded ? self->home.counters() : runtime::instance().counters();
}

std::optional<unsigned> this_worker() noexcept {
  const detail::worker* const self = detail::this_worker();
  return self != nullptr ? std::optional<unsigned>(self->id) : std::nullopt;
}

void detail::runtime_access::run_elsewhere(runtime& in, root& task) {
  const uncancelled until_it_has_ended;
  in.send(task, false);
  for (std::chrono::milliseconds next(1); !task.wait(next);) next = in.look_after(task.begun());
  acquires(&task);
}

void detail::runtime_access::isolate(runtime& in, root& task) {
  process::notice_exit();
  /// While it lives, the engine does not end: it counts this as one of its roots.
  struct counted {
    explicit counted(const runtime::visit& inside) : engine(inside.engine) { engine.roots().begin(); }
    ~counted() { engine.roots().end(); }
    counted(const counted&) = delete;
    counted& operator=(const counted&) = delete;
    threads& engine;
  };
  std::optional<counted> one;
  {
    const runtime::visit inside(in);
    if (inside.engine.recorder() == nullptr) one.emplace(inside);
  }
  one ? one->engine.isolate(nullptr, task) : in.submit(task);
}

void detail::runtime_access::join(runtime& in, root& task) { runtime::visit(in).engine.join(task); }

std::unique_ptr<runtime> detail::runtime_access::arena_of(runtime& host, const arena_options& how, bool holds) {
  const bool records = host.mine() != nullptr ? this_worker()->home.recorder() != nullptr
                                              : runtime::visit(host).engine.recorder() != nullptr;
  if (records) return nullptr;
  std::unique_ptr<runtime> made(new runtime(host, how));
  if (holds) runtime::visit(*made).engine.hold_threads();
  return made;
}

bool detail::runtime_access::default_is_busy() noexcept { return runtime::the_default.it.all_at_work(); }

unsigned detail::runtime_access::default_workers() {
  const runtime::visit inside(runtime::instance());
  const trace::recorder* const into = inside.engine.recorder();
  return into != nullptr ? into->workers() : inside.engine.workers();
}

unsigned concurrency() {
  const detail::worker* const self = detail::this_worker();
  if (self == nullptr) {
    return detail::runtime_access::default_workers();
  }
  if (self->stranded) {
    return 1;
  }
  return self->home.recorder() != nullptr ? self->home.recorder()->workers() : self->home.workers();
}

std::vector<std::string> scheduler_names() { return sched::names(); }

}  // namespace jackdaw
