// The omp_ functions that ask and set, for C.
#include <sched.h>

#include <algorithm>
#include <chrono>
#include <climits>

#include "gomp/places.hpp"
#include "gomp/pool.hpp"
#include "gomp/settings.hpp"
#include "gomp/team.hpp"
#include "gomp/teams.hpp"

namespace jackdaw::gomp {
namespace {

/// The member that the calling task is, or is in, at that level of regions. Null: there is no such level.
const member* at_level(int level) noexcept {
  const member* at = &here();
  if (level < 0 || static_cast<unsigned>(level) > at->in->level) return nullptr;
  while (at->in->level != static_cast<unsigned>(level)) at = at->in->opener;
  return at;
}

control& mine() noexcept { return here().now->vars; }

constexpr unsigned monotonic_bit = 0x80000000u;

}  // namespace
}  // namespace jackdaw::gomp

using namespace jackdaw::gomp;

extern "C" {

int omp_get_thread_num() {
  const member* const self = current_member;
  return self != nullptr ? static_cast<int>(self->id) : 0;
}
int omp_get_num_threads() {
  const member* const self = current_member;
  return self != nullptr ? static_cast<int>(self->in->size) : 1;
}
int omp_get_max_threads() { return static_cast<int>(mine().threads); }
void omp_set_num_threads(int n) { mine().threads = n > 0 ? static_cast<unsigned>(n) : 1; }
int omp_get_num_procs() {
  const settings& process = settings::of_process();
  // Those that the thread may use now, if it is not this library that says which.
  return static_cast<int>(process.places.empty() ? usable_processors().size() : process.processors);
}
int omp_in_parallel() { return here().in->active_level > 0 ? 1 : 0; }
int omp_in_final() { return here().now->final ? 1 : 0; }

void omp_set_dynamic(int on) { mine().adjusts = on != 0; }
int omp_get_dynamic() { return mine().adjusts ? 1 : 0; }

void omp_set_nested(int on) {
  control& vars = mine();
  if (on != 0) {
    if (vars.max_levels == 1) vars.max_levels = settings::most_levels;
  } else if (vars.max_levels > 1) {
    vars.max_levels = 1;
  }
}
int omp_get_nested() {
  const member& self = here();
  const unsigned most = self.now->vars.max_levels;
  return most > 1 && most > self.in->active_level ? 1 : 0;
}
void omp_set_max_active_levels(int levels) {
  if (levels >= 0) {
    mine().max_levels = static_cast<unsigned char>(std::min<int>(levels, settings::most_levels));
  }
}
int omp_get_max_active_levels() { return mine().max_levels; }
int omp_get_supported_active_levels() { return settings::most_levels; }

void omp_set_schedule(unsigned kind, int chunk) {
  control& vars = mine();
  const unsigned plain = kind & ~monotonic_bit;
  if (plain < 1 || plain > 4) return;
  vars.kind = static_cast<schedule>(plain);
  vars.monotonic = (kind & monotonic_bit) != 0;
  if (vars.kind != schedule::automatic) {
    vars.chunk = chunk > 0 ? chunk : vars.kind == schedule::fixed ? 0 : 1;
  }
}
void omp_get_schedule(unsigned* kind, int* chunk) {
  const control& vars = mine();
  *kind = static_cast<unsigned>(vars.kind) | (vars.monotonic ? monotonic_bit : 0);
  *chunk = vars.chunk;
}

int omp_get_thread_limit() { return static_cast<int>(mine().thread_limit); }
int omp_get_level() { return static_cast<int>(here().in->level); }
int omp_get_active_level() { return static_cast<int>(here().in->active_level); }
int omp_get_ancestor_thread_num(int level) {
  const member* const at = at_level(level);
  return at != nullptr ? static_cast<int>(at->id) : -1;
}
int omp_get_team_size(int level) {
  const member* const at = at_level(level);
  return at != nullptr ? static_cast<int>(at->in->size) : -1;
}

int omp_get_cancellation() { return settings::of_process().cancellation ? 1 : 0; }
int omp_get_max_task_priority() { return settings::of_process().most_priority; }

double omp_get_wtime() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}
double omp_get_wtick() { return 1e-9; }

int omp_get_num_teams() { return host_teams.count; }
int omp_get_team_num() { return host_teams.number; }
int omp_get_max_teams() { return settings::of_process().teams.load(std::memory_order_relaxed); }
void omp_set_num_teams(int n) { settings::of_process().teams.store(std::max(n, 0), std::memory_order_relaxed); }
int omp_get_teams_thread_limit() { return settings::of_process().teams_thread_limit.load(std::memory_order_relaxed); }
void omp_set_teams_thread_limit(int n) {
  settings::of_process().teams_thread_limit.store(std::max(n, 0), std::memory_order_relaxed);
}

int omp_get_proc_bind() { return static_cast<int>(settings::of_process().binding_at(here().in->level)); }
int omp_get_num_places() {
  return settings::are_being_read ? 0 : static_cast<int>(settings::of_process().places.size());
}
int omp_get_place_num() { return here().place; }
int omp_get_partition_num_places() { return omp_get_num_places(); }
void omp_get_partition_place_nums(int* numbers) {
  for (int i = 0; i < omp_get_num_places(); ++i) numbers[i] = i;
}
int omp_get_place_num_procs(int place) {
  return place >= 0 && place < omp_get_num_places()
             ? static_cast<int>(settings::of_process().places[static_cast<unsigned>(place)].size())
             : 0;
}
void omp_get_place_proc_ids(int place, int* processors) {
  if (place < 0 || place >= omp_get_num_places()) return;
  for (const unsigned each : settings::of_process().places[static_cast<unsigned>(place)]) {
    *processors++ = static_cast<int>(each);
  }
}

int omp_get_default_device() { return settings::of_process().default_device.load(std::memory_order_relaxed); }
void omp_set_default_device(int device) {
  settings::of_process().default_device.store(std::max(device, 0), std::memory_order_relaxed);
}
int omp_get_num_devices() { return 0; }
int omp_get_initial_device() { return 0; }
int omp_get_device_num() { return 0; }
int omp_is_initial_device() { return 1; }

// Softly or hard, it is the same: what threads keep is lost with them.
int omp_pause_resource_all(int) {
  if (here().in->level != 0) return -1;
  pool::of_this_thread().pause();
  return 0;
}
int omp_pause_resource(int kind, int device) { return device == 0 ? omp_pause_resource_all(kind) : -1; }
}
