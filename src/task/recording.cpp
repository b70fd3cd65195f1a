#include "task/recording.hpp"

#include "jackdaw/detail/recorded_group.hpp"
#include "measure/recorder.hpp"
#include "task/region.hpp"
#include "task/threads.hpp"

namespace jackdaw::detail {

measure::recorder* this_recorder() noexcept {
  const worker* const on = this_worker();
  return on != nullptr ? on->home.recorder() : nullptr;
}

void count_declared(const declared_access& what) noexcept {
  if (worker* const on = this_worker()) {
    on->home.declare(on->id, what);
  }
}

bool recording() noexcept { return this_recorder() != nullptr; }

recorded_group::recorded_group(double total, const void* site) noexcept
    : index_(this_recorder()->open_group(total, true, opened_at(site))) {}

void recorded_group::fork(double amount) const noexcept { this_recorder()->fork(index_, amount, false); }

void recorded_group::end() noexcept { this_recorder()->end_task(); }

void recorded_group::wait() {
  this_recorder()->wait(index_);
  if (thrown_) {
    std::rethrow_exception(thrown_);
  }
}

}  // namespace jackdaw::detail
