/* What translated Cilk programs in C call; those in C++ call jackdaw_cilk.hpp. See compat/cilk/README.md. */
#ifndef JACKDAW_CILK_H
#define JACKDAW_CILK_H

#ifdef __cplusplus
extern "C" {
#endif

/* The children of one function, loop body, block or scope. Only its own task uses it. The first words are a task_group
   (jackdaw_cilk_fork.h), then there is a frame's state, 0 while there are no children. */
struct jackdaw_cilk_frame {
  long long pending, pushed;
  void* waiter;
  double total;
  unsigned char passing;
  void* group[3];
  unsigned char state;
  void* room[8];
};

typedef void (*jackdaw_cilk_work)(void* captured);
typedef void (*jackdaw_cilk_body)(void* captured, unsigned long long index);

/* Runs work on a copy of the captured values, at most 1024 bytes of them. */
void jackdaw_cilk_spawn(struct jackdaw_cilk_frame* frame, jackdaw_cilk_work work, const void* captured,
                        unsigned long size);
void jackdaw_cilk_wait(struct jackdaw_cilk_frame* frame);
/* Calls body for 0 to count - 1. A grain of 0 asks for min(2048, count / 8P), at least 1. */
void jackdaw_cilk_loop(unsigned long long count, unsigned long long grain, jackdaw_cilk_body body, void* captured);
/* `x op= spawn f()`: size bytes in which the child puts the value. The sync passes them to apply, in serial order. */
void* jackdaw_cilk_update(struct jackdaw_cilk_frame* frame, void (*apply)(void*), unsigned long size);

/* Hyperobjects: the calling strand's view of the variable at key. */
void* jackdaw_cilk_view(void* key, unsigned long size, void (*identity)(void*), void (*reduce)(void*, void*));
/* The same for reducers whose functions get a pointer to the reducer's monoid first. destroy may be null. */
struct jackdaw_cilk_monoid {
  void (*reduce)(void* reducer, void* left, void* right);
  void (*identity)(void* reducer, void* view);
  void (*destroy)(void* reducer, void* view);
};
void* jackdaw_cilk_monoid_view(void* key, unsigned long size, struct jackdaw_cilk_monoid* of);
void jackdaw_cilk_begin_monoid(void* key, struct jackdaw_cilk_monoid* of);
/* From here on strands have views. Called before main(). */
void jackdaw_cilk_use_views(void);
/* The variable's own storage is the calling strand's view from begin to end. */
void jackdaw_cilk_begin_view(void* key, void (*reduce)(void*, void*));
void jackdaw_cilk_end_view(void* key);

/* Runs the program's main as a root task, with 8 MiB of stack for each task if the environment does not say. */
int jackdaw_cilk_main(int (*program)(int, char**, char**), int argc, char** argv, char** environment);

#ifdef __cplusplus
}
#else
#include "jackdaw_cilk_fork.h"
enum {
  jackdaw_cilk_less,
  jackdaw_cilk_less_equal,
  jackdaw_cilk_greater,
  jackdaw_cilk_greater_equal,
  jackdaw_cilk_unequal
};

/* How often `for (i = first; i <op> last; i += stride)` repeats, for a distance up or down. */
static inline unsigned long long jackdaw_cilk_steps(int inclusive, int enters, unsigned long long distance,
                                                    unsigned long long step) {
  if (!enters || step == 0) return 0;
  return inclusive ? distance / step + 1 : distance / step + (distance % step != 0);
}
static inline unsigned long long jackdaw_cilk_trips_unsigned(int op, unsigned long long first, unsigned long long last,
                                                             long long stride) {
  const int inclusive = op == jackdaw_cilk_less_equal || op == jackdaw_cilk_greater_equal;
  const int up = op == jackdaw_cilk_unequal ? stride > 0 : op <= jackdaw_cilk_less_equal;
  const int enters = op == jackdaw_cilk_unequal ? first != last
                     : up                       ? first < last || (inclusive && first == last)
                                                : first > last || (inclusive && first == last);
  return jackdaw_cilk_steps(inclusive, enters, up ? last - first : first - last,
                            up ? (unsigned long long)stride : 0 - (unsigned long long)stride);
}
static inline unsigned long long jackdaw_cilk_trips(int op, long long first, long long last, long long stride) {
  const unsigned long long bias = 1ull << 63; /* keeps the order */
  return jackdaw_cilk_trips_unsigned(op, (unsigned long long)first ^ bias, (unsigned long long)last ^ bias, stride);
}
static inline void jackdaw_cilk_end(void** key) { jackdaw_cilk_end_view(*key); }
#if defined(__GNUC__) && !defined(__clang__)
/* Where a file was preprocessed before it was translated, <stdatomic.h> was clang's. */
#define __c11_atomic_init(at, value) __atomic_store_n(at, value, __ATOMIC_RELAXED)
#define __c11_atomic_load(at, order) __atomic_load_n(at, order)
#define __c11_atomic_store(at, value, order) __atomic_store_n(at, value, order)
#define __c11_atomic_exchange(at, value, order) __atomic_exchange_n(at, value, order)
#define __c11_atomic_compare_exchange_strong(at, old, fresh, done, failed) \
  __atomic_compare_exchange_n(at, old, fresh, 0, done, failed)
#define __c11_atomic_compare_exchange_weak(at, old, fresh, done, failed) \
  __atomic_compare_exchange_n(at, old, fresh, 1, done, failed)
#define __c11_atomic_fetch_add(at, value, order) __atomic_fetch_add(at, value, order)
#define __c11_atomic_fetch_sub(at, value, order) __atomic_fetch_sub(at, value, order)
#define __c11_atomic_fetch_and(at, value, order) __atomic_fetch_and(at, value, order)
#define __c11_atomic_fetch_or(at, value, order) __atomic_fetch_or(at, value, order)
#define __c11_atomic_fetch_xor(at, value, order) __atomic_fetch_xor(at, value, order)
#define __c11_atomic_is_lock_free(size) __atomic_is_lock_free(size, 0)
#define __c11_atomic_thread_fence(order) __atomic_thread_fence(order)
#define __c11_atomic_signal_fence(order) __atomic_signal_fence(order)
#endif
#endif
#endif
