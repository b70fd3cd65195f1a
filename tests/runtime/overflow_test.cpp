#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <functional>
#include <latch>
#include <optional>
#include <thread>

#include "jackdaw/jackdaw.hpp"

namespace {

using jackdaw::runtime;
using testing::ExitedWithCode;
using testing::KilledBySignal;

constexpr int fault_signals[] = {SIGSEGV, SIGBUS};

void read_nowhere() {
  volatile int* volatile nowhere = nullptr;
  *nowhere = 1;
}

unsigned deep(unsigned levels) {
  volatile char frame[512];
  frame[0] = static_cast<char>(levels);
  return levels == 0 ? 0 : deep(levels - 1) + static_cast<unsigned>(frame[0]);
}

void set_handler(int signal, void (*handler)(int), int flags = 0) {
  struct sigaction action{};
  action.sa_handler = handler;
  action.sa_flags = flags;
  sigaction(signal, &action, nullptr);
}

void set_handler(int signal, void (*handler)(int, siginfo_t*, void*), int flags = 0) {
  struct sigaction action{};
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO | flags;
  sigaction(signal, &action, nullptr);
}

/// Runs it with a runtime of two workers, and exits with 0 if that returns.
void with_runtime(const std::function<void(runtime&)>& what) {
  runtime rt({.workers = 2});
  rt.run([] {});
  what(rt);
  _exit(0);
}

class sent_signal : public testing::TestWithParam<int> {
 protected:
  sent_signal() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
  static int signal() { return GetParam(); }
};
INSTANTIATE_TEST_SUITE_P(each, sent_signal, testing::ValuesIn(fault_signals));

TEST_P(sent_signal, ends_the_process_when_raised) {
  EXPECT_EXIT(with_runtime([](runtime&) { raise(signal()); }), KilledBySignal(signal()), "^$");
}

TEST_P(sent_signal, ends_the_process_when_another_sends_it) {
  EXPECT_EXIT(with_runtime([](runtime&) {
                const pid_t parent = getpid();
                if (fork() == 0) {
                  kill(parent, signal());
                  _exit(0);
                }
                for (;;) pause();
              }),
              KilledBySignal(signal()), "^$");
}

TEST_P(sent_signal, ends_the_process_when_queued) {
  EXPECT_EXIT(with_runtime([](runtime&) { sigqueue(getpid(), signal(), {.sival_int = 7}); }), KilledBySignal(signal()),
              "^$");
}

TEST_P(sent_signal, ends_the_process_when_raised_in_a_task) {
  EXPECT_EXIT(with_runtime([](runtime& rt) { rt.run([] { raise(signal()); }); }), KilledBySignal(signal()), "^$");
}

TEST_P(sent_signal, ends_the_process_when_sent_to_a_thread_that_is_no_worker) {
  EXPECT_EXIT(with_runtime([](runtime&) {
                std::thread other([] { pause(); });
                pthread_kill(other.native_handle(), signal());
                other.join();
              }),
              KilledBySignal(signal()), "^$");
}

TEST_P(sent_signal, ends_a_process_whose_runtime_is_over) {
  EXPECT_EXIT((std::make_optional<runtime>(jackdaw::options{.workers = 1}).reset(), raise(signal())),
              KilledBySignal(signal()), "^$");
}

TEST_P(sent_signal, is_ignored_if_the_program_has_asked_for_that) {
  EXPECT_EXIT((set_handler(signal(), SIG_IGN), with_runtime([](runtime& rt) {
                 raise(signal());
                 sigqueue(getpid(), signal(), {.sival_int = 7});
                 rt.run([] { raise(signal()); });
               })),
              ExitedWithCode(0), "^$");
}

TEST_P(sent_signal, goes_to_the_earlier_handler_with_what_was_sent) {
  EXPECT_EXIT((set_handler(
                   signal(),
                   +[](int number, siginfo_t* info, void* context) {
                     _exit(number == signal() && context != nullptr && info->si_code == SI_QUEUE &&
                                   info->si_value.sival_int == 7 && info->si_pid == getpid()
                               ? 3
                               : 4);
                   }),
               with_runtime([](runtime&) { sigqueue(getpid(), signal(), {.sival_int = 7}); })),
              ExitedWithCode(3), "^$");
}

std::atomic<int> calls{0};

TEST_P(sent_signal, goes_to_an_earlier_handler_of_one_argument_each_time) {
  EXPECT_EXIT((set_handler(
                   signal(), +[](int number) { calls += number == signal() ? 1 : 100; }),
               with_runtime([](runtime& rt) {
                 raise(signal());
                 errno = 5;
                 rt.run([] { raise(signal()); });
                 _exit(calls == 2 ? 3 : 4);
               })),
              ExitedWithCode(3), "^$");
}

/// Whether the running handler has this signal blocked.
bool blocks(int number) {
  sigset_t now;
  pthread_sigmask(SIG_SETMASK, nullptr, &now);
  return sigismember(&now, number) == 1;
}

TEST_P(sent_signal, finds_the_mask_that_the_earlier_handler_asked_for) {
  const auto run = [] {
    struct sigaction action{};
    action.sa_handler = [](int) { calls = blocks(SIGUSR1) && blocks(SIGUSR2) && blocks(signal()) ? 1 : 2; };
    sigaddset(&action.sa_mask, SIGUSR1);
    sigaction(signal(), &action, nullptr);
    with_runtime([](runtime&) {
      sigset_t own;
      sigemptyset(&own);
      sigaddset(&own, SIGUSR2);
      pthread_sigmask(SIG_BLOCK, &own, nullptr);
      raise(signal());
      _exit(calls == 1 && !blocks(SIGUSR1) && blocks(SIGUSR2) && !blocks(signal()) ? 3 : 4);
    });
  };
  EXPECT_EXIT(run(), ExitedWithCode(3), "^$");
}

TEST_P(sent_signal, may_come_again_inside_an_earlier_handler_that_asked_for_that) {
  EXPECT_EXIT((set_handler(
                   signal(),
                   +[](int) {
                     if (++calls == 1) raise(signal());
                     if (calls == 1) _exit(4);
                   },
                   SA_NODEFER),
               with_runtime([](runtime&) {
                 raise(signal());
                 _exit(calls == 2 ? 3 : 5);
               })),
              ExitedWithCode(3), "^$");
}

TEST_P(sent_signal, goes_once_to_an_earlier_handler_that_asked_for_that) {
  EXPECT_EXIT((set_handler(
                   signal(), +[](int) { ++calls; }, SA_RESETHAND),
               with_runtime([](runtime&) {
                 raise(signal());
                 if (calls == 1) raise(signal());
               })),
              KilledBySignal(signal()), "^$");
  EXPECT_EXIT((set_handler(
                   signal(), +[](int) { ++calls; }, SA_RESETHAND),
               [] {
                 {
                   const runtime rt({.workers = 1});
                   raise(signal());
                 }
                 raise(signal());
                 _exit(0);
               }()),
              KilledBySignal(signal()), "^$");
}

struct sigaction ours;

void pass_to_ours(int number, siginfo_t* info, void* context) {
  if (++calls > 2) _exit(9);
  ours.sa_sigaction(number, info, context);
}

TEST_P(sent_signal, ends_the_process_through_a_later_handler) {
  for (const int flags : {0, SA_NODEFER}) {
    EXPECT_EXIT(with_runtime([flags](runtime&) {
                  sigaction(signal(), nullptr, &ours);
                  set_handler(signal(), pass_to_ours, flags);
                  raise(signal());
                }),
                KilledBySignal(signal()), "^$");
  }
}

TEST_P(sent_signal, ends_the_process_though_a_later_handler_passes_nothing_on) {
  EXPECT_EXIT(with_runtime([](runtime&) {
                sigaction(signal(), nullptr, &ours);
                set_handler(signal(), +[](int number) { ours.sa_sigaction(number, nullptr, nullptr); });
                raise(signal());
              }),
              KilledBySignal(signal()), "^$");
}

TEST_P(sent_signal, ends_the_process_whatever_flags_the_default_had) {
  EXPECT_EXIT((set_handler(signal(), SIG_DFL, SA_SIGINFO), with_runtime([](runtime&) { raise(signal()); })),
              KilledBySignal(signal()), "^$");
}

TEST_P(sent_signal, goes_from_a_later_handler_to_an_earlier_one) {
  EXPECT_EXIT((set_handler(
                   signal(), +[](int) { _exit(calls == 1 ? 3 : 4); }),
               with_runtime([](runtime&) {
                 sigaction(signal(), nullptr, &ours);
                 set_handler(signal(), pass_to_ours);
                 raise(signal());
               })),
              ExitedWithCode(3), "^$");
}

TEST_P(sent_signal, does_not_break_off_a_read_under_an_earlier_handler_that_restarts) {
  EXPECT_EXIT((set_handler(
                   signal(), +[](int) { ++calls; }, SA_RESTART),
               with_runtime([](runtime&) {
                 int ends[2];
                 if (pipe(ends) != 0) _exit(5);
                 const pthread_t reader = pthread_self();
                 std::thread other([&] {
                   while (calls == 0) {
                     pthread_kill(reader, signal());
                     const timespec moment{.tv_sec = 0, .tv_nsec = 10'000'000};
                     nanosleep(&moment, nullptr);
                   }
                   if (write(ends[1], "x", 1) != 1) _exit(6);
                 });
                 char got = 0;
                 const bool good = read(ends[0], &got, 1) == 1;
                 other.join();
                 _exit(good ? 3 : 4);
               })),
              ExitedWithCode(3), "^$");
}

TEST_P(sent_signal, leaves_the_guards_of_stacks_in_place) {
  EXPECT_EXIT((set_handler(
                   signal(), +[](int) { ++calls; }),
               with_runtime([](runtime& rt) {
                 rt.run([] { raise(signal()); });
                 rt.run([] { return deep(10'000'000); });
               })),
              KilledBySignal(SIGABRT), "stack overflow in a task");
}

// ---- faults --------------------------------------------------------------------------------------------------------

class fault : public testing::Test {
 protected:
  fault() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

TEST_F(fault, ends_the_process) {
  EXPECT_EXIT(with_runtime([](runtime&) { read_nowhere(); }), KilledBySignal(SIGSEGV), "^$");
  EXPECT_EXIT(with_runtime([](runtime& rt) { rt.run(read_nowhere); }), KilledBySignal(SIGSEGV), "^$");
}

TEST_F(fault, cannot_be_ignored) {
  EXPECT_EXIT((set_handler(SIGSEGV, SIG_IGN), with_runtime([](runtime& rt) { rt.run(read_nowhere); })),
              KilledBySignal(SIGSEGV), "^$");
}

TEST_F(fault, goes_to_the_earlier_handler_with_its_address) {
  EXPECT_EXIT((set_handler(
                   SIGSEGV, +[](int, siginfo_t* info,
                                void*) { _exit(info->si_code == SEGV_MAPERR && info->si_addr == nullptr ? 3 : 4); }),
               with_runtime([](runtime& rt) { rt.run(read_nowhere); })),
              ExitedWithCode(3), "^$");
}

TEST_F(fault, ends_the_process_through_a_later_handler) {
  EXPECT_EXIT(with_runtime([](runtime& rt) {
                sigaction(SIGSEGV, nullptr, &ours);
                set_handler(SIGSEGV, pass_to_ours, SA_ONSTACK);
                rt.run(read_nowhere);
              }),
              KilledBySignal(SIGSEGV), "^$");
}

TEST_F(fault, of_a_stack_is_named_where_such_signals_are_ignored) {
  EXPECT_EXIT(
      (set_handler(SIGSEGV, SIG_IGN), with_runtime([](runtime& rt) { rt.run([] { return deep(10'000'000); }); })),
      KilledBySignal(SIGABRT), "stack overflow in a task");
}

}  // namespace
