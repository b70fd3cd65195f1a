/* A user's program in C. */
#include <jackdaw/jackdaw.h>
#include <stdio.h>

struct fib {
  int n;
  long result;
};

static void fib(void* arg) {
  struct fib* const self = arg;
  self->result = self->n;
  if (self->n < 2) return;
  struct fib left = {self->n - 1, 0}, right = {self->n - 2, 0};
  jackdaw_group* group;
  if (jackdaw_group_begin(&group) != JACKDAW_OK) return;
  jackdaw_group_spawn(group, fib, &left);
  jackdaw_group_spawn(group, fib, &right);
  jackdaw_group_end(group);
  self->result = left.result + right.result;
}

int main(void) {
  struct fib root = {20, 0};
  if (jackdaw_run(NULL, fib, &root) != JACKDAW_OK) {
    fprintf(stderr, "%s\n", jackdaw_last_error());
    return 1;
  }
  printf("fib(20) = %ld\n", root.result);
  return 0;
}
