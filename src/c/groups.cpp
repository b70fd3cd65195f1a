#include <cxxabi.h>

#include <memory>
#include <new>

#include "c/group_slot.hpp"
#include "c/group_table.hpp"
#include "c/scope.hpp"
#include "c/status.hpp"
#include "jackdaw/memory/affinity.hpp"
#include "runtime/group_access.hpp"
#include "runtime/process.hpp"
#include "runtime/worker.hpp"

namespace jackdaw::c_api {
namespace {

/// What a group of the caller's belongs to.
const void* caller(const scope* own) noexcept { return own != nullptr ? own : detail::running(); }

/// A child: passes the function and its argument on.
struct child {
  jackdaw_function f;
  void* arg;
  void operator()() const { call(f, arg); }
};

}  // namespace

group_slot& group_slot::begin(double total, policy order) {
  scope* const own = scope::current();
  group_slot& place = group_table::take();
  ::new (static_cast<void*>(std::addressof(place.group))) task_group(total, order);
  place.scope_ = own;
  place.waits_ = false;
  place.owner_.store(caller(own), std::memory_order_relaxed);
  if (own != nullptr) {
    own->add(place);
  }
  // Release: a thread that finds the group by its handle sees whose it is.
  place.id_.store(group_table::next_id(place), std::memory_order_release);
  return place;
}

group_slot& group_slot::used(jackdaw_group* handle) {
  expect(handle, "a null group, expected one that jackdaw_group_begin() has made");
  group_slot* const found = group_table::find(reinterpret_cast<std::uintptr_t>(handle));
  if (found == nullptr) [[unlikely]] {
    throw misuse{JACKDAW_ERROR_HANDLE, "no such group: it has ended, as groups do with the function that began them"};
  }
  if (found->owner_.load(std::memory_order_relaxed) != caller(scope::current())) [[unlikely]] {
    throw misuse{JACKDAW_ERROR_OWNER,
                 "the group belongs to another task or thread: only the function that began it may use it"};
  }
  return *found;
}

void group_slot::expect_child() {
  if (!waits_) {
    waits_ = true;
    process_ = detail::process::generation();
  }
}

void group_slot::wait() {
  if (waits_ && process_ != detail::process::generation()) [[unlikely]] {
    throw misuse{JACKDAW_ERROR_HANDLE, "only the parent process has the group's children"};
  }
  struct waited {
    bool& waits;
    ~waited() { waits = false; }
  };
  const waited at_end{waits_};
  group.wait();
}

void group_slot::end() {
  struct freed {
    group_slot& place;
    ~freed() {
      if (!place.waits_ && detail::group_access::idle(place.group)) place.free();
    }
  };
  const freed at_end{*this};
  wait();
}

void group_slot::free() noexcept {
  id_.store(0, std::memory_order_relaxed);
  group.~task_group();
  if (scope_ != nullptr) {
    scope_->remove(*this);
  }
  group_table::give(*this);
}

}  // namespace jackdaw::c_api

namespace api = jackdaw::c_api;

namespace {

jackdaw::policy order_of(int order) {
  switch (order) {
    case JACKDAW_WORK_FIRST:
      return jackdaw::policy::work_first;
    case JACKDAW_HELP_FIRST:
      return jackdaw::policy::help_first;
  }
  throw api::misuse{JACKDAW_ERROR_ARGUMENT, "an unknown order, expected JACKDAW_WORK_FIRST or JACKDAW_HELP_FIRST"};
}

constexpr const char* no_function = "a null pointer, expected a function";

/// The place of the call that forks, by which schedulers know groups, is the program's.
void spawn(const void* site, jackdaw_group* group, double work, jackdaw_function f, void* arg) {
  api::group_slot& place = api::group_slot::used(group);
  api::expect(f, no_function);
  place.expect_child();
  jackdaw::detail::group_access::run_at(site, place.group, api::child{f, arg}, work);
}

}  // namespace

extern "C" {

jackdaw_status jackdaw_group_begin_with(jackdaw_group** group, double total_work, int order) {
  JACKDAW_C_TRY {
    api::expect(group, "a null pointer, expected where to put the group");
    *group = nullptr;
    *group = api::group_slot::begin(total_work, order_of(order)).handle();
  }
  JACKDAW_C_CATCH;
}

jackdaw_status jackdaw_group_begin(jackdaw_group** group) {
  JACKDAW_C_TRY {
    api::expect(group, "a null pointer, expected where to put the group");
    *group = nullptr;
    *group = api::group_slot::begin(jackdaw::unknown, jackdaw::policy::work_first).handle();
  }
  JACKDAW_C_CATCH;
}

jackdaw_status jackdaw_group_spawn(jackdaw_group* group, jackdaw_function f, void* arg) {
  JACKDAW_C_TRY { spawn(__builtin_return_address(0), group, jackdaw::unknown, f, arg); }
  JACKDAW_C_CATCH;
}

jackdaw_status jackdaw_group_spawn_work(jackdaw_group* group, double work, jackdaw_function f, void* arg) {
  JACKDAW_C_TRY { spawn(__builtin_return_address(0), group, work, f, arg); }
  JACKDAW_C_CATCH;
}

jackdaw_status jackdaw_group_spawn_near(jackdaw_group* group, const void* first, size_t bytes, double work,
                                        jackdaw_function f, void* arg) {
  const void* const site = __builtin_return_address(0);
  JACKDAW_C_TRY {
    api::group_slot& place = api::group_slot::used(group);
    api::expect(f, no_function);
    if (bytes != 0) {
      api::expect(first, "a null pointer, expected the memory that the child is to be near");
    }
    const jackdaw::affinity where = bytes != 0 ? jackdaw::near(first, bytes) : jackdaw::affinity();
    place.expect_child();
    jackdaw::detail::group_access::run_near_at(site, place.group, where, api::child{f, arg}, work);
  }
  JACKDAW_C_CATCH;
}

jackdaw_status jackdaw_group_wait(jackdaw_group* group) {
  JACKDAW_C_TRY { api::group_slot::used(group).wait(); }
  JACKDAW_C_CATCH;
}

jackdaw_status jackdaw_group_end(jackdaw_group* group) {
  JACKDAW_C_TRY { api::group_slot::used(group).end(); }
  JACKDAW_C_CATCH;
}

}  // extern "C"
