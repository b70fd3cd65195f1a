// first: invoke: what a branch returns has to be movable
#include "jackdaw/jackdaw.hpp"

struct fixed {
  fixed() = default;
  fixed(fixed&&) = delete;
};

void f() {
  jackdaw::invoke([] { return fixed(); }, [] {});
}
