#include "runtime/overflow.hpp"

#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <mutex>
#include <new>

#include "base/print.hpp"
#include "runtime/process.hpp"
#include "runtime/threads.hpp"

namespace jackdaw::detail {
namespace {

constexpr int signals[] = {SIGSEGV, SIGBUS};
struct sigaction earlier[2];            // the earlier handlers of these
std::atomic<bool> earlier_is_spent[2];  // that had SA_RESETHAND, and has been called

std::mutex mutex;
// guarded by mutex:
unsigned users = 0;
bool ours_is_there[2] = {};

/// Also for functions of three arguments: Linux keeps both kinds in one place.
bool calls_function(const struct sigaction& action) {
  return action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN;
}

/// Whether the instruction at which the signal came has caused it, so that the kernel would not let it be ignored.
/// Signals of kill(), raise() or sigqueue(), and those of memory that fails while no thread reads it, come anywhere.
/// What a handler of the program passes on may be null, here and below.
bool is_fault(int signal, const siginfo_t* info) {
  if (info == nullptr) return false;
#ifdef BUS_MCEERR_AO
  if (signal == SIGBUS && info->si_code == BUS_MCEERR_AO) return false;
#endif
  return info->si_code > 0;
}

void reset_handler(int signal) {
  struct sigaction none{};
  none.sa_handler = SIG_DFL;
  sigaction(signal, &none, nullptr);
}

/// Ends the process by this signal when the handler returns, or now if the signal is not blocked: with the same cause,
/// and at the instruction at which it came, as a core file shows them. A return alone would repeat a fault at most: not
/// a signal that was sent, nor a fault whose page has come meanwhile.
void send_again(int signal, siginfo_t* info) {
  reset_handler(signal);
  if (syscall(SYS_rt_tgsigqueueinfo, getpid(), gettid(), signal, info) != 0) ::raise(signal);
}

/// Calls the handler with the signals blocked that the kernel would block.
void call(const struct sigaction& handler, int signal, siginfo_t* info, void* context) {
  sigset_t blocked = handler.sa_mask, was;
  if ((handler.sa_flags & SA_NODEFER) == 0) sigaddset(&blocked, signal);
  // Not copied whole: in the kernel's frame this set is smaller than a sigset_t.
  const auto* const interrupted = static_cast<const ucontext_t*>(context);
  for (int each = 1; each < NSIG && interrupted != nullptr; ++each) {
    if (sigismember(&interrupted->uc_sigmask, each) == 1) sigaddset(&blocked, each);
  }
  pthread_sigmask(SIG_SETMASK, &blocked, &was);
  if ((handler.sa_flags & SA_SIGINFO) != 0) {
    handler.sa_sigaction(signal, info, context);
  } else {
    handler.sa_handler(signal);
  }
  pthread_sigmask(SIG_SETMASK, &was, nullptr);
}

/// Gives the signal the effect that it would have without jackdaw's handler.
void pass_on(int signal, siginfo_t* info, void* context) {
  const int index = signal == SIGBUS ? 1 : 0;
  const struct sigaction& old = earlier[index];
  if (calls_function(old)) {
    if ((old.sa_flags & SA_RESETHAND) != 0 && earlier_is_spent[index].exchange(true)) {
      send_again(signal, info);
    } else {
      call(old, signal, info, context);
    }
  } else if (old.sa_handler != SIG_IGN || is_fault(signal, info)) {
    send_again(signal, info);
  }
}

void handle(int signal, siginfo_t* info, void* context) {
  const int saved_errno = errno;
  const worker* const on = this_worker();
  if (is_fault(signal, info) && on != nullptr && on->active->current != nullptr) {
    const fiber& task = *on->active->current;
    const auto* const at = static_cast<const std::byte*>(info->si_addr);
    if (at < task.stack && at >= task.stack - task.guard) {
      print(2, "jackdaw: stack overflow in a task on worker ", on->id, ": its stack has ",
            on->home.fibers().stack_size(), " bytes; ask for more with options.stack_size\n");
      reset_handler(SIGABRT);
      ::raise(SIGABRT);
      _exit(134);
    }
  }
  pass_on(signal, info, context);
  errno = saved_errno;
}

/// Puts `handle` in the place of the handler that is there, and keeps that one.
bool put_ours(int index) {
  struct sigaction there{};
  if (sigaction(signals[index], nullptr, &there) != 0) return false;
  // In the child of a fork() that came while another thread was here, ours may be there already.
  if ((there.sa_flags & SA_SIGINFO) != 0 && there.sa_sigaction == handle) return true;
  earlier[index] = there;
  earlier_is_spent[index].store(false);
  struct sigaction ours{};
  ours.sa_sigaction = handle;
  // Calls to the system that the signal interrupts are begun again as they would be under the earlier handler.
  const int restart = calls_function(earlier[index]) ? earlier[index].sa_flags & SA_RESTART : SA_RESTART;
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK | restart;
  sigemptyset(&ours.sa_mask);
  return sigaction(signals[index], &ours, nullptr) == 0;
}

void put_back(int index) {
  if (earlier_is_spent[index].load()) {
    reset_handler(signals[index]);
  } else {
    sigaction(signals[index], &earlier[index], nullptr);
  }
}

}  // namespace

overflow_handlers::overflow_handlers() noexcept {
  const std::lock_guard hold(mutex);
  if (users++ != 0) {
    return;
  }
  for (const int index : {0, 1}) {
    if (!ours_is_there[index]) ours_is_there[index] = put_ours(index);
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
      put_back(index);
      ours_is_there[index] = false;
    }
  }
}

void forget_handlers() noexcept {
  new (&mutex) std::mutex;
  users = 0;
}

overflow_memory::overflow_memory() : mapped_(new(std::nothrow) own_mapping) {
  if (mapped_ != nullptr && !mapped_->map(std::size_t{64} * 1024, PROT_READ | PROT_WRITE, MAP_STACK)) {
    mapped_.reset();
  }
}

overflow_stack::overflow_stack(const overflow_memory& memory) noexcept {
  stack_t there{};
  if (memory.mapped_ != nullptr && sigaltstack(nullptr, &there) == 0 && (there.ss_flags & SS_DISABLE) != 0) {
    stack_t stack{};
    stack.ss_sp = memory.mapped_->data();
    stack.ss_size = memory.mapped_->bytes();
    given_ = sigaltstack(&stack, nullptr) == 0;
  }
}

overflow_stack::~overflow_stack() {
  if (given_) {
    stack_t none{};
    none.ss_flags = SS_DISABLE;
    sigaltstack(&none, nullptr);
  }
}

}  // namespace jackdaw::detail
