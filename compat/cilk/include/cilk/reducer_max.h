#pragma once
#include <cilk/reducer_min_max.h>
