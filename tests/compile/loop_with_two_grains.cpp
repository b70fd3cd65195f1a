// first: a loop takes one grain
#include "jackdaw/jackdaw.hpp"

void f() {
  jackdaw::for_index(0, 10, [](int) {}, jackdaw::grain{1}, jackdaw::grain{2});
}
