#pragma once
#include <cilk/reducer.h>
