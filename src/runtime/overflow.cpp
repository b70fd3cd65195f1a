#include "runtime/overflow.hpp"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <mutex>
#include <new>

#include "base/print.hpp"
#include "runtime/process.hpp"
#include "runtime/threads.hpp"

namespace jackdaw::detail {
namespace {

constexpr int signals[] = {SIGSEGV, SIGBUS};
struct sigaction before[2];  // the earlier handlers of these

std::mutex mutex;
// guarded by mutex:
unsigned users = 0;
bool ours_is_there[2] = {};

void handle(int signal, siginfo_t* info, void* context) {
  const worker* const on = this_worker();
  if (on != nullptr && on->active->current != nullptr) {
    const fiber& task = *on->active->current;
    const auto* const at = static_cast<const std::byte*>(info->si_addr);
    if (at < task.stack && at >= task.stack - task.guard) {
      print(2, "jackdaw: stack overflow in a task on worker ", on->id, ": its stack has ",
            on->home.fibers().stack_size(), " bytes; ask for more with options.stack_size\n");
      struct sigaction fall{};
      fall.sa_handler = SIG_DFL;
      sigaction(SIGABRT, &fall, nullptr);
      ::raise(SIGABRT);
      _exit(134);
    }
  }
  // Not our fault: it has the effect that it would have without this handler.
  const struct sigaction& old = before[signal == SIGBUS ? 1 : 0];
  if ((old.sa_flags & SA_SIGINFO) != 0 && old.sa_sigaction != nullptr) {
    old.sa_sigaction(signal, info, context);
  } else if (old.sa_handler != SIG_DFL && old.sa_handler != SIG_IGN) {
    old.sa_handler(signal);
  } else {
    sigaction(signal, &old, nullptr);  // the return repeats the fault, now with the default effect
  }
}

}  // namespace

overflow_handlers::overflow_handlers() noexcept {
  const std::lock_guard hold(mutex);
  if (users++ != 0) {
    return;
  }
  for (const int index : {0, 1}) {
    if (!ours_is_there[index]) {
      struct sigaction ours{};
      ours.sa_sigaction = handle;
      ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
      sigemptyset(&ours.sa_mask);
      ours_is_there[index] = sigaction(signals[index], &ours, &before[index]) == 0;
    }
  }
}

overflow_handlers::~overflow_handlers() {
  const std::lock_guard hold(mutex);
  if (--users != 0) {
    return;
  }
  for (const int index : {0, 1}) {
    struct sigaction now{};
    // If another handler was put before ours and calls it, ours has to stay.
    if (ours_is_there[index] && sigaction(signals[index], nullptr, &now) == 0 && (now.sa_flags & SA_SIGINFO) != 0 &&
        now.sa_sigaction == handle) {
      sigaction(signals[index], &before[index], nullptr);
      ours_is_there[index] = false;
    }
  }
}

void forget_handlers() noexcept {
  new (&mutex) std::mutex;
  users = 0;
}

overflow_stack::overflow_stack() : memory_(new(std::nothrow) own_mapping) {
  if (memory_ != nullptr && memory_->map(std::size_t{64} * 1024, PROT_READ | PROT_WRITE, MAP_STACK)) {
    stack_t stack{};
    stack.ss_sp = memory_->data();
    stack.ss_size = memory_->bytes();
    sigaltstack(&stack, nullptr);
  }
}

overflow_stack::~overflow_stack() {
  if (memory_ != nullptr && memory_->data() != nullptr) {
    stack_t none{};
    none.ss_flags = SS_DISABLE;
    sigaltstack(&none, nullptr);
  }
}

}  // namespace jackdaw::detail
