#pragma once
#include <oneapi/tbb/combinable.h>
