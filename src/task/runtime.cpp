#include "jackdaw/runtime.hpp"

#include <pthread.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <optional>

#include "jackdaw/byte_count.hpp"
#include "jackdaw/detail/home_slot.hpp"
#include "jackdaw/error.hpp"
#include "jackdaw/invoke.hpp"
#include "jackdaw/worker_count.hpp"
#include "measure/event_file.hpp"
#include "measure/recording_file.hpp"
#include "measure/replacement.hpp"
#include "sched/logged.hpp"
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

sched::settings pick_settings(const options& how) {
  sched::settings picked{.data = how.data_size, .branching = how.branching};
  if (how.branching != 0) {
    parse_branching(std::to_string(how.branching), "options.branching");
  }
  if (how.data_size != 0) {
    parse_byte_count(std::to_string(how.data_size), "options.data_size");
  } else if (const char* const variable = from_environment("JACKDAW_DATA_SIZE")) {
    picked.data = parse_byte_count(variable, "JACKDAW_DATA_SIZE");
  }
  if (const char* const variable = from_environment("JACKDAW_BRANCHING"); how.branching == 0 && variable != nullptr) {
    picked.branching = parse_branching(variable, "JACKDAW_BRANCHING");
  }
  const char* const order = how.node_order.empty() ? from_environment("JACKDAW_NODE_ORDER") : how.node_order.c_str();
  if (order != nullptr) {
    const auto known = sched::node_order_of(order);
    if (!known) {
      throw error(std::string(how.node_order.empty() ? "JACKDAW_NODE_ORDER" : "options.node_order") + ": '" + order +
                  "', expected adjacent or apart");
    }
    picked.order = *known;
  }
  return picked;
}

std::unique_ptr<sched::scheduler> pick_scheduler(const options& how) {
  const char* const variable = from_environment("JACKDAW_SCHEDULER");
  const bool by_variable = how.scheduler.empty() && variable != nullptr;
  const std::string_view name = by_variable             ? std::string_view(variable)
                                : how.scheduler.empty() ? sched::default_scheduler
                                                        : how.scheduler;
  if (auto made = sched::make_scheduler(name, pick_settings(how))) {
    return made;
  }
  throw error(std::string(by_variable ? "JACKDAW_SCHEDULER" : "options.scheduler") + ": no scheduler is called '" +
              std::string(name) + "'; expected one of " + all_names());
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

/// A file that is to be written, and who says so; an empty path: nobody does.
using wanted_file = std::pair<std::string, const char*>;

wanted_file pick_file(const std::string& given, const char* option, const char* name) {
  const char* const variable = from_environment(name);
  if (given.empty() && variable != nullptr) {
    if (*variable == '\0') {
      throw error(std::string(name) + ": '', expected the name of the file to write");
    }
    return {variable, name};
  }
  return {given, option};
}

/// A scheduler, and the log of it that is to be written when the runtime ends, if any is.
struct watched_scheduler {
  watched_scheduler(std::unique_ptr<sched::scheduler> made, const wanted_file& into) : scheduler(std::move(made)) {
    if (!into.first.empty()) {
      file = measure::check_replaceable(into.first, into.second);
      auto listening = std::make_unique<sched::logged>(std::move(scheduler));
      log = listening.get();
      scheduler = std::move(listening);
    }
  }

  /// Once; what goes wrong is said in a line on stderr.
  void write() noexcept {
    if (const sched::logged* const kept = std::exchange(log, nullptr)) {
      try {
        measure::write_events(kept->events(), file);
      } catch (const std::exception& failure) {
        std::fprintf(stderr, "jackdaw: %s\n", failure.what());
      }
    }
  }

  std::unique_ptr<sched::scheduler> scheduler;  // until the engine has it
  sched::logged* log = nullptr;                 // alive as long as the engine
  std::filesystem::path file;
};

}  // namespace

struct runtime::parts {
  parts(const options& how, measure::recorder* into)
      : parts(how, into, into == nullptr ? pick_file(how.record, "options.record", "JACKDAW_RECORD") : wanted_file{}) {}

  parts(const options& how, measure::recorder* into, const wanted_file& record)
      : where(machine::detect()),
        places(pick_places(where, how, into != nullptr || !record.first.empty())),
        file(open(record, places.size())),
        recorder(file ? &file->into() : into),
        watched(pick_scheduler(how), pick_file(how.events, "options.events", "JACKDAW_EVENTS")),
        engine(std::move(watched.scheduler), where, used(), pick_stack_size(how, recorder != nullptr), recorder) {}

  static std::unique_ptr<measure::recording_file> open(const wanted_file& record, std::size_t workers) {
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
  watched_scheduler watched;
  detail::threads engine;
};

runtime::runtime(const options& how) : runtime(how, nullptr) {}

runtime::runtime(const options& how, measure::recorder* into) : parts_(std::make_unique<parts>(how, into)) {}

runtime::~runtime() { parts_->watched.write(); }

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
profile_source runtime::profiled_by() const noexcept { return parts_->engine.profiled_by(); }
data_report runtime::data() const { return parts_->engine.data(); }
void runtime::reset_stats() noexcept { parts_->engine.reset_stats(); }

bool runtime::on_own_worker() const noexcept {
  const detail::worker* const self = detail::this_worker();
  return self != nullptr && &self->home == &parts_->engine;
}

void runtime::send(detail::root& task) { parts_->engine.send(task); }
detail::threads& runtime::engine() const noexcept { return parts_->engine; }

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
  detail::set_this_home_slot(0);
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
    if (the_instance->parts_->file || the_instance->parts_->watched.log != nullptr) {
      std::atexit([] {
        const std::lock_guard hold_at_exit(instance_mutex);
        if (the_instance != nullptr) {
          if (the_instance->parts_->file) {
            the_instance->parts_->file->write();
          }
          the_instance->parts_->watched.write();
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
