// libtbb's header of this name, which includes others by paths of its own: jackdaw's come first.
#pragma once
#pragma GCC system_header

#include <jackdaw_tbb/all.hpp>

#include_next <oneapi/tbb/combinable.h>
