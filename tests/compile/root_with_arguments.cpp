// first: no matching function for call to .*run
#include "jackdaw/jackdaw.hpp"

void f(jackdaw::runtime& rt) {
  rt.run([](int) {});
}
