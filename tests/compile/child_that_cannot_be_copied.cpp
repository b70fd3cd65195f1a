// first: task_group::run: the child keeps its own copy of the function
#include <memory>

#include "jackdaw/jackdaw.hpp"

void f(jackdaw::task_group& group) {
  const auto child = [owned = std::make_unique<int>(1)] { (void)owned; };
  group.run(child);
}
