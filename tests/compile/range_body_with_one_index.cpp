// first: no matching function for call to .*for_range
// also: invocable
#include "jackdaw/jackdaw.hpp"

void f() {
  jackdaw::for_range(0, 10, [](int) {});
}
