// first: task_group::run: the function is called without arguments
#include "jackdaw/jackdaw.hpp"

void f(jackdaw::task_group& group) {
  group.run(jackdaw::on(0), [](int) {});
}
