#include "c/runtime_table.hpp"

#include <limits>
#include <new>
#include <utility>

#include "base/locked_at_forks.hpp"
#include "c/status.hpp"
#include "runtime/process.hpp"
#include "runtime/runtime_access.hpp"

namespace jackdaw::c_api {
namespace {

/// No address of a program on 64-bit systems, and no group either.
constexpr std::uintptr_t runtime_mark = std::uintptr_t{3} << (std::numeric_limits<std::uintptr_t>::digits - 2);

}  // namespace

runtime_table& runtime_table::all() { return detail::locked_at_forks<runtime_table>(); }

jackdaw_runtime* runtime_table::add(std::unique_ptr<known_runtime> made) {
  const std::lock_guard hold(mutex);
  const std::uintptr_t id = runtime_mark | ++last_;
  known_.emplace(id, std::move(made));
  return reinterpret_cast<jackdaw_runtime*>(id);
}

known_runtime& runtime_table::find(jackdaw_runtime* handle) {
  const auto found = known_.find(reinterpret_cast<std::uintptr_t>(handle));
  if (found == known_.end()) {
    throw misuse{JACKDAW_ERROR_HANDLE, "no such runtime: it has ended, or jackdaw_runtime_create() has not made it"};
  }
  known_runtime& it = *found->second;
  if (it.process != detail::process::generation()) {
    it.process = detail::process::generation();
    it.users = 0;
  }
  return it;
}

std::unique_ptr<known_runtime> runtime_table::take(jackdaw_runtime* handle) {
  std::unique_lock hold(mutex);
  if (detail::runtime_access::runs_caller(*find(handle).it)) {
    throw misuse{JACKDAW_ERROR_OWNER, "a task of the runtime would end it: its other tasks may run on without it"};
  }
  auto node = known_.extract(reinterpret_cast<std::uintptr_t>(handle));
  std::unique_ptr<known_runtime> last = std::move(node.mapped());
  left_.wait(hold, [&] { return last->users == 0; });
  return last;
}

user::user(jackdaw_runtime* handle) {
  if (handle == nullptr) {
    of_ = &runtime::instance();
    return;
  }
  runtime_table& all = runtime_table::all();
  const std::lock_guard hold(all.mutex);
  known_ = &all.find(handle);
  of_ = known_->it.get();
  process_ = known_->process;
  ++known_->users;
}

user::~user() {
  if (known_ == nullptr) {
    return;
  }
  runtime_table& all = runtime_table::all();
  const std::lock_guard hold(all.mutex);
  if (process_ == known_->process && --known_->users == 0) {
    all.left_.notify_all();
  }
}

}  // namespace jackdaw::c_api
