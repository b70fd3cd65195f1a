#pragma once

#include "jackdaw/jackdaw.h"

// How functions of the C API fail: inside they throw, and report_caught() makes a status of it.
namespace jackdaw::c_api {

/// What is wrong with a call. The text is a literal: to throw it takes no memory but the exception's.
struct misuse {
  jackdaw_status status;
  const char* what;
};

/// Called in a handler: keeps the exception's message for jackdaw_last_error() and returns its status. `function` is
/// the name of the function that was called.
[[gnu::noinline, gnu::cold]] jackdaw_status report_caught(const char* function) noexcept;

/// Throws misuse unless a pointer was given.
template <class T>
void expect(T* pointer, const char* what) {
  if (pointer == nullptr) [[unlikely]] {
    throw misuse{JACKDAW_ERROR_ARGUMENT, what};
  }
}

}  // namespace jackdaw::c_api

// Around the body of a function of the C API. The end of a thread (pthread_exit, pthread_cancel) is no exception of
// C++, and passes: only a thread that is no worker gets here with it.
#define JACKDAW_C_TRY try
#define JACKDAW_C_CATCH                             \
  catch (abi::__forced_unwind&) {                   \
    throw;                                          \
  }                                                 \
  catch (...) {                                     \
    return jackdaw::c_api::report_caught(__func__); \
  }                                                 \
  return JACKDAW_OK
