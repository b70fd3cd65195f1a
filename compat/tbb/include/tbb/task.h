#pragma once
#include <oneapi/tbb/task.h>
