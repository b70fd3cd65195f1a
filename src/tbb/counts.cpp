// What tests ask.
#include "tbb/dispatch.hpp"

/// Returns about how many tasks of oneTBB's have run on jackdaw's workers.
extern "C" [[gnu::visibility("default")]] unsigned long jackdaw_tbb_tasks_run() { return jackdaw::onetbb::tasks_run(); }
