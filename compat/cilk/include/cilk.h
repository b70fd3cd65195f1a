/* MIT Cilk-5. The keywords are the translator's. */
#ifndef JACKDAW_CILK5_H
#define JACKDAW_CILK5_H
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#ifndef PRIVATE
#define PRIVATE
#endif
#ifndef SHARED
#define SHARED
#endif
typedef unsigned long long Cilk_time;
#define Cilk_active_size jackdaw_cilk5_workers()
#define Self jackdaw_cilk5_worker()
#define Cilk_alloca __builtin_alloca
#define Cilk_malloc malloc
#define Cilk_free free
#define Cilk_exit exit
/* Work and critical path are not measured. */
#define Cilk_user_work ((Cilk_time)0)
#define Cilk_user_critical_path ((Cilk_time)0)
#define cilk_main main
#define Cilk_fence() __sync_synchronize()
#define Cilk_membar_StoreStore() __sync_synchronize()
#define Cilk_membar_StoreLoad() __sync_synchronize()
#ifdef __cplusplus
extern "C" {
#endif
int jackdaw_cilk5_workers(void);
int jackdaw_cilk5_worker(void);
Cilk_time Cilk_get_wall_time(void);
double Cilk_wall_time_to_sec(Cilk_time);
double Cilk_time_to_sec(Cilk_time);
int Cilk_rand(void);
void Cilk_srand(unsigned int seed);
typedef struct {
  volatile int held;
} Cilk_lockvar;
void Cilk_lock_init_one(Cilk_lockvar*);
void Cilk_lock_one(Cilk_lockvar*);
void Cilk_unlock_one(Cilk_lockvar*);
#ifdef __cplusplus
}
#endif
#define Cilk_lock_init(lock) Cilk_lock_init_one(&(lock))
#define Cilk_lock(lock) Cilk_lock_one(&(lock))
#define Cilk_unlock(lock) Cilk_unlock_one(&(lock))
#endif
