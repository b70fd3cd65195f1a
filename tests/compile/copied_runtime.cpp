// first: (use of deleted function|call to deleted constructor).*runtime
#include "jackdaw/jackdaw.hpp"

void f(jackdaw::runtime& rt) {
  jackdaw::runtime other(rt);
  other.run([] {});
}
