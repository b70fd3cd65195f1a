// first: runtime::run: what the function returns has to be movable
#include "jackdaw/jackdaw.hpp"

struct fixed {
  fixed() = default;
  fixed(fixed&&) = delete;
};

void f(jackdaw::runtime& rt) {
  rt.run([] { return fixed(); });
}
