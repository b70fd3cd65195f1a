#include "runtime/exceptions.hpp"

#include <cxxabi.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "base/print.hpp"
#include "jackdaw/cancellation.hpp"
#include "jackdaw/detail/caught.hpp"
#include "jackdaw/error.hpp"
#include "runtime/fatal.hpp"

namespace jackdaw::detail {
namespace {

constexpr const char* not_an_exception =
    "a task ended its thread (pthread_exit, pthread_cancel), or threw an exception that is not one of C++: neither can "
    "leave a task";

}  // namespace

// Never inlined, like this_worker(): __cxa_get_globals() is declared to return the same each time, which is true of a
// thread but not of a fiber.
[[gnu::noinline]] exception_state* this_exception_state() noexcept {
  asm volatile("" ::: "memory");
  return reinterpret_cast<exception_state*>(abi::__cxa_get_globals());
}

[[gnu::noinline]] void swap_exceptions(exception_state& with) noexcept {
  asm volatile("" ::: "memory");
  std::swap(*reinterpret_cast<exception_state*>(abi::__cxa_get_globals()), with);
}

std::exception_ptr caught() noexcept {
  std::exception_ptr found = std::current_exception();
  if (!found) {
    end_for(not_an_exception);
  }
  return found;
}

void throw_error(const std::string& what) { throw error(what); }
void throw_out_of_range(const char* what) { throw std::out_of_range(what); }
void throw_bad_length() { throw std::bad_array_new_length(); }
void throw_cancelled() { throw cancelled(); }

namespace without_exceptions {
namespace {

[[noreturn]] void end_with(const char* what) noexcept {
  static std::atomic_flag ends = ATOMIC_FLAG_INIT;
  while (ends.test_and_set(std::memory_order_relaxed)) pause();  // another worker's message is the first one
  print(2, "jackdaw: ", std::string_view(what), "; this program is compiled without exceptions\n");
  std::abort();
}

}  // namespace

void throw_error(const std::string& what) noexcept { end_with(what.c_str()); }
void throw_out_of_range(const char* what) noexcept { end_with(what); }
void throw_bad_length() noexcept { end_with(std::bad_array_new_length().what()); }
void throw_cancelled() noexcept { end_with(cancelled().what()); }

}  // namespace without_exceptions

}  // namespace jackdaw::detail
