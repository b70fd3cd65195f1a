// first: no matching function for call to .*for_each
// also: forward_iterator
#include <iostream>
#include <iterator>

#include "jackdaw/jackdaw.hpp"

void f() {
  jackdaw::for_each(std::istream_iterator<int>(std::cin), std::istream_iterator<int>(), [](int) {});
}
