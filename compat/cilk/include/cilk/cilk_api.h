#ifndef JACKDAW_CILK_API_H
#define JACKDAW_CILK_API_H
#ifdef __cplusplus
extern "C" {
#endif
/* The number of workers, and the calling one: 0 on threads that are no workers. */
int __cilkrts_get_nworkers(void);
int __cilkrts_get_total_workers(void);
unsigned __cilkrts_get_worker_number(void);
int __cilkrts_is_initialized(void);
int __cilkrts_running_on_workers(void);
/* The runtime starts with main(): 0 if name is "nworkers" and the value is what it has already, else 1. */
int __cilkrts_set_param(const char* name, const char* value);
void __cilkrts_init(void);
void __cilkrts_end_cilk(void);
#ifdef __cplusplus
}
#endif
#endif
