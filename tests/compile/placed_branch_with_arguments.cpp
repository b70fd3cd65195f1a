// first: invoke: a branch is called without arguments
#include "jackdaw/jackdaw.hpp"

void f() {
  jackdaw::invoke(jackdaw::on(0, [](int) {}), [] {});
}
