#include "trace/interruptions.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <cmath>

namespace jackdaw::trace {

std::string interruptions::text() const {
  const long percent = std::lround(100 * lost / wall);
  return "it had no processor for " + std::to_string(percent) + "% of the time (lost " + std::to_string(forced) +
         " times, to other programs or to a limit)";
}

interruption_count::reading interruption_count::now() noexcept {
  rusage used{};
  getrusage(RUSAGE_THREAD, &used);
  const auto ns = [](const timeval& of) {
    return 1e9 * static_cast<double>(of.tv_sec) + 1e3 * static_cast<double>(of.tv_usec);
  };
  return {std::chrono::steady_clock::now(), ns(used.ru_utime) + ns(used.ru_stime), used.ru_nivcsw, used.ru_nvcsw};
}

void interruption_count::start() noexcept { begin_ = now(); }

void interruption_count::stop() noexcept {
  const reading end = now();
  const double wall = std::chrono::duration<double, std::nano>(end.at - begin_.at).count();
  sum_.wall += wall;
  sum_.lost += std::max(0.0, wall - (end.processor - begin_.processor));
  sum_.forced += end.forced - begin_.forced;
  sum_.chosen += end.chosen - begin_.chosen;
}

}  // namespace jackdaw::trace
