#pragma once

#include <pthread.h>

namespace jackdaw::detail {

/// While it lives, pthread_cancel() of the calling thread has to wait, because tasks use its stack. Must not be used on
/// a fiber that may leave its thread meanwhile.
class uncancelled {
 public:
  uncancelled() noexcept { pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before_); }
  ~uncancelled() { pthread_setcancelstate(before_, &ignored_); }
  uncancelled(const uncancelled&) = delete;
  uncancelled& operator=(const uncancelled&) = delete;

 private:
  int before_ = PTHREAD_CANCEL_ENABLE;
  int ignored_ = 0;
};

}  // namespace jackdaw::detail
