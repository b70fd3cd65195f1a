#include "bench/peers.hpp"
#include "bench/stl_sides.hpp"

namespace jackdaw::bench {

void register_stl() { kernels::add_side("sort", stl_sides::sort()); }

}  // namespace jackdaw::bench
