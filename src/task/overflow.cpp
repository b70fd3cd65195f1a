#include "task/overflow.hpp"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <mutex>

#include "task/print.hpp"
#include "task/threads.hpp"

namespace jackdaw::detail {
namespace {

struct sigaction before[2];  // what handled SIGSEGV and SIGBUS before

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
  // Not ours: as it would have been without us.
  const struct sigaction& old = before[signal == SIGBUS ? 1 : 0];
  if ((old.sa_flags & SA_SIGINFO) != 0 && old.sa_sigaction != nullptr) {
    old.sa_sigaction(signal, info, context);
  } else if (old.sa_handler != SIG_DFL && old.sa_handler != SIG_IGN) {
    old.sa_handler(signal);
  } else {
    sigaction(signal, &old, nullptr);  // returning repeats the fault, this time with the default's effect
  }
}

}  // namespace

void catch_stack_overflow() {
  static std::once_flag once;
  std::call_once(once, [] {
    struct sigaction ours{};
    ours.sa_sigaction = handle;
    ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&ours.sa_mask);
    sigaction(SIGSEGV, &ours, &before[0]);
    sigaction(SIGBUS, &ours, &before[1]);
  });
}

overflow_stack::overflow_stack() : size_(64 * 1024) {
  memory_ = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  if (memory_ != MAP_FAILED) {
    stack_t stack{};
    stack.ss_sp = memory_;
    stack.ss_size = size_;
    sigaltstack(&stack, nullptr);
  }
}

overflow_stack::~overflow_stack() {
  if (memory_ != MAP_FAILED) {
    stack_t none{};
    none.ss_flags = SS_DISABLE;
    sigaltstack(&none, nullptr);
    munmap(memory_, size_);
  }
}

}  // namespace jackdaw::detail
