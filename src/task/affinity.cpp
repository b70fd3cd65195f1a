#include "jackdaw/affinity.hpp"

#include "task/threads.hpp"
#include "task/worker.hpp"

namespace jackdaw::detail {

void check_affinity(const affinity& where) {
  if (where.named()) {
    const worker* const on = this_worker();
    (void)(on != nullptr ? on->home : runtime::instance().engine()).domain_of(where);
  }
}

}  // namespace jackdaw::detail
