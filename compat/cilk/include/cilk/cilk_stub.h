/* Included before the program by `jackdaw cilk --elide`: the serial program. */
#ifndef JACKDAW_CILK_STUB_H
#define JACKDAW_CILK_STUB_H
#define cilk_spawn
#define cilk_sync
#define cilk_scope
#define cilk_for for
#define cilk_reducer(...)
#define _Hyperobject(...)
#define _Cilk_scope
#define _Cilk_spawn
#define _Cilk_sync
#define _Cilk_for for
#endif
