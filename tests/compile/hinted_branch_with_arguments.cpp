// first: invoke: a branch is called without arguments
#include "jackdaw/jackdaw.hpp"

void f() {
  jackdaw::invoke(jackdaw::work(2, [](int) {}), [] {});
}
