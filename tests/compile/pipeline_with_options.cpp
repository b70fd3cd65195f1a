// first: pipeline: a stage is parallel\(f\), serial\(f\) or serial_in_order\(f\); there are no options
#include <optional>
#include <stop_token>

#include "jackdaw/jackdaw.hpp"

std::optional<int> next_number();

void f(std::stop_token stop) {
  jackdaw::pipeline(4, next_number, jackdaw::serial([](int) {}), stop);
}
