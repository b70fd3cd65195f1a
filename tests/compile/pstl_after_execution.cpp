// first: include <jackdaw/pstl.hpp> before <execution>
#include <algorithm>
#include <execution>

#include "jackdaw/pstl.hpp"
