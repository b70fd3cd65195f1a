// first: no matching function for call to .*for_index
// also: invocable
#include "jackdaw/jackdaw.hpp"

void f() {
  jackdaw::for_index(0, 10, [](int, int) {});
}
