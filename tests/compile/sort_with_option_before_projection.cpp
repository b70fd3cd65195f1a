// first: no matching function for call to .*sort
// also: tail_of
#include <vector>

#include "jackdaw/jackdaw.hpp"

struct person {
  int age;
};

void f(std::vector<person>& all) { jackdaw::sort(all, {}, jackdaw::grain{100}, &person::age); }
