#include <cxxabi.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "c/runtime_table.hpp"
#include "c/scope.hpp"
#include "c/status.hpp"
#include "c/versioned.hpp"
#include "jackdaw/runtime.hpp"

namespace jackdaw::c_api {
namespace {

const char* text(const char* given) noexcept { return given != nullptr ? given : ""; }

bool chosen(std::int32_t choice, const char* what) {
  switch (choice) {
    case JACKDAW_YES:
      return true;
    case JACKDAW_DEFAULT:
    case JACKDAW_NO:
      return false;
    default:
      throw misuse{JACKDAW_ERROR_ARGUMENT, what};
  }
}

options options_of(const jackdaw_options* given) {
  options how;
  if (given == nullptr) {
    return how;
  }
  const jackdaw_options from = read_versioned(*given);
  how.scheduler = text(from.scheduler);
  how.node_order = text(from.node_order);
  how.events = text(from.events);
  how.record = text(from.record);
  how.stats = text(from.stats);
  how.trace = text(from.trace);
  how.stack_size = from.stack_size;
  how.data_size = from.data_size;
  how.workers = from.workers;
  how.branching = from.branching;
  switch (from.order) {
    case JACKDAW_ORDER_DEFAULT:
      break;
    case JACKDAW_SCATTER:
      how.order = placement_order::scatter;
      break;
    case JACKDAW_COMPACT:
      how.order = placement_order::compact;
      break;
    default:
      throw misuse{JACKDAW_ERROR_ARGUMENT, "options.order: an unknown number, expected a jackdaw_order"};
  }
  const bool pin = chosen(from.pin, "options.pin: an unknown number, expected a jackdaw_choice");
  if (from.pin != JACKDAW_DEFAULT) how.pin = pin;
  how.count_accesses =
      chosen(from.count_accesses, "options.count_accesses: an unknown number, expected a jackdaw_choice");
  how.tied = chosen(from.tied, "options.tied: an unknown number, expected a jackdaw_choice");
  return how;
}

jackdaw_stats stats_of(const statistics& counted) noexcept {
  return {sizeof(jackdaw_stats), counted.steals_local,  counted.steals_core,   counted.steals_cache,
          counted.steals_remote, counted.failed_steals, counted.failed_remote, counted.forced_steals,
          counted.migrations,    counted.suspensions,   counted.sleeps,        counted.in_place,
          counted.rescues,       counted.turns,         counted.tasks,         counted.roots,
          counted.at_home,       counted.away,          counted.search_ns,     counted.sleep_ns,
          counted.local_bytes,   counted.remote_bytes,  counted.moved_bytes};
}

constexpr const char* no_counts = "a null pointer, expected where to put the counts";
constexpr const char* no_number = "a null pointer, expected where to put the number";

}  // namespace
}  // namespace jackdaw::c_api

namespace api = jackdaw::c_api;

extern "C" {

jackdaw_status jackdaw_runtime_create(const jackdaw_options* options, jackdaw_runtime** made) {
  JACKDAW_C_TRY {
    api::expect(made, "a null pointer, expected where to put the runtime");
    *made = nullptr;
    *made = api::runtime_table::all().add(std::make_unique<api::known_runtime>(api::options_of(options)));
  }
  JACKDAW_C_CATCH;
}

jackdaw_status jackdaw_runtime_destroy(jackdaw_runtime* runtime) {
  JACKDAW_C_TRY {
    api::expect(runtime, "a null runtime; jackdaw_shutdown() ends the default one");
    const std::unique_ptr<api::known_runtime> ends_here = api::runtime_table::all().take(runtime);
  }
  JACKDAW_C_CATCH;
}

jackdaw_status jackdaw_run(jackdaw_runtime* runtime, jackdaw_function f, void* arg) {
  JACKDAW_C_TRY {
    api::expect(f, "a null pointer, expected a function");
    const api::user uses(runtime);
    uses.of().run([=] { api::call(f, arg); });
  }
  JACKDAW_C_CATCH;
}

jackdaw_status jackdaw_configure(const jackdaw_options* options) {
  JACKDAW_C_TRY { jackdaw::configure(api::options_of(options)); }
  JACKDAW_C_CATCH;
}

jackdaw_status jackdaw_shutdown() {
  JACKDAW_C_TRY { jackdaw::shutdown(); }
  JACKDAW_C_CATCH;
}

jackdaw_status jackdaw_workers(jackdaw_runtime* runtime, uint32_t* workers) {
  JACKDAW_C_TRY {
    api::expect(workers, api::no_number);
    *workers = api::user(runtime).of().workers();
  }
  JACKDAW_C_CATCH;
}

jackdaw_status jackdaw_concurrency(uint32_t* workers) {
  JACKDAW_C_TRY {
    api::expect(workers, api::no_number);
    *workers = jackdaw::concurrency();
  }
  JACKDAW_C_CATCH;
}

int32_t jackdaw_this_worker() {
  const auto number = jackdaw::this_worker();
  return number ? static_cast<int32_t>(*number) : -1;
}

jackdaw_status jackdaw_stats_get(jackdaw_runtime* runtime, jackdaw_stats* stats) {
  JACKDAW_C_TRY {
    api::expect(stats, api::no_counts);
    api::write_versioned(*stats, api::stats_of(api::user(runtime).of().stats()));
  }
  JACKDAW_C_CATCH;
}

jackdaw_status jackdaw_worker_stats_get(jackdaw_runtime* runtime, uint32_t worker, jackdaw_stats* stats) {
  JACKDAW_C_TRY {
    api::expect(stats, api::no_counts);
    const std::vector<jackdaw::statistics> counted = api::user(runtime).of().counters();
    if (worker >= counted.size()) {
      throw api::misuse{JACKDAW_ERROR_ARGUMENT, "no worker has that number, expected less than jackdaw_workers()"};
    }
    api::write_versioned(*stats, api::stats_of(counted[worker]));
  }
  JACKDAW_C_CATCH;
}

jackdaw_status jackdaw_stats_reset(jackdaw_runtime* runtime) {
  JACKDAW_C_TRY { api::user(runtime).of().reset_stats(); }
  JACKDAW_C_CATCH;
}

}  // extern "C"
