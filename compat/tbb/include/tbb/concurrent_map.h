#pragma once
#include <oneapi/tbb/concurrent_map.h>
