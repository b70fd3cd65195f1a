#include "jackdaw/runtime.hpp"

#include <pthread.h>

#include <cstdio>
#include <cstdlib>
#include <mutex>

#include "jackdaw/error.hpp"
#include "jackdaw/invoke.hpp"
#include "jackdaw/worker_count.hpp"
#include "task/threads.hpp"

namespace jackdaw {
namespace {

/// Null if it is not set.
const char* from_environment(const char* name) noexcept {
  return std::getenv(name);  // NOLINT(concurrency-mt-unsafe): jackdaw never changes the environment
}

std::string all_names() {
  std::string all;
  for (const std::string& name : sched::names()) {
    all += (all.empty() ? "" : ", ") + name;
  }
  return all;
}

std::unique_ptr<sched::scheduler> pick_scheduler(const options& how) {
  const char* const variable = from_environment("JACKDAW_SCHEDULER");
  const bool by_variable = how.scheduler.empty() && variable != nullptr;
  const std::string name = by_variable ? variable : how.scheduler.empty() ? "adws" : how.scheduler;
  if (auto made = sched::make_scheduler(name)) {
    return made;
  }
  throw error((by_variable ? "JACKDAW_SCHEDULER" : "options.scheduler") + (": no scheduler is called '" + name) +
              "'; expected one of " + all_names());
}

unsigned pick_workers(const options& how) {
  if (how.workers != 0) {
    return checked_worker_count(how.workers, "options.workers");
  }
  const char* const variable = from_environment("JACKDAW_WORKERS");
  return variable != nullptr ? parse_worker_count(variable, "JACKDAW_WORKERS") : 0;
}

bool pick_pinning(const options& how) {
  const char* const variable = from_environment("JACKDAW_PIN");
  if (variable == nullptr) {
    return how.pin;
  }
  const std::string_view text = variable;
  if (text != "0" && text != "1") {
    throw error("JACKDAW_PIN: '" + std::string(text) + "' is neither 0 nor 1");
  }
  return how.pin && text == "1";
}

std::size_t pick_stack_size(const options& how) {
  constexpr std::size_t least = 16 * 1024;
  constexpr std::size_t most = std::size_t{1} << 30;
  if (how.stack_size < least || how.stack_size > most) {
    throw error("options.stack_size: " + std::to_string(how.stack_size) + " bytes; expected 16384 to 1073741824");
  }
  return how.stack_size;
}

std::vector<worker_place> pick_places(const machine& where, const options& how) {
  std::vector<worker_place> places = where.place_workers(pick_workers(how), how.order);
  if (places.size() > where.usable_cpus() && where.bindable()) {
    static std::once_flag once;
    std::call_once(once, [&] {
      std::fprintf(stderr, "jackdaw: %zu workers on %u processors: they are not pinned and share processors\n",
                   places.size(), where.usable_cpus());
    });
  }
  if (!pick_pinning(how)) {
    for (worker_place& each : places) {
      each.os_cpu.reset();
    }
  }
  return places;
}

}  // namespace

struct runtime::parts {
  explicit parts(const options& how)
      : where(machine::detect()), engine(pick_scheduler(how), where, pick_places(where, how), pick_stack_size(how)) {}

  machine where;
  detail::threads engine;
};

runtime::runtime(const options& how) : parts_(std::make_unique<parts>(how)) {}

runtime::~runtime() = default;

unsigned runtime::workers() const noexcept { return parts_->engine.workers(); }
std::string_view runtime::scheduler() const noexcept { return parts_->engine.scheduler().name(); }
const machine& runtime::where() const noexcept { return parts_->where; }
const worker_place& runtime::place(unsigned i) const { return parts_->engine.places().at(i); }
statistics runtime::stats() const noexcept { return parts_->engine.stats(); }
void runtime::reset_stats() noexcept { parts_->engine.reset_stats(); }

bool runtime::on_own_worker() const noexcept {
  const detail::worker* const self = detail::this_worker();
  return self != nullptr && &self->home == &parts_->engine;
}

void runtime::send(detail::root& task) { parts_->engine.send(task); }

namespace {

std::mutex instance_mutex;
runtime* the_instance = nullptr;

/// In the child of a fork there are no workers: it starts its own when it needs them. The parent's memory is left as
/// it is; nobody knows in what state it was.
void forget_instance() noexcept {
  the_instance = nullptr;
  new (&instance_mutex) std::mutex;
  detail::set_this_worker(nullptr);
  detail::set_this_lane(nullptr);
}

}  // namespace

runtime& runtime::instance() {
  const std::lock_guard hold(instance_mutex);
  if (the_instance == nullptr) {
    static std::once_flag once;
    std::call_once(once, [] { pthread_atfork(nullptr, nullptr, forget_instance); });
    // Never destroyed: tasks may still be forked while the program's static objects are.
    the_instance = new runtime;
  }
  return *the_instance;
}

std::optional<unsigned> this_worker() noexcept {
  const detail::worker* const self = detail::this_worker();
  return self != nullptr ? std::optional<unsigned>(self->id) : std::nullopt;
}

unsigned concurrency() {
  const detail::worker* const self = detail::this_worker();
  return self != nullptr ? self->home.workers() : runtime::instance().workers();
}

std::vector<std::string> scheduler_names() { return sched::names(); }

namespace detail {
bool on_worker() noexcept { return this_worker() != nullptr; }
}  // namespace detail

}  // namespace jackdaw
