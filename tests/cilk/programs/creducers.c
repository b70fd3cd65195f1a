/* Reducers in C, of Cilk Plus and of OpenCilk. */
#include <cilk/cilk.h>
#include <cilk/reducer.h>
#include <cilk/reducer_opadd.h>
#include <cilk/reducer_max.h>
#include <stdlib.h>

#include "check.h"

typedef struct { int *data; int size, room; } list;
static void list_add(list *to, int x) {
  if (to->size == to->room) {
    to->room = to->room ? 2 * to->room : 4;
    to->data = realloc(to->data, to->room * sizeof(int));
  }
  to->data[to->size++] = x;
}
static void list_identity(void *reducer, void *at) {
  (void)reducer;
  *(list *)at = (list){NULL, 0, 0};
}
static void list_reduce(void *reducer, void *left, void *right) {
  (void)reducer;
  for (int i = 0; i < ((list *)right)->size; i++) list_add(left, ((list *)right)->data[i]);
}
static void list_destroy(void *reducer, void *at) {
  (void)reducer;
  free(((list *)at)->data);
}
CILK_C_DECLARE_REDUCER(list)
all = CILK_C_INIT_REDUCER(list, list_reduce, list_identity, list_destroy, {0});

static void zero_int(void *at) { *(int *)at = 0; }
static void add_int(void *left, void *right) { *(int *)left += *(int *)right; }
int cilk_reducer(zero_int, add_int) counted;

static void walk(int low, int high) {
  if (high - low == 1) {
    list_add(&REDUCER_VIEW(all), low);
    counted++;
    return;
  }
  cilk_spawn walk(low, low + (high - low) / 2);
  walk(low + (high - low) / 2, high);
}

int main(void) {
  const int n = 300;
  CILK_C_REGISTER_REDUCER(all);
  walk(0, n);
  CHECK(REDUCER_VIEW(all).size == n && counted == n);
  for (int i = 0; i < n; i++) CHECK(REDUCER_VIEW(all).data[i] == i);
  CILK_C_UNREGISTER_REDUCER(all);
  CILK_C_REDUCER_OPADD(sum, double, 1);
  CILK_C_REDUCER_MAX(most, int, 0);
  CILK_C_REDUCER_OPXOR(bits, uint, 0);
  CILK_C_REGISTER_REDUCER(sum);
  CILK_C_REGISTER_REDUCER(most);
  CILK_C_REGISTER_REDUCER(bits);
  cilk_for (int i = 0; i < n; i++) {
    REDUCER_VIEW(sum) += 0.5;
    CILK_C_REDUCER_MAX_CALC(most, (i * 37) % 101);
    REDUCER_VIEW(bits) ^= 1u << i % 5;
  }
  CHECK(REDUCER_VIEW(sum) == 151 && REDUCER_VIEW(most) == 100 && REDUCER_VIEW(bits) == 0);
  int cilk_reducer(zero_int, add_int) local = 5;
  cilk_for (int i = 0; i < n; i++) local += 2;
  CHECK(local == 5 + 2 * n);
  printf("%d failures\n", failures);
  return failures != 0;
}
