#pragma once

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <optional>
#include <string>

namespace jackdaw::test {

/// How a child process has ended.
struct ending {
  int status = -1;   ///< its exit status; -signal if a signal has ended it
  std::string said;  ///< on stderr
};

/// fork(): returns nothing in the child, whose stderr is kept from then on and which SIGALRM ends where it hangs; and,
/// once the child has ended, how it did in the parent.
inline std::optional<ending> fork_and_wait() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return ending{};
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    dup2(ends[1], STDERR_FILENO);
    return std::nullopt;
  }
  close(ends[1]);
  ending how;
  char text[512];
  for (ssize_t got = 0; (got = read(ends[0], text, sizeof text)) > 0;) {
    how.said.append(text, static_cast<std::size_t>(got));
  }
  close(ends[0]);
  int status = 0;
  if (child > 0 && waitpid(child, &status, 0) == child) {
    how.status = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }
  return how;
}

/// How the child of a fork ends that calls f() and exits with what it returns.
template <class F>
ending in_child(F f) {
  const std::optional<ending> how = fork_and_wait();
  if (!how) _exit(f());
  return *how;
}

}  // namespace jackdaw::test
