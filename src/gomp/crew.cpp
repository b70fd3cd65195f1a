#include "gomp/crew.hpp"

#include <algorithm>
#include <new>

#include "gomp/fail.hpp"
#include "gomp/places.hpp"
#include "gomp/settings.hpp"
#include "jackdaw/machine.hpp"
#include "runtime/threads.hpp"

namespace jackdaw::gomp {
namespace {

/// Workers that share processors would be no better than threads of a team's own, which it gets beyond this number.
unsigned most_workers() { return std::min(settings::of_process().processors, machine::detect().usable_cpus()); }

}  // namespace

crew& crew::of_process() noexcept {
  alignas(crew) static std::byte room[sizeof(crew)];
  static crew* const one = new (room) crew;
  return *one;
}

carrier* crew::take(const pool& by, unsigned worker, unsigned size) {
  const holding hold(lock_);
  if (owner_ == nullptr) owner_ = &by;
  if (owner_ != &by || closed_) {
    return nullptr;
  }
  if (runtime_ == nullptr) start(size);
  return worker < carriers_.size() ? carriers_[worker].get() : nullptr;
}

void crew::start(unsigned size) {
  const settings& set = settings::of_process();
  options how;
  how.pin = false;  // OMP_PROC_BIND says whether, and carriers see to it
  how.stack_size = set.stack_size != 0 ? set.stack_size : system_stack_size();
  try {
    how.workers = std::min(std::max(size, set.initial.threads), most_workers());
    if (how.workers < 2) {
      closed_ = true;
      return;
    }
    runtime_ = new jackdaw::runtime(how);
    runtime_->run([this] {
      detail::threads& home = detail::this_worker()->home;
      carriers_.resize(1);
      for (std::uint32_t i = 1; i < home.workers(); ++i) {
        carriers_.push_back(std::make_unique<carrier>(home, i));
      }
    });
  } catch (const std::exception& why) {
    // A runtime that does not start is no reason for a program of others to end.
    warn(why.what());
    closed_ = true;
  }
}

void crew::retire(const pool& by) noexcept {
  const holding hold(lock_);
  if (owner_ == &by) closed_ = true;
}

void crew::forget() noexcept {
  // What the parent's threads may be using is left as it is.
  for (auto& each : carriers_) (void)each.release();
  new (this) crew;
}

}  // namespace jackdaw::gomp
