// first: no matching function for call to .*for_index
// also: loop_index|integral
#include "jackdaw/jackdaw.hpp"

void f() {
  jackdaw::for_index(0.0, 10.0, [](double) {});
}
