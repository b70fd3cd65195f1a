#include "c/status.hpp"

#include <cstdio>
#include <exception>
#include <new>

#include "jackdaw/cancellation.hpp"
#include "jackdaw/error.hpp"

namespace jackdaw::c_api {
namespace {

struct message {
  char text[512];
};
// Without a constructor and a destructor, so that it is there as long as its thread is.
__thread message last;

/// Never inlined, like this_worker(): the caller may be on another thread since it asked for the address before.
[[gnu::noinline]] message& of_this_thread() noexcept {
  asm volatile("" ::: "memory");
  return last;
}

jackdaw_status keep(jackdaw_status status, const char* function, const char* what) noexcept {
  message& here = of_this_thread();
  std::snprintf(here.text, sizeof here.text, "%s: %s", function, what);
  for (char* at = here.text; *at != '\0'; ++at) {
    if (*at == '\n') *at = ' ';
  }
  return status;
}

}  // namespace

jackdaw_status report_caught(const char* function) noexcept {
  try {
    throw;
  } catch (const misuse& wrong) {
    return keep(wrong.status, function, wrong.what);
  } catch (const std::bad_alloc&) {
    return keep(JACKDAW_ERROR_NO_MEMORY, function, "there is no memory");
  } catch (const error& wrong) {
    return keep(JACKDAW_ERROR_INPUT, function, wrong.what());
  } catch (const cancelled& ended) {
    return keep(JACKDAW_ERROR_CANCELLED, function, ended.what());
  } catch (const std::exception& thrown) {
    return keep(JACKDAW_ERROR_EXCEPTION, function, thrown.what());
  } catch (...) {
    return keep(JACKDAW_ERROR_EXCEPTION, function, "an exception that is no std::exception");
  }
}

}  // namespace jackdaw::c_api

extern "C" {

const char* jackdaw_status_name(int status) {
  switch (status) {
    case JACKDAW_OK:
      return "JACKDAW_OK";
    case JACKDAW_ERROR_ARGUMENT:
      return "JACKDAW_ERROR_ARGUMENT";
    case JACKDAW_ERROR_HANDLE:
      return "JACKDAW_ERROR_HANDLE";
    case JACKDAW_ERROR_OWNER:
      return "JACKDAW_ERROR_OWNER";
    case JACKDAW_ERROR_INPUT:
      return "JACKDAW_ERROR_INPUT";
    case JACKDAW_ERROR_NO_MEMORY:
      return "JACKDAW_ERROR_NO_MEMORY";
    case JACKDAW_ERROR_EXCEPTION:
      return "JACKDAW_ERROR_EXCEPTION";
    case JACKDAW_ERROR_CANCELLED:
      return "JACKDAW_ERROR_CANCELLED";
  }
  return "unknown status";
}

const char* jackdaw_last_error() { return jackdaw::c_api::of_this_thread().text; }

}  // extern "C"
