#include "soak/usage.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace jackdaw::soak {
namespace {

std::size_t entries(const char* folder) {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& each : std::filesystem::directory_iterator(folder)) ++count;
  return count;
}

}  // namespace

usage usage::now() {
  usage found;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) ++found.maps;
  found.threads = entries("/proc/self/task");
  found.files = entries("/proc/self/fd");
  std::size_t size = 0;
  std::ifstream("/proc/self/statm") >> size >> found.resident;
  found.resident = found.resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) / 1024;
  return found;
}

std::string usage::text() const {
  return std::to_string(maps) + " maps, " + std::to_string(threads) + " threads, " + std::to_string(files) +
         " files, " + std::to_string(resident / 1024) + " MiB";
}

}  // namespace jackdaw::soak
