// first: jackdaw/parlay.hpp needs parlaylib, expected -I
#include "jackdaw/parlay.hpp"
