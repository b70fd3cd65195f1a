/* The fork and the join of C programs, inline. They do what task_group::run() and wait() do (jackdaw/task_group.hpp):
   a child starts on another stack, and what follows the spawn can be stolen. c_frame.cpp asserts the layouts. */
#ifndef JACKDAW_CILK_FORK_H
#define JACKDAW_CILK_FORK_H

#if defined(__cplusplus)
extern "C" {
#else
extern unsigned char jackdaw_cilk_views_used;

static inline void jackdaw_cilk_begin(struct jackdaw_cilk_frame* frame) {
  frame->pending = 0;
  frame->pushed = 0;
  frame->total = -1.0;
  frame->passing = 255;
  frame->state = 0;
}

static inline void jackdaw_cilk_sync(struct jackdaw_cilk_frame* frame) {
  if (frame->state == 0) return;
  /* Acquire: what the children did. */
  if (__builtin_expect(frame->state == 1 && __atomic_load_n(&frame->pending, __ATOMIC_ACQUIRE) == 0, 1)) {
    frame->state = 0;
  } else {
    jackdaw_cilk_wait(frame);
  }
}

/* Cilk-5's SYNCHED. */
static inline int jackdaw_cilk_synched(struct jackdaw_cilk_frame* frame) {
  return frame->state == 0 || __atomic_load_n(&frame->pending, __ATOMIC_ACQUIRE) == 0;
}

#endif

/* Sanitizers are told of every change of stacks, by the library. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define JACKDAW_CILK_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define JACKDAW_CILK_SANITIZED 1
#endif
#endif
#if (defined(__x86_64__) || defined(__aarch64__)) && !defined(JACKDAW_CILK_SANITIZED)
#define JACKDAW_CILK_INLINE 1
#endif
#if defined(JACKDAW_CILK_INLINE) || defined(JACKDAW_CILK_LAYOUT)
struct jackdaw_cilk_exceptions {
  void* caught;
  unsigned uncaught;
};
struct jackdaw_cilk_lane {
  void** head;
  void* line1[7];
  void **limit, **split;
  void* line2[14];
  struct jackdaw_cilk_fiber *current, *spare;
  void* blocks;
  unsigned block_count;
  const struct jackdaw_cilk_exceptions* exceptions;
} __attribute__((aligned(64)));

struct jackdaw_cilk_parent {
  void* start;
  struct jackdaw_cilk_fiber* of;
  void* group;
  void* context;
  unsigned char claimed;
};
struct jackdaw_cilk_fiber {
  void* context;
  struct jackdaw_cilk_parent parent;
  void* self[5];
  struct jackdaw_cilk_fiber* next;
};

/* The deque was full, or another thread has asked. */
void jackdaw_cilk_attend(struct jackdaw_cilk_lane* lane, struct jackdaw_cilk_fiber* child);
/* The parent was perhaps stolen; then this does not return. */
void jackdaw_cilk_end_public(struct jackdaw_cilk_lane* lane, struct jackdaw_cilk_fiber* child, void** top);
void jackdaw_cilk_end_apart(struct jackdaw_cilk_fiber* child);
#endif

#if defined(__cplusplus)
}
#elif defined(JACKDAW_CILK_INLINE)
void* jackdaw_call_on(void** from, void* stack_top, void* (*function)(void*));

/* The thread may be another one after any fork or join, so the variable's address is computed each time. */
static inline __attribute__((always_inline)) struct jackdaw_cilk_lane* jackdaw_cilk_this_lane(void) {
  struct jackdaw_cilk_lane* found;
#if defined(__x86_64__)
  __asm__ volatile("movq jackdaw_lane@gottpoff(%%rip), %0\n\tmovq %%fs:(%0), %0" : "=r"(found));
#else
  void* thread;
  __asm__ volatile(
      "mrs %1, tpidr_el0\n\t"
      "adrp %0, :gottprel:jackdaw_lane\n\t"
      "ldr %0, [%0, :gottprel_lo12:jackdaw_lane]\n\t"
      "ldr %0, [%1, %0]"
      : "=&r"(found), "=&r"(thread));
#endif
  return found;
}

/* First on the child's stack: the parent goes into the deque. */
static inline __attribute__((always_inline)) void jackdaw_cilk_arrive(struct jackdaw_cilk_fiber* on) {
  struct jackdaw_cilk_lane* const lane = jackdaw_cilk_this_lane();
  void** const head = __atomic_load_n(&lane->head, __ATOMIC_RELAXED);
  __atomic_store_n(&on->parent.claimed, 0, __ATOMIC_RELAXED);
  __atomic_store_n(head, (void*)&on->parent, __ATOMIC_RELAXED);
  __atomic_store_n(&lane->head, head + 1, __ATOMIC_RELEASE);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  if (__builtin_expect(head >= __atomic_load_n(&lane->limit, __ATOMIC_RELAXED), 0)) jackdaw_cilk_attend(lane, on);
}

