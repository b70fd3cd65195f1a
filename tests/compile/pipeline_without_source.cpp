// first: pipeline: the source is called without arguments and returns a std::optional
#include "jackdaw/jackdaw.hpp"

void f() {
  jackdaw::pipeline(4, [] { return 1; }, jackdaw::parallel([](int) {}));
}
