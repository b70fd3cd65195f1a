#ifndef PARLAY_INTERNAL_SCHEDULER_PLUGINS_TBB_H_
#error "the scheduler of oneTBB, expected jackdaw's in its place"
#endif
