// first: no matching function for call to .*for_parts
// also: split
#include "jackdaw/jackdaw.hpp"

struct rope {
  bool divisible() const { return true; }
  void split();
};

void f() {
  jackdaw::for_parts(rope(), [](const rope&) {});
}
