// first: (use of deleted function|call to deleted constructor).*task_group
#include "jackdaw/jackdaw.hpp"

void f(jackdaw::task_group& group) {
  jackdaw::task_group other(group);
  other.wait();
}
