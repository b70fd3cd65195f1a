#pragma once

#include <pthread.h>

#include <new>

namespace jackdaw::detail {

/// Returns the one object of a type that has a `mutex`. It is made at its first use and never destroyed, because static
/// objects may use it. Its lock is held while the process forks: the child has a single thread, which could wait for
/// ever for a lock that another thread held. Throws std::bad_alloc.
template <class T>
T& locked_at_forks() {
  static T& only = *new T;
  static const bool seen_to = [] {
    if (pthread_atfork([] { locked_at_forks<T>().mutex.lock(); }, [] { locked_at_forks<T>().mutex.unlock(); },
                       [] { locked_at_forks<T>().mutex.unlock(); }) != 0) {
      throw std::bad_alloc();
    }
    return true;
  }();
  static_cast<void>(seen_to);
  return only;
}

}  // namespace jackdaw::detail
