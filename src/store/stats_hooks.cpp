#include "store/stats_hooks.hpp"

#include <algorithm>
#include <cstring>
#include <exception>
#include <string>

#include "store/execution_store.hpp"
#include "store/result_store.hpp"

namespace jackdaw::store {
namespace {

template <class Do>
void say_failure(char* message, std::size_t room, const Do& what) noexcept {
  *message = '\0';
  const auto say = [&](const char* text) {
    const std::size_t length = std::min(std::strlen(text), room - 1);
    std::memcpy(message, text, length);
    message[length] = '\0';
  };
  try {
    what();
  } catch (const std::bad_alloc&) {
    say("there is not enough memory");
  } catch (const std::exception& failure) {
    say(failure.what());
  }
}

void check(const char* path, char* message, std::size_t room) noexcept {
  say_failure(message, room, [&] { const result_store fits(path, result_store::if_locked::wait); });
}

void write(const char* path, const execution& what, char* message, std::size_t room) noexcept {
  say_failure(message, room, [&] {
    const result_store store(path, result_store::if_locked::wait);
    store.add([&](const database& into) { return insert_execution(into, what); });
  });
}

}  // namespace
}  // namespace jackdaw::store

extern "C" [[gnu::visibility("default")]] const jackdaw::store::stats_hooks jackdaw_stats_2;
const jackdaw::store::stats_hooks jackdaw_stats_2 = {&jackdaw::store::check, &jackdaw::store::write};
