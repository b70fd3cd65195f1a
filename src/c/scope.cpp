#include "c/scope.hpp"

#include <utility>

#include "c/group_slot.hpp"
#include "runtime/worker.hpp"

namespace jackdaw::c_api {
namespace {

__thread scope* innermost_of_thread = nullptr;
__thread bool thread_ends = false;

/// The scope of a thread outside of tasks. Its destructor runs while the thread ends; groups that other destructors
/// and handlers begin after that belong to no scope.
struct thread_scope {
  scope own;
  ~thread_scope() { thread_ends = true; }
};

}  // namespace

scope** scope::here_slowly() noexcept {
  asm volatile("" ::: "memory");
  if (detail::worker* const on = detail::this_worker(); on != nullptr && on->active->current != nullptr) {
    return &on->active->current->scope;
  }
  return &innermost_of_thread;
}

scope* scope::of_thread() {
  if (detail::this_worker() != nullptr || thread_ends) {
    return nullptr;
  }
  thread_local thread_scope base;
  return &base.own;
}

void scope::add(group_slot& begun) noexcept {
  begun.next = open_;
  begun.previous = nullptr;
  if (open_ != nullptr) open_->previous = &begun;
  open_ = &begun;
}

void scope::remove(group_slot& ended) noexcept {
  (ended.previous != nullptr ? ended.previous->next : open_) = ended.next;
  if (ended.next != nullptr) ended.next->previous = ended.previous;
}

void scope::end_groups() {
  std::exception_ptr first;
  while (group_slot* const newest = open_) {
    try {
      newest->end();
    } catch (...) {
      if (!first) first = std::current_exception();
    }
    if (open_ == newest) {
      remove(*newest);  // it could not be waited for, and stays as it is
      newest->lose();
    }
  }
  if (first) {
    std::rethrow_exception(first);
  }
}

void scope::abandon() noexcept {
  if (here() != place_) {
    // A task ends the thread (exit) whose own groups these are, and runs on another stack. They stay as they are.
    return;
  }
  try {
    end_groups();
  } catch (...) {
    // The exception that ends the function is the first.
  }
}

}  // namespace jackdaw::c_api
