#pragma once

namespace jackdaw::test {

/// From now on the kernel answers EPERM when this thread, or one that it starts, calls mbind, set_mempolicy, move_pages
/// or migrate_pages, as container runtimes make it do. False where the kernel has no such filters.
bool refuse_numa_calls();

/// Whether this program runs with those calls refused: memory_numa_refused from its first test on, and memory_numa with
/// $JACKDAW_TEST_REFUSE_NUMA=1.
bool numa_calls_are_refused();

}  // namespace jackdaw::test
