#include "runtime/runtime_parts.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <mutex>
#include <new>
#include <optional>
#include <string_view>
#include <type_traits>

#include "base/byte_count.hpp"
#include "base/environment.hpp"
#include "base/replacement.hpp"
#include "base/say_once.hpp"
#include "base/worker_count.hpp"
#include "jackdaw/arena.hpp"
#include "jackdaw/detail/atomics.hpp"
#include "jackdaw/error.hpp"
#include "runtime/checks.hpp"
#include "runtime/moving.hpp"
#include "runtime/process.hpp"
#include "runtime/refused_threads.hpp"
#include "runtime/region.hpp"
#include "runtime/uncancelled.hpp"
#include "runtime/visit.hpp"
#include "trace/event_file.hpp"

namespace jackdaw {
namespace {

using detail::from_environment;
using detail::read_variable;
using detail::shown;
using detail::wanted_file;

std::string all_names() {
  std::string all;
  for (const std::string& name : sched::accepted_names()) {
    all += (all.empty() ? "" : ", ") + name;
  }
  return all;
}

sched::node_sequence parse_node_order(std::string_view text, const char* where) {
  const auto known = sched::node_sequence_of(text);
  if (!known) {
    throw error(std::string(where) + ": '" + shown(text) + "', expected adjacent or apart");
  }
  return *known;
}

sched::settings pick_settings(const options& how) {
  sched::settings picked{.data = how.data_size, .branching = how.branching};
  if (how.branching != 0) {
    parse_branching(std::to_string(how.branching), "options.branching");
  } else {
    picked.branching = read_variable("JACKDAW_BRANCHING", picked.branching, parse_branching);
  }
  if (how.data_size != 0) {
    parse_byte_count(std::to_string(how.data_size), "options.data_size");
  } else {
    picked.data = read_variable("JACKDAW_DATA_SIZE", picked.data, parse_byte_count);
  }
  picked.order = how.node_order.empty() ? read_variable("JACKDAW_NODE_ORDER", picked.order, parse_node_order)
                                        : parse_node_order(how.node_order, "options.node_order");
  return picked;
}

std::string pick_scheduler(const options& how, const sched::settings& settings) {
  const auto known = [&](std::string_view name, const char* where) {
    if (sched::make_scheduler(name, settings) == nullptr) {
      throw error(std::string(where) + ": no scheduler is called '" + shown(name) + "'; expected one of " +
                  all_names());
    }
    return std::string(name);
  };
  return how.scheduler.empty() ? read_variable("JACKDAW_SCHEDULER", std::string(sched::default_scheduler), known)
                               : known(how.scheduler, "options.scheduler");
}

unsigned pick_workers(const options& how) {
  return how.workers != 0 ? checked_worker_count(how.workers, "options.workers")
                          : read_variable("JACKDAW_WORKERS", 0u, parse_worker_count);
}

placement_order pick_order(const options& how) {
  return how.order ? *how.order : read_variable("JACKDAW_ORDER", placement_order::scatter, parse_placement_order);
}

/// Returns the variable as a bool; `otherwise` if it is not set.
template <class T>
T pick_switch(const char* variable, T otherwise) {
  return read_variable(variable, otherwise, [](std::string_view text, const char* name) {
    if (text != "0" && text != "1") {
      throw error(std::string(name) + ": '" + shown(text) + "' is neither 0 nor 1");
    }
    return text == "1";
  });
}

/// A recorded program runs all its tasks on one stack.
constexpr std::size_t recording_stack = std::size_t{256} << 20;

std::size_t check_stack_size(std::uint64_t bytes, std::string_view where) {
  constexpr std::size_t least = 16 * 1024;
  constexpr std::size_t most = std::size_t{1} << 30;
  if (bytes < least || bytes > most) {
    throw error(std::string(where) + ": " + std::to_string(bytes) + " bytes; expected 16384 to 1073741824");
  }
  return bytes;
}

std::size_t pick_stack_size(const options& how) {
  if (how.stack_size != 0) {
    return check_stack_size(how.stack_size, "options.stack_size");
  }
  return read_variable("JACKDAW_STACK_SIZE", std::size_t{1} << 20, [](std::string_view text, const char* name) {
    return check_stack_size(parse_byte_count(text, name), name);
  });
}

/// Whether it matters for a worker where it runs: usable cores have different L3 caches or memory nodes near them, or
/// are of different types.
bool lie_apart(const machine& where) {
  const machine::core* first = nullptr;
  for (const machine::core& each : where.cores) {
    if (each.usable_os_cpus.empty()) continue;
    if (first == nullptr) first = &each;
    if (each.l3_group != first->l3_group || each.numa_node != first->numa_node || each.type != first->type) return true;
  }
  return false;
}

/// Returns as many workers as are asked for, or as the machine has cores for, at most max_workers.
unsigned count_workers(const machine& where, const detail::wishes& wanted) {
  if (wanted.workers != 0 || where.default_workers() <= max_workers) {
    return wanted.workers != 0 ? wanted.workers : where.default_workers();
  }
  static std::atomic<bool> said{false};
  if (detail::first(said)) {
    std::fprintf(stderr, "jackdaw: the machine has %u cores; a runtime has at most %u workers\n",
                 where.default_workers(), max_workers);
  }
  return max_workers;
}

std::vector<worker_place> pick_places(const machine& where, const detail::wishes& wanted, unsigned workers,
                                      bool recording) {
  std::vector<worker_place> places = where.place_workers(workers, wanted.order);
  if (!recording && places.size() > where.usable_cpus() && where.bindable()) {
    static std::atomic<bool> said{false};
    if (detail::first(said)) {
      std::fprintf(stderr, "jackdaw: %zu workers on %u %s: they are not pinned and share processors\n", places.size(),
                   where.usable_cpus(), where.usable_cpus() == 1 ? "processor" : "processors");
    }
  }
  if (!wanted.pin.value_or(false)) {
    const bool helps = !wanted.pin && lie_apart(where), all = places.size() >= where.usable_cores();
    for (worker_place& each : places) {
      each.stays_in_l3 = each.os_cpu && helps && !all;
      if (!helps || !all) each.os_cpu.reset();
    }
  }
  return places;
}

wanted_file pick_file(const std::string& given, const char* option, const char* name) {
  const char* const variable = from_environment(name);
  return given.empty() && variable != nullptr ? wanted_file{variable, name, true} : wanted_file{given, option, false};
}

/// Returns `make()`, which opens the file; null if none is wanted, or if the variable that names it is ignored.
template <class Make>
std::invoke_result_t<const Make&> opened(const wanted_file& file, const Make& make) {
  if (file.path.empty()) {
    return nullptr;
  }
  try {
    return make();
  } catch (const error& why) {
    if (!file.by_variable) throw;
    detail::ignore_variable(file.where, why);
    return nullptr;
  }
}

/// Says once that a refusal makes forks slower than necessary.
void say_refused(std::size_t workers) {
  if (workers > 1 && !detail::hardware::can_fence() && !detail::moving()) {
    static std::atomic<bool> said{false};
    if (detail::first(said)) {
      std::fprintf(stderr,
                   "jackdaw: the kernel refuses membarrier, so that every fork takes a lock; see jackdaw doctor\n");
    }
  }
}

std::unique_ptr<trace::recording_file> open_recording(const wanted_file& record, std::size_t workers) {
  return opened(record, [&] {
    return std::make_unique<trace::recording_file>(record.path, record.where, static_cast<unsigned>(workers));
  });
}

std::unique_ptr<detail::run_log> open_log(const wanted_file& stats, const machine& where,
                                          std::vector<worker_place> places, const std::string& scheduler) {
  return opened(stats, [&] {
    return std::make_unique<detail::run_log>(stats.path, stats.where, where, std::move(places), scheduler);
  });
}

/// Returns a name for each worker that tells where it is.
std::vector<std::string> names_of(const std::vector<worker_place>& places) {
  std::vector<std::string> names;
  for (const worker_place& each : places) {
    names.push_back("worker " + std::to_string(names.size()) + " (socket " + std::to_string(each.package) + ", core " +
                    std::to_string(each.core) + ")");
  }
  return names;
}

std::unique_ptr<trace::timeline> open_timeline(const wanted_file& into, const std::string& scheduler,
                                               const std::vector<worker_place>& places) {
  return into.path.empty() ? nullptr : std::make_unique<trace::timeline>(into.path, scheduler, names_of(places));
}

std::vector<worker_place> used(const std::vector<worker_place>& places, const trace::recorder* recorder) {
  return recorder == nullptr ? places : std::vector<worker_place>{places.front()};
}

/// What is found before the first worker starts.
detail::wishes begin(const options& how) {
  detail::wishes wanted(how);
  detail::find_checks();
  detail::moves_at_forks.store(pick_switch("JACKDAW_MOVE", false), std::memory_order_relaxed);
  return wanted;
}

}  // namespace

namespace detail {
namespace {

/// Two records cannot be written to one file. Throws error, or gives up the one that a variable asks for.
void refuse_same(wanted_file& one, wanted_file& other) {
  if (one.path.empty() || other.path.empty() || !is_same_file(one.path, other.path)) return;
  wanted_file& given_up = other.by_variable && !one.by_variable ? other : one;
  const wanted_file& stays = &given_up == &one ? other : one;
  const error why(std::string(given_up.where) + ": '" + given_up.path + "' is the file of " + stays.where +
                  ", expected another one");
  if (!given_up.by_variable) throw error(why);
  ignore_variable(given_up.where, why);
  given_up.path.clear();
}

}  // namespace

wanted_files::wanted_files(const options& how, bool recorded)
    : events(pick_file(how.events, "options.events", "JACKDAW_EVENTS")),
      trace(pick_file(how.trace, "options.trace", "JACKDAW_TRACE")) {
  if (!recorded) {
    record = pick_file(how.record, "options.record", "JACKDAW_RECORD");
    stats = pick_file(how.stats, "options.stats", "JACKDAW_STATS");
  }
  const std::array all{&record, &stats, &events, &trace};
  for (auto each = all.begin(); each != all.end(); ++each) {
    for (auto other = all.begin(); other != each; ++other) {
      refuse_same(**each, **other);
    }
  }
}

void wanted_files::resolve() {
  for (wanted_file* const each : {&events, &trace}) {
    if (each->path.empty()) continue;
    try {
      each->path = numbered(check_replaceable(each->path, each->where));
    } catch (const error& why) {
      if (!each->by_variable) throw;
      ignore_variable(each->where, why);
      each->path.clear();
    }
  }
}

wishes::wishes(const options& how)
    : settings(pick_settings(how)),
      scheduler(pick_scheduler(how, settings)),
      workers(pick_workers(how)),
      order(pick_order(how)),
      pin(how.pin ? how.pin : pick_switch("JACKDAW_PIN", how.pin)),
      stack_size(pick_stack_size(how)),
      count_accesses(how.count_accesses || pick_switch("JACKDAW_COUNT_ACCESSES", false)),
      tied(how.tied || pick_switch("JACKDAW_TIED", false)) {}

watched_scheduler::watched_scheduler(std::unique_ptr<sched::scheduler> made, const wanted_file& into)
    : scheduler(std::move(made)) {
  if (!into.path.empty()) {
    auto listening = std::make_unique<sched::logging_scheduler>(std::move(scheduler));
    file = into.path;
    log = listening.get();
    scheduler = std::move(listening);
  }
}

void watched_scheduler::write() noexcept {
  if (const sched::logging_scheduler* const kept = std::exchange(log, nullptr)) {
    try {
      trace::write_events(kept->events(), file);
      if (const std::uint64_t lost = kept->lost()) {
        std::fprintf(stderr, "jackdaw: %s: %llu events are missing: there was no memory for them\n", file.c_str(),
                     static_cast<unsigned long long>(lost));
      }
    } catch (const std::bad_alloc&) {
      std::fprintf(stderr, "jackdaw: %s: not written: there is not enough memory\n", file.c_str());
    } catch (const std::exception& failure) {
      std::fprintf(stderr, "jackdaw: %s\n", failure.what());
    }
  }
}

}  // namespace detail

runtime::parts* runtime::parts::make(const options& how, trace::recorder* into) {
  const detail::uncancelled until_made;
  detail::wanted_files files(how, into != nullptr);
  files.resolve();
  const detail::wishes wanted = begin(how);
  const machine where = machine::detect();
  const unsigned wished = count_workers(where, wanted);
  // A program that has not set a number itself can do with fewer.
  const bool strict = detail::strict_environment.load(std::memory_order_relaxed), exactly = how.workers != 0 || strict;
  constexpr unsigned few = 4;  // half of them would hardly need less memory
  std::string refusal = "runtime: there is no memory for " + std::to_string(wished) +
                        " workers: allow more (ulimit -v, vm.max_map_count), or ask for fewer (JACKDAW_WORKERS)";
  for (unsigned workers = wished;;) {
    try {
      parts* const made = new parts(wanted, where, workers, into, files);
      if (workers < wished) {
        std::fprintf(stderr, "jackdaw: %s; there are %u workers\n", refusal.c_str(), workers);
      }
      return made;
    } catch (const detail::refused_threads& refused) {
      const unsigned left = std::max(refused.started - (refused.started + 3) / 4, 1u);  // some for the program
      if (exactly || refused.started == 0 || left >= workers) throw error(refused);
      refusal = refused.what();
      workers = left;
    } catch (const std::bad_alloc&) {
      if (strict) throw error(refusal);
      if (exactly || workers <= few) throw;
      workers /= 2;
    }
  }
}

runtime::parts* runtime::parts::make(runtime& of, const arena_options& how) {
  const detail::uncancelled until_made;
  options as_runtime{.scheduler = how.scheduler};
  detail::wishes wanted(as_runtime);
  const visit inside(of);
  const machine& where = inside.engine.where();
  std::vector<worker_place> places;
  for (const worker_place& each : inside.engine.places()) {
    if ((!how.node || where.nodes[each.numa_node].os_index == *how.node) &&
        (!how.core_type || where.cores[each.core].type == *how.core_type)) {
      places.push_back(each);
    }
  }
  if (places.empty()) {
    const std::string type = how.core_type ? "a core of type " + std::to_string(*how.core_type) : "";
    const std::string node = how.node ? "node " + std::to_string(*how.node) : "";
    throw error((how.node ? "arena_options.node: " : "arena_options.core_type: ") +
                ("the runtime has no worker on " + type) + (how.node && how.core_type ? " of " : "") + node);
  }
  if (how.workers != 0) {
    checked_worker_count(how.workers, "arena_options.workers");
    places.resize(std::min<std::size_t>(places.size(), how.workers));
  }
  if (how.scheduler.empty()) {
    const auto apart = [&](const worker_place& each) { return each.numa_node != places.front().numa_node; };
    wanted.scheduler = std::any_of(places.begin(), places.end(), apart) ? "adws" : "auto";
  }
  if (how.priority > priority::high) {
    throw error("arena_options.priority: " + std::to_string(static_cast<unsigned>(how.priority)) +
                ", expected priority::low, normal or high");
  }
  return new parts(wanted, inside.engine, std::move(places), how.priority);
}

runtime::parts::parts(const detail::wishes& wanted, const machine& on, unsigned workers, trace::recorder* into,
                      const detail::wanted_files& files)
    : generation(detail::process::generation()),
      wanted(wanted),
      where(on),
      places(pick_places(where, wanted, workers, into != nullptr || !files.record.path.empty())),
      file(open_recording(files.record, places.size())),
      recorder(file ? &file->into() : into),
      watched(sched::make_scheduler(wanted.scheduler, wanted.settings), files.events),
      log(open_log(files.stats, where, used(places, recorder), wanted.scheduler)),
      timeline(open_timeline(files.trace, wanted.scheduler, used(places, recorder))),
      engine(std::move(watched.scheduler), where, used(places, recorder),
             recorder != nullptr ? std::max(wanted.stack_size, recording_stack) : wanted.stack_size, recorder,
             profile::thread_samples(), profile::this_kernel(), make_observers(), log.get(),
             detail::hosted{.tied = wanted.tied}) {
  if (recorder != nullptr) {
    recorder->name_places_by(&detail::region_name);
  }
  if (wanted.count_accesses) {
    engine.count_accesses();
  }
  say_refused(engine.workers());
}

runtime::parts::parts(const parts& of_parent, detail::threads* host)
    : generation(detail::process::generation()),
      wanted(of_parent.wanted),
      where(of_parent.where),
      places(of_parent.places),
      recorder(nullptr),
      watched(sched::make_scheduler(wanted.scheduler, wanted.settings), {}),
      urgency(of_parent.urgency),
      engine(std::move(watched.scheduler), where, places, wanted.stack_size, nullptr, profile::thread_samples(),
             profile::this_kernel(), nullptr, nullptr, detail::hosted{host, urgency, nullptr, wanted.tied}) {}

runtime::parts::parts(const detail::wishes& wanted, detail::threads& host, std::vector<worker_place> its,
                      priority urgency)
    : generation(detail::process::generation()),
      wanted(wanted),
      where(host.where()),
      places(std::move(its)),
      recorder(nullptr),
      watched(sched::make_scheduler(wanted.scheduler, wanted.settings), {}),
      urgency(urgency),
      engine(std::move(watched.scheduler), where, places, wanted.stack_size, nullptr, profile::thread_samples(),
             profile::this_kernel(), nullptr, nullptr, detail::hosted{&host, urgency}) {}

observer* runtime::parts::make_observers() {
  seen_by.add(timeline.get());
  seen_by.add(trace::observing());
  if (log) seen_by.add(log.get());
  return seen_by.whole();
}

bool runtime::parts::of_this_process() const noexcept { return generation == detail::process::generation(); }

void runtime::parts::write_files() noexcept {
  if (file) {
    file->write();
  }
  watched.write();
  write_log();
  if (timeline) {
    timeline->write();
  }
}

void runtime::parts::write_log() noexcept {
  if (!log) return;
  try {
    log->write(engine.counters());
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "jackdaw: the results file is not written: there is not enough memory\n");
  }
}

void runtime::parts::keep_counts() {
  // In the child of a fork() the log's lock may be held by a thread that does not exist here.
  if (!log || !of_this_process()) return;
  try {
    log->keep(engine.counters());
  } catch (const std::bad_alloc&) {  // NOLINT(bugprone-empty-catch): what was counted until now is not written
  }
}

}  // namespace jackdaw
