#include "jackdaw/memory/this_node.hpp"

#include <sched.h>

#include <algorithm>
#include <mutex>
#include <string>
#include <utility>

#include "base/environment.hpp"
#include "base/immortal.hpp"
#include "runtime/process.hpp"
#include "runtime/runtime_access.hpp"
#include "runtime/threads.hpp"
#include "runtime/worker.hpp"

namespace jackdaw {

std::optional<unsigned> this_node() noexcept {
  if (const detail::worker* const self = detail::this_worker()) {
    const machine& where = self->home.where();
    return where.nodes[self->home.places()[self->id].numa_node].os_index;
  }
  unsigned cpu = 0, node = 0;
  return getcpu(&cpu, &node) == 0 ? std::optional(node) : std::nullopt;
}

namespace detail {
namespace {

std::string text_of(const char* variable) {
  const char* const value = from_environment(variable);
  return value != nullptr ? value : "";
}

/// The machine as it was last detected.
struct last_machine {
  std::mutex mutex;
  std::shared_ptr<const machine> known;
  std::string described;
};
constinit immortal<last_machine> last_machine_kept;
constinit last_machine& last = last_machine_kept.it;

}  // namespace

void keep_machine() noexcept { last.mutex.lock(); }
void release_machine() noexcept { last.mutex.unlock(); }

std::shared_ptr<const machine> machine_here() {
  if (const worker* const self = this_worker()) {
    // The runtime outlives its worker, so no reference needs to be counted.
    return {std::shared_ptr<const machine>(), &self->home.where()};
  }
  // The machine is read again only if another one is described. It is read without the lock, for which a fork() waits,
  // because a fork() waits for reading too; two threads may both read it.
  process::join();
  std::string now = text_of("HWLOC_SYNTHETIC") + '\n' + text_of("HWLOC_XMLFILE");
  {
    const std::lock_guard hold(last.mutex);
    if (last.known != nullptr && last.described == now) return last.known;
  }
  auto found = std::make_shared<const machine>(machine::detect());
  const std::lock_guard hold(last.mutex);
  last.known = found;
  last.described = std::move(now);
  return found;
}

bool loops_run_backwards() {
  if (const worker* const self = this_worker()) return self->home.scheduler().runs_backwards();
  // Outside a worker the default runtime answers, which need not be started for this.
  const auto alike = sched::make_scheduler(runtime_access::default_scheduler());
  return alike != nullptr && alike->runs_backwards();
}

}  // namespace detail
}  // namespace jackdaw
