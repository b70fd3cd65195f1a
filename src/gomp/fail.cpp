#include "gomp/fail.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace jackdaw::gomp {
namespace {

void say(const char* before, const char* what, const char* after) noexcept {
  char line[512];
  const int length = std::snprintf(line, sizeof line, "jackdaw: OpenMP: %s%s%s\n", before, what, after);
  const auto most = static_cast<int>(sizeof line) - 1;
  [[maybe_unused]] const auto written =
      write(STDERR_FILENO, line, static_cast<std::size_t>(length > most ? most : length));
}

}  // namespace

void fail(const char* why) noexcept {
  say("", why, "");
  std::_Exit(EXIT_FAILURE);
}

void refuse(const char* function) noexcept {
  say("", function, " is not in libjackdaw_gomp.so: run the program without it");
  std::_Exit(EXIT_FAILURE);
}

void warn(const char* what) noexcept { say("", what, ""); }

}  // namespace jackdaw::gomp
