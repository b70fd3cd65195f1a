// first: a macro such as PARLAY_OPENMP asks for another one
#define PARLAY_OPENMP
#include "jackdaw/parlay.hpp"
