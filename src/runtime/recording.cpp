#include "runtime/recording.hpp"

#include "runtime/region.hpp"
#include "runtime/threads.hpp"
#include "trace/recorder.hpp"

namespace jackdaw::detail {

trace::recorder* this_recorder() noexcept {
  const worker* const on = this_worker();
  return on != nullptr ? on->home.recorder() : nullptr;
}

void count_declared(const declared_access& what) noexcept {
  if (worker* const on = this_worker()) {
    on->home.declare(on->id, what);
  }
}

}  // namespace jackdaw::detail
