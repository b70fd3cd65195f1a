// first: pipeline: a stage takes, as an rvalue, what the stage before it returns
#include <optional>
#include <string>

#include "jackdaw/jackdaw.hpp"

std::optional<int> next_number();

void f() {
  jackdaw::pipeline(4, next_number, jackdaw::parallel([](int n) { return std::to_string(n); }),
                    jackdaw::serial([](int) {}));
}
