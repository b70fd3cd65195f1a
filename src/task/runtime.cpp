#include "jackdaw/runtime.hpp"

#include <pthread.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <optional>

#include "jackdaw/error.hpp"
#include "jackdaw/invoke.hpp"
#include "jackdaw/worker_count.hpp"
#include "measure/recording_file.hpp"
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

/// A recorded program has all its tasks on one stack.
constexpr std::size_t recording_stack = std::size_t{256} << 20;

std::size_t pick_stack_size(const options& how, bool recording) {
  constexpr std::size_t least = 16 * 1024;
  constexpr std::size_t most = std::size_t{1} << 30;
  if (how.stack_size < least || how.stack_size > most) {
    throw error("options.stack_size: " + std::to_string(how.stack_size) + " bytes; expected 16384 to 1073741824");
  }
  return recording ? std::max(how.stack_size, recording_stack) : how.stack_size;
}

std::vector<worker_place> pick_places(const machine& where, const options& how, bool recording) {
  std::vector<worker_place> places = where.place_workers(pick_workers(how), how.order);
  if (!recording && places.size() > where.usable_cpus() && where.bindable()) {
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

/// Where a recording goes, and who says so; an empty path: nobody does.
std::pair<std::string, const char*> pick_record(const options& how) {
  const char* const variable = from_environment("JACKDAW_RECORD");
  if (how.record.empty() && variable != nullptr) {
    if (*variable == '\0') {
      throw error("JACKDAW_RECORD: '', expected the name of the file to write");
    }
    return {variable, "JACKDAW_RECORD"};
  }
  return {how.record, "options.record"};
}

}  // namespace

struct runtime::parts {
  parts(const options& how, measure::recorder* into) : parts(how, into, into == nullptr ? pick_record(how) : to{}) {}

  using to = std::pair<std::string, const char*>;
  parts(const options& how, measure::recorder* into, const to& record)
      : where(machine::detect()),
        places(pick_places(where, how, into != nullptr || !record.first.empty())),
        file(open(record, places.size())),
        recorder(file ? &file->into() : into),
        engine(pick_scheduler(how), where, used(), pick_stack_size(how, recorder != nullptr), recorder) {}

  static std::unique_ptr<measure::recording_file> open(const to& record, std::size_t workers) {
    return record.first.empty()
               ? nullptr
               : std::make_unique<measure::recording_file>(record.first, record.second, static_cast<unsigned>(workers));
  }
  std::vector<worker_place> used() const {
    return recorder == nullptr ? places : std::vector<worker_place>{places.front()};
  }

  machine where;
  std::vector<worker_place> places;               // also those of workers that a recorded program only believes in
  std::unique_ptr<measure::recording_file> file;  // written after the engine has stopped
  measure::recorder* recorder;                    // null if nothing records
  detail::threads engine;
};

runtime::runtime(const options& how) : runtime(how, nullptr) {}

runtime::runtime(const options& how, measure::recorder* into) : parts_(std::make_unique<parts>(how, into)) {}

runtime::~runtime() = default;

void runtime::label_next_root(std::string label) {
  if (parts_->recorder != nullptr) {
    parts_->recorder->label_next_root(std::move(label));
  }
}

unsigned runtime::workers() const noexcept {
  return parts_->recorder != nullptr ? parts_->recorder->workers() : parts_->engine.workers();
}
std::string_view runtime::scheduler() const noexcept { return parts_->engine.scheduler().name(); }
const machine& runtime::where() const noexcept { return parts_->where; }
const worker_place& runtime::place(unsigned i) const { return parts_->places.at(i); }
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
    // Never destroyed: tasks may still be forked while the program's static objects are. Hence a recording of it is
    // written when the program ends.
    the_instance = new runtime;
    if (the_instance->parts_->file) {
      std::atexit([] {
        const std::lock_guard hold_at_exit(instance_mutex);
        if (the_instance != nullptr) {
          the_instance->parts_->file->write();
        }
      });
    }
  }
  return *the_instance;
}

std::optional<unsigned> this_worker() noexcept {
  const detail::worker* const self = detail::this_worker();
  return self != nullptr ? std::optional<unsigned>(self->id) : std::nullopt;
}

unsigned concurrency() {
  const detail::worker* const self = detail::this_worker();
  if (self == nullptr) {
    return runtime::instance().workers();
  }
  return self->home.recorder() != nullptr ? self->home.recorder()->workers() : self->home.workers();
}

std::vector<std::string> scheduler_names() { return sched::names(); }

namespace detail {
bool on_worker() noexcept { return this_worker() != nullptr; }
}  // namespace detail

}  // namespace jackdaw
