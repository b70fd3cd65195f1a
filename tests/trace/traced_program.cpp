// A program whose workers JACKDAW_TRACE shows. Its argument chooses what they do. It prints what must be in the file.
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string_view>
#include <thread>

#include "jackdaw/jackdaw.hpp"
#include "jackdaw/observer.hpp"

namespace {

void wait_for(const std::atomic<bool>& flag) {
  while (!flag.load()) std::this_thread::yield();
}

/// The second branch runs only if another worker steals it, and ends after the first one's worker has waited for it.
void steal_and_wait() {
  std::atomic<bool> begun{false}, ended{false};
  jackdaw::invoke(
      [&] {
        wait_for(begun);
        ended = true;
      },
      [&] {
        begun = true;
        wait_for(ended);
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
      });
}

unsigned fib(unsigned n) {
  if (n < 2) return n;
  const auto [a, b] = jackdaw::invoke([n] { return fib(n - 1); }, [n] { return fib(n - 2); });
  return a + b;
}

void print(const jackdaw::runtime& rt) {
  const jackdaw::statistics counted = rt.stats();
  std::printf("workers %u steals %llu suspensions %llu\n", rt.workers(),
              static_cast<unsigned long long>(counted.steals_local + counted.steals_remote),
              static_cast<unsigned long long>(counted.suspensions));
}

/// Prints the names of threads and the regions' iterations: docs/timeline.md shows it.
class printer : public jackdaw::observer {
 public:
  void see(const jackdaw::worker_event& what) noexcept override {
    using kind = jackdaw::worker_event::kind;
    if (what.what == kind::run) runs_.fetch_add(1);
    if (what.what == kind::leave) leaves_.fetch_add(1);
    if (what.what == kind::enter_region) std::printf("region %s\n", std::string(what.name).c_str());
  }
  void print() const { std::printf("%s turns\n", runs_ != 0 && runs_ == leaves_ ? "whole" : "broken"); }

 private:
  std::atomic<unsigned> runs_{0}, leaves_{0};
};

int use(std::string_view how) {
  if (how == "steals") {
    jackdaw::runtime rt{{.workers = 2}};
    do {
      for (int i = 0; i < 20; ++i) rt.run(steal_and_wait);
    } while (rt.stats().suspensions == 0);
    print(rt);
    return 0;
  }
  if (how == "many") {
    jackdaw::runtime rt{{.workers = 3}};
    std::atomic<unsigned> sum{0};
    rt.run([&] {
      for (int i = 0; i < 50; ++i) {
        jackdaw::task_group group;
        for (unsigned n = 0; n < 8; ++n) group.run([&, n] { sum += fib(n); });
        steal_and_wait();
        group.wait();
      }
    });
    print(rt);
    return 0;
  }
  if (how == "regions") {
    jackdaw::runtime rt{{.scheduler = "adws", .workers = 2}};
    rt.run([] {
      for (int i = 0; i < 3; ++i) {
        jackdaw::region here("sweep");
        jackdaw::invoke([] { fib(10); }, [] { fib(10); });
      }
    });
    return 0;
  }
  if (how == "decisions") {
    jackdaw::runtime rt{{.scheduler = "cab"}};
    rt.run([] {
      for (int i = 0; i < 3; ++i) fib(12);
    });
    return 0;
  }
  if (how == "default") {
    std::printf("%u\n", fib(12));  // written at exit
    return 0;
  }
  if (how == "two") {
    for (const unsigned n : {3u, 4u}) {
      jackdaw::runtime rt;
      std::printf("%u\n", rt.run([n] { return fib(n); }));
    }
    return 0;
  }
  if (how == "option") {
    jackdaw::runtime rt{{.trace = "by_option.trace"}};
    std::printf("%u\n", rt.run([] { return fib(6); }));
    return 0;
  }
  if (how == "inside") {
    jackdaw::runtime::instance().run([] {
      std::atomic<bool> begun{false};
      jackdaw::invoke(
          [&] {
            wait_for(begun);
            std::exit(0);
          },
          [&] {
            begun = true;
            for (;;) fib(10);  // the file is written while this worker runs
          });
    });
  }
  if (how == "fork") {
    jackdaw::runtime rt{{.workers = 2}};
    int status = 0;
    rt.run([&] {
      const pid_t child = fork();
      if (child == 0) {
        fib(5);
        std::exit(0);
      }
      waitpid(child, &status, 0);
    });
    const pid_t child = fork();
    if (child == 0) {
      std::exit(rt.run([] { return fib(5); }) == 5 ? 0 : 1);
    }
    int second = 0;
    waitpid(child, &second, 0);
    return status == 0 && second == 0 ? 0 : 1;
  }
  if (how == "early") {
    const pid_t child = fork();
    fib(5);  // starts the default runtime here and there
    if (child == 0) std::exit(0);
    int status = 0;
    waitpid(child, &status, 0);
    std::printf("%d\n", static_cast<int>(child));
    return status;
  }
  if (how == "observer") {
    printer seen;
    jackdaw::observe(&seen);
    {
      jackdaw::runtime rt{{.workers = 2}};
      rt.run([] {
        jackdaw::region here("by hand");
        steal_and_wait();
      });
    }
    jackdaw::observe(nullptr);
    seen.print();
    return 0;
  }
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return use(argc == 2 ? argv[1] : "");
  } catch (const jackdaw::error& e) {
    std::fprintf(stderr, "program: %s\n", e.what());
    return 2;
  }
}
