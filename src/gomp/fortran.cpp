// The omp_ functions that ask and set, for Fortran: arguments by address, and once more for 8-byte integers.
#include <algorithm>
#include <climits>
#include <cstdint>

extern "C" {

// NOLINTBEGIN(bugprone-macro-parentheses): names
#define JACKDAW_ASKS(name) \
  int name();              \
  int name##_() { return name(); }
#define JACKDAW_SETS(name)                   \
  void name(int);                            \
  void name##_(const int* to) { name(*to); } \
  void name##_8_(const std::int64_t* to) { name(narrowed(*to)); }
#define JACKDAW_ASKS_OF(name)                      \
  int name(int);                                   \
  int name##_(const int* of) { return name(*of); } \
  int name##_8_(const std::int64_t* of) { return name(narrowed(*of)); }
// NOLINTEND(bugprone-macro-parentheses)

static int narrowed(std::int64_t number) {
  return static_cast<int>(std::clamp<std::int64_t>(number, INT_MIN, INT_MAX));
}

JACKDAW_ASKS(omp_get_thread_num)
JACKDAW_ASKS(omp_get_num_threads)
JACKDAW_ASKS(omp_get_max_threads)
JACKDAW_ASKS(omp_get_num_procs)
JACKDAW_ASKS(omp_in_parallel)
JACKDAW_ASKS(omp_in_final)
JACKDAW_ASKS(omp_get_dynamic)
JACKDAW_ASKS(omp_get_nested)
JACKDAW_ASKS(omp_get_max_active_levels)
JACKDAW_ASKS(omp_get_supported_active_levels)
JACKDAW_ASKS(omp_get_thread_limit)
JACKDAW_ASKS(omp_get_level)
JACKDAW_ASKS(omp_get_active_level)
JACKDAW_ASKS(omp_get_cancellation)
JACKDAW_ASKS(omp_get_max_task_priority)
JACKDAW_ASKS(omp_get_num_teams)
JACKDAW_ASKS(omp_get_team_num)
JACKDAW_ASKS(omp_get_max_teams)
JACKDAW_ASKS(omp_get_teams_thread_limit)
JACKDAW_ASKS(omp_get_proc_bind)
JACKDAW_ASKS(omp_get_num_places)
JACKDAW_ASKS(omp_get_place_num)
JACKDAW_ASKS(omp_get_partition_num_places)
JACKDAW_ASKS(omp_get_default_device)
JACKDAW_ASKS(omp_get_num_devices)
JACKDAW_ASKS(omp_get_initial_device)
JACKDAW_ASKS(omp_get_device_num)
JACKDAW_ASKS(omp_is_initial_device)

JACKDAW_SETS(omp_set_num_threads)
JACKDAW_SETS(omp_set_dynamic)
JACKDAW_SETS(omp_set_nested)
JACKDAW_SETS(omp_set_max_active_levels)
JACKDAW_SETS(omp_set_num_teams)
JACKDAW_SETS(omp_set_teams_thread_limit)
JACKDAW_SETS(omp_set_default_device)

JACKDAW_ASKS_OF(omp_get_ancestor_thread_num)
JACKDAW_ASKS_OF(omp_get_team_size)
JACKDAW_ASKS_OF(omp_get_place_num_procs)

double omp_get_wtime();
double omp_get_wtick();
double omp_get_wtime_() { return omp_get_wtime(); }
double omp_get_wtick_() { return omp_get_wtick(); }

void omp_set_schedule(unsigned, int);
void omp_get_schedule(unsigned*, int*);
void omp_set_schedule_(const int* kind, const int* chunk) { omp_set_schedule(static_cast<unsigned>(*kind), *chunk); }
void omp_set_schedule_8_(const int* kind, const std::int64_t* chunk) {
  omp_set_schedule(static_cast<unsigned>(*kind), narrowed(*chunk));
}
void omp_get_schedule_(int* kind, int* chunk) {
  unsigned found = 0;
  omp_get_schedule(&found, chunk);
  *kind = static_cast<int>(found);
}
void omp_get_schedule_8_(int* kind, std::int64_t* chunk) {
  int narrow = 0;
  omp_get_schedule_(kind, &narrow);
  *chunk = narrow;
}

void omp_get_partition_place_nums(int*);
void omp_get_place_proc_ids(int, int*);
void omp_get_partition_place_nums_(int* numbers) { omp_get_partition_place_nums(numbers); }
void omp_get_partition_place_nums_8_(std::int64_t* numbers) {
  for (int i = 0; i < omp_get_num_places(); ++i) numbers[i] = i;
}
void omp_get_place_proc_ids_(const int* place, int* processors) { omp_get_place_proc_ids(*place, processors); }
void omp_get_place_proc_ids_8_(const std::int64_t* place, std::int64_t* processors) {
  const int n = omp_get_place_num_procs(narrowed(*place));
  auto* const narrow = new int[static_cast<unsigned>(n)];
  omp_get_place_proc_ids(narrowed(*place), narrow);
  std::copy(narrow, narrow + n, processors);
  delete[] narrow;
}

int omp_pause_resource(int, int);
int omp_pause_resource_all(int);
int omp_pause_resource_(const int* kind, const int* device) { return omp_pause_resource(*kind, *device); }
int omp_pause_resource_all_(const int* kind) { return omp_pause_resource_all(*kind); }
}
