// first: no matching (member )?function for call to .*run
#include "jackdaw/jackdaw.hpp"

void f(jackdaw::runtime& rt) {
  rt.run([](int) {});
}
