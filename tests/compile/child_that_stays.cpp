// first: task_group::run: the child keeps its own copy of the function
#include "jackdaw/jackdaw.hpp"

struct fixed {
  fixed() = default;
  fixed(fixed&&) = delete;
  void operator()() const {}
};

void f(jackdaw::task_group& group) { group.run(fixed()); }
