#include "vm/expected_machine.hpp"

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace jackdaw::test {

std::vector<unsigned> expected_machine::cpus_of(unsigned node) const {
  std::vector<unsigned> cpus;
  if (nodes[node].cpu_less) return cpus;
  const unsigned count = cores / packages;
  for (unsigned i = 0; i < count; ++i) cpus.push_back(node * count + i);
  return cpus;
}

std::optional<expected_machine> expected_machine::here() {
  // No thread sets a variable while this reads one. NOLINTNEXTLINE(concurrency-mt-unsafe)
  const char* const path = std::getenv("JACKDAW_VM_MACHINE");
  if (path == nullptr || *path == '\0') return std::nullopt;

  std::ifstream file(path);
  expected_machine found;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string what;
    words >> what;
    if (what == "packages") {
      words >> found.packages;
    } else if (what == "cores") {
      words >> found.cores;
    } else if (what == "node") {
      node& next = found.nodes.emplace_back();
      words >> next.mib >> next.initiator >> next.cpu_less >> next.bandwidth >> next.latency;
    } else if (what == "distances") {
      for (std::size_t i = 0; i < found.nodes.size(); ++i) words >> found.distances.emplace_back();
    } else {
      throw std::runtime_error(std::string(path) + ": '" + line + "', expected what tests/vm/machine.py writes");
    }
    if (!words) throw std::runtime_error(std::string(path) + ": '" + line + "' is too short");
  }
  if (found.packages == 0 || found.distances.size() != found.nodes.size() * found.nodes.size()) {
    throw std::runtime_error(std::string(path) + ": expected a machine as tests/vm/machine.py writes it");
  }
  return found;
}

}  // namespace jackdaw::test
