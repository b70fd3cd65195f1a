// The C API: a tree of tasks, a loop, a reduction and a sort, in C11.
//   cc -std=c11 -O3 15-c.c $(pkg-config --cflags --libs jackdaw) && ./a.out
#include <jackdaw/jackdaw.h>
#include <stdio.h>
#include <stdlib.h>

static void must(jackdaw_status status) {
  if (status != JACKDAW_OK) {
    fprintf(stderr, "%s: %s\n", jackdaw_status_name(status), jackdaw_last_error());
    exit(1);
  }
}

struct fib {
  int n;
  long result;
};

static void fib(void* arg) {
  struct fib* const self = arg;
  if (self->n < 2) {
    self->result = self->n;
    return;
  }
  struct fib left = {self->n - 1, 0}, right = {self->n - 2, 0};
  must(jackdaw_invoke_work(2, fib, &left, 1, fib, &right));
  self->result = left.result + right.result;
}

enum { count = 100000 };

static void fill(int64_t begin, int64_t end, void* arg) {
  double* const x = arg;
  for (int64_t i = begin; i < end; ++i) x[i] = (double)(i * 7919 % count);
}

static void add(int64_t begin, int64_t end, void* partial, void* arg) {
  const double* const x = arg;
  double* const sum = partial;
  for (int64_t i = begin; i < end; ++i) *sum += x[i];
}

static void combine(void* left, const void* right, void* arg) {
  (void)arg;
  *(double*)left += *(const double*)right;
}

static int compare(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static void print(void* arg) { printf("%s\n", (const char*)arg); }

int main(void) {
  struct fib root = {25, 0};
  must(jackdaw_run(NULL, fib, &root));
  printf("fib(25) = %ld\n", root.result);

  void* x;
  must(jackdaw_alloc(count * sizeof(double), NULL, &x));  // on the nodes of the workers that use it
  must(jackdaw_for(0, count, 0, fill, x));
  const double zero = 0;
  double sum;
  must(jackdaw_reduce(0, count, 0, sizeof sum, &zero, add, combine, x, &sum));
  must(jackdaw_sort(x, count, sizeof(double), compare));
  printf("sum %.0f, least %.0f, most %.0f\n", sum, ((double*)x)[0], ((double*)x)[count - 1]);
  must(jackdaw_free(x));

  jackdaw_group* group;
  must(jackdaw_group_begin(&group));
  must(jackdaw_group_spawn(group, print, "a child"));
  must(jackdaw_group_end(group));  // a mistake would be an error, as this one:
  printf("%s\n", jackdaw_status_name(jackdaw_group_wait(group)));
}
