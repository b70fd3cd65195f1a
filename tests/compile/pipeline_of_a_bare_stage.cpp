// first: pipeline: a stage is parallel\(f\), serial\(f\) or serial_in_order\(f\)
#include <optional>

#include "jackdaw/jackdaw.hpp"

std::optional<int> next_number();

void f() {
  jackdaw::pipeline(4, next_number, [](int) {});
}
