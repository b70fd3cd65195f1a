// first: pipeline: what a stage returns has to be movable, or copyable if it is a reference
#include <memory>
#include <optional>

#include "jackdaw/jackdaw.hpp"

std::optional<int> next_number();

void f(std::unique_ptr<int>& one) {
  const auto lend = [&](int) -> std::unique_ptr<int>& { return one; };
  jackdaw::pipeline(4, next_number, jackdaw::parallel(lend), jackdaw::serial([](std::unique_ptr<int>) {}));
}
