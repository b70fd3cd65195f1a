// first: include <jackdaw/parlay.hpp> before <parlay/parallel.h>
#define PARLAY_PARALLEL_H_  // as parlaylib's header does
#include "jackdaw/parlay.hpp"
