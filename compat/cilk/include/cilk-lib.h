#ifndef JACKDAW_CILK5_LIB_H
#define JACKDAW_CILK5_LIB_H
#include <cilk.h>
#endif
