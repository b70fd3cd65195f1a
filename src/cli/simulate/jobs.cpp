#include "cli/simulate/jobs.hpp"

#include <jackdaw/jackdaw.hpp>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>

namespace jackdaw::cli {
namespace {

constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();

std::string text_of(const char* file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Returns the number that a text begins with, or `otherwise`, as for "max".
std::uint64_t number_in(std::string_view text, std::uint64_t otherwise) {
  const std::size_t begin = text.find_first_not_of(' ');
  if (begin == text.npos) return otherwise;
  std::uint64_t found = 0;
  const auto [end, code] = std::from_chars(text.data() + begin, text.data() + text.size(), found);
  return code == std::errc{} ? found : otherwise;
}

/// Of the system and of the control group whose files are mounted as the only ones, as in a container.
std::uint64_t available_memory() {
  const std::uint64_t most = number_in(text_of("/sys/fs/cgroup/memory.max"), unlimited);
  const std::uint64_t used = number_in(text_of("/sys/fs/cgroup/memory.current"), 0);
  return std::min(available_in(text_of("/proc/meminfo")), most - std::min(most, most == unlimited ? 0 : used));
}

}  // namespace

void run_jobs(std::size_t count, unsigned at_once, const std::function<void(std::size_t)>& job) {
  const auto workers = static_cast<unsigned>(std::min<std::size_t>(count, at_once));
  if (workers < 2) {
    for (std::size_t i = 0; i < count; ++i) job(i);
    return;
  }
  runtime crew({.scheduler = "random", .workers = workers, .pin = false});
  crew.run([&] { for_index(std::size_t{0}, count, job, grain{1}); });
}

std::uint64_t available_in(std::string_view meminfo) {
  constexpr std::string_view key = "MemAvailable:";
  const std::size_t at = meminfo.find(key);
  if (at == meminfo.npos) return unlimited;
  const std::uint64_t kib = number_in(meminfo.substr(at + key.size()), unlimited);
  return kib > unlimited / 1024 ? unlimited : kib * 1024;
}

unsigned jobs_within_memory(std::uint64_t bytes, unsigned cores, std::uint64_t available) {
  const std::uint64_t held = available / 2 / std::max<std::uint64_t>(1, 2 * bytes);
  return static_cast<unsigned>(std::clamp<std::uint64_t>(held, 1, std::max(1U, cores)));
}

unsigned jobs_within_memory(std::uint64_t bytes) {
  return jobs_within_memory(bytes, machine::detect().default_workers(), available_memory());
}

}  // namespace jackdaw::cli
