/* The C API from C11: right programs. Prints nothing and ends with 0 if all results are right. */
#include <jackdaw/jackdaw.h>
#include <stdio.h>
#include <stdlib.h>

#define MUST(condition)                                                                               \
  do {                                                                                                \
    if (!(condition)) {                                                                               \
      fprintf(stderr, "%s:%d: %s; %s\n", __FILE__, __LINE__, #condition, jackdaw_last_error()); \
      exit(1);                                                                                        \
    }                                                                                                 \
  } while (0)
#define RIGHT(call) MUST((call) == JACKDAW_OK)

struct number {
  int n;
  long result;
};

static void fib_by_invoke(void* arg) {
  struct number* const self = arg;
  if (self->n < 2) {
    self->result = self->n;
    return;
  }
  struct number left = {self->n - 1, 0}, right = {self->n - 2, 0};
  RIGHT(jackdaw_invoke_work(2, fib_by_invoke, &left, 1, fib_by_invoke, &right));
  self->result = left.result + right.result;
}

static void fib_by_groups(void* arg) {
  struct number* const self = arg;
  if (self->n < 2) {
    self->result = self->n;
    return;
  }
  struct number left = {self->n - 1, 0}, right = {self->n - 2, 0};
  jackdaw_group* group;
  RIGHT(jackdaw_group_begin_with(&group, 3, self->n % 2 != 0 ? JACKDAW_WORK_FIRST : JACKDAW_HELP_FIRST));
  RIGHT(jackdaw_group_spawn_work(group, 2, fib_by_groups, &left));
  RIGHT(jackdaw_group_spawn_work(group, 1, fib_by_groups, &right));
  RIGHT(jackdaw_group_end(group));
  self->result = left.result + right.result;
}

static double field[100000];

static void fill(int64_t begin, int64_t end, void* arg) {
  double* const to = arg;
  for (int64_t i = begin; i < end; ++i) to[i] = (double)((i * 7919) % 100003);
}

static void add_up(int64_t begin, int64_t end, void* partial, void* arg) {
  const double* const from = arg;
  for (int64_t i = begin; i < end; ++i) *(double*)partial += from[i];
}

static void add_two(void* left, const void* right, void* arg) {
  (void)arg;
  *(double*)left += *(const double*)right;
}

static int by_value(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static void everything(void* arg) {
  (void)arg;
  struct number one = {15, 0}, other = {15, 0};
  fib_by_invoke(&one);
  fib_by_groups(&other);
  MUST(one.result == 610 && other.result == 610);

  const int64_t count = sizeof field / sizeof field[0];
  RIGHT(jackdaw_for(0, count, 0, fill, field));
  const double zero = 0;
  double sum = -1, serial = 0;
  RIGHT(jackdaw_reduce(0, count, 0, sizeof sum, &zero, add_up, add_two, field, &sum));
  for (int64_t i = 0; i < count; ++i) serial += field[i];
  MUST(sum == serial); /* whole numbers */
  RIGHT(jackdaw_sort(field, (size_t)count, sizeof field[0], by_value));
  for (int64_t i = 1; i < count; ++i) MUST(field[i - 1] <= field[i]);
}

int main(void) {
  everything(NULL);
  RIGHT(jackdaw_run(NULL, everything, NULL));
  const char* const schedulers[] = {"random", "adws", "laws", "bats", "cab"};
  for (size_t i = 0; i < sizeof schedulers / sizeof schedulers[0]; ++i) {
    jackdaw_options options;
    jackdaw_options_init(&options);
    options.scheduler = schedulers[i];
    options.workers = 3;
    jackdaw_runtime* runtime;
    RIGHT(jackdaw_runtime_create(&options, &runtime));
    RIGHT(jackdaw_run(runtime, everything, NULL));
    jackdaw_stats stats;
    jackdaw_stats_init(&stats);
    RIGHT(jackdaw_stats_get(runtime, &stats));
    MUST(stats.roots == 1);
    RIGHT(jackdaw_runtime_destroy(runtime));
  }
  void* memory;
  RIGHT(jackdaw_alloc(1000000, NULL, &memory));
  jackdaw_writes(memory, 1000000);
  for (size_t i = 0; i < 1000000; ++i) MUST(((char*)memory)[i] == 0);
  RIGHT(jackdaw_free(memory));
  MUST(jackdaw_group_wait(NULL) == JACKDAW_ERROR_ARGUMENT);
  MUST(jackdaw_this_worker() == -1);
  return 0;
}