/* Last there: back to the parent, if it is still in the deque. */
static inline __attribute__((always_inline)) void* jackdaw_cilk_leave(struct jackdaw_cilk_fiber* on) {
  struct jackdaw_cilk_lane* lane = jackdaw_cilk_this_lane();
  void** const top = __atomic_load_n(&lane->head, __ATOMIC_RELAXED) - 1;
  if (__builtin_expect(__atomic_load_n(top, __ATOMIC_RELAXED) == (void*)&on->parent, 1)) {
    __atomic_store_n(&lane->head, top, __ATOMIC_RELEASE);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (__builtin_expect(top < __atomic_load_n(&lane->split, __ATOMIC_RELAXED), 0))
      jackdaw_cilk_end_public(lane, on, top);
  } else {
    jackdaw_cilk_end_apart(on);
  }
  lane->current = on->parent.of;
  on->next = lane->spare;
  lane->spare = on;
  return 0;
}

/* A stack for a child, which begins at its upper end with what the child gets; null if the library has to fork. From
   here to jackdaw_cilk_fork() nothing may fork. */
static inline __attribute__((always_inline)) struct jackdaw_cilk_fiber* jackdaw_cilk_take(
    struct jackdaw_cilk_frame* frame) {
  struct jackdaw_cilk_lane* const lane = jackdaw_cilk_this_lane();
  frame->state |= 1;
  if (__builtin_expect(
          lane == 0 || jackdaw_cilk_views_used || (__atomic_load_n(&frame->pending, __ATOMIC_RELAXED) & 255) != 0, 0) ||
      __builtin_expect(((unsigned long)lane->exceptions->caught | lane->exceptions->uncaught) != 0, 0))
    return 0;
  return lane->spare;
}

/* begin(captured) runs on the child's stack, where captured is, and ends with jackdaw_cilk_leave(). */
static inline __attribute__((always_inline)) void jackdaw_cilk_fork(struct jackdaw_cilk_frame* frame,
                                                                    struct jackdaw_cilk_fiber* stack,
                                                                    jackdaw_cilk_work work, void* (*begin)(void*),
                                                                    void* captured, unsigned long size) {
  struct jackdaw_cilk_lane* const lane = jackdaw_cilk_this_lane();
  if (__builtin_expect(stack == 0, 0)) {
    jackdaw_cilk_spawn(frame, work, captured, size);
    return;
  }
  frame->passing = 0;
  lane->spare = stack->next;
  stack->parent.of = lane->current;
  stack->parent.group = frame;
  lane->current = stack;
  jackdaw_call_on(&stack->parent.context, captured, begin);
}

/* The body of `begin` for a child whose captured values are a `type`. */
#define JACKDAW_CILK_CHILD(type, work)                                                                   \
  struct jackdaw_cilk_fiber* jackdaw_on = (struct jackdaw_cilk_fiber*)((char*)jackdaw_p + sizeof(type)); \
  jackdaw_cilk_arrive(jackdaw_on);                                                                       \
  work(jackdaw_p);                                                                                       \
  /* Computed again rather than kept in a register that the parent had to save. */                       \
  __asm__("" : "+r"(jackdaw_on));                                                                        \
  return jackdaw_cilk_leave(jackdaw_on);
#else
#define JACKDAW_CILK_CHILD(type, work) \
  work(jackdaw_p);                     \
  return 0;
#define jackdaw_cilk_take(frame) ((struct jackdaw_cilk_fiber*)0)
#define jackdaw_cilk_fork(frame, stack, work, begin, captured, size) \
  ((void)(stack), (void)(begin), jackdaw_cilk_spawn(frame, work, captured, size))
#endif

/* Starts the child with this number after the statements have written what it gets to *jackdaw_c##number. */
#define JACKDAW_CILK_FORK(number, frame, ...)                                                           \
  struct jackdaw_s##number jackdaw_l##number, *jackdaw_c##number = &jackdaw_l##number;                  \
  struct jackdaw_cilk_fiber* const jackdaw_f##number = jackdaw_cilk_take(&frame);                       \
  if (jackdaw_f##number) jackdaw_c##number = (struct jackdaw_s##number*)jackdaw_f##number - 1;          \
  __VA_ARGS__                                                                                           \
  jackdaw_cilk_fork(&frame, jackdaw_f##number, jackdaw_w##number, jackdaw_b##number, jackdaw_c##number, \
                    sizeof(struct jackdaw_s##number));

#endif
