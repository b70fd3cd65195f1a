#ifndef JACKDAW_CILK_CILK_H
#define JACKDAW_CILK_CILK_H
/* The keywords are the translator's: cilk_spawn, cilk_sync, cilk_for, cilk_scope, cilk_reducer. */
#ifndef __cilk
#define __cilk 300
#endif
#endif
