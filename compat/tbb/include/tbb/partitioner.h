#pragma once
#include <oneapi/tbb/partitioner.h>
