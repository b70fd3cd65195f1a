// first: pipeline: the last stage returns nothing
#include <optional>

#include "jackdaw/jackdaw.hpp"

std::optional<int> next_number();

void f() {
  jackdaw::pipeline(4, next_number, jackdaw::parallel([](int n) { return n; }));
}
