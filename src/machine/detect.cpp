#include <jackdaw/error.hpp>
#include <jackdaw/machine.hpp>

#include "base/environment.hpp"
#include "machine/cgroup.hpp"
#include "machine/hwloc_reader.hpp"
#include "machine/measured_bandwidths.hpp"

#include <dlfcn.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace jackdaw {
namespace {

/// Adds the CPUs in a thread's affinity mask. 0: the calling thread.
void add_affinity_mask(pid_t thread, std::set<unsigned>& allowed) {
  // The kernel refuses a mask shorter than its own, and does not tell that length.
  for (std::size_t count = 1024; count <= (std::size_t{1} << 20); count *= 2) {
    const std::unique_ptr<cpu_set_t, void (*)(cpu_set_t*)> mask(CPU_ALLOC(count), [](cpu_set_t* m) { CPU_FREE(m); });
    const std::size_t bytes = CPU_ALLOC_SIZE(count);
    if (mask == nullptr) break;
    if (sched_getaffinity(thread, bytes, mask.get()) != 0) continue;
    for (unsigned i = 0; i < count; ++i) {
      if (CPU_ISSET_S(i, bytes, mask.get())) allowed.insert(i);
    }
    break;
  }
}

/// If the environment makes OpenMP bind threads, and the program has it, the process's first thread is bound as well.
/// Then the places that OpenMP made of the process's mask tell what that was.
void add_openmp_places(std::set<unsigned>& allowed) {
  const std::array binding{"OMP_PROC_BIND", "OMP_PLACES", "GOMP_CPU_AFFINITY", "KMP_AFFINITY"};
  if (std::none_of(binding.begin(), binding.end(),
                   [](const char* name) { return detail::from_environment(name) != nullptr; })) {
    return;
  }
  const auto places = reinterpret_cast<int (*)()>(dlsym(RTLD_DEFAULT, "omp_get_num_places"));
  const auto size = reinterpret_cast<int (*)(int)>(dlsym(RTLD_DEFAULT, "omp_get_place_num_procs"));
  const auto processors = reinterpret_cast<void (*)(int, int*)>(dlsym(RTLD_DEFAULT, "omp_get_place_proc_ids"));
  if (places == nullptr || size == nullptr || processors == nullptr) {
    return;
  }
  for (int place = 0; place < places(); ++place) {
    std::vector<int> of(static_cast<std::size_t>(std::max(size(place), 0)));
    if (!of.empty()) processors(place, of.data());
    for (const int each : of) {
      if (each >= 0) allowed.insert(static_cast<unsigned>(each));
    }
  }
}

/// The CPUs that the calling thread or the process's first thread may use. A pinned worker, and threads that its tasks
/// start, which inherit its mask, may use fewer CPUs than the process.
std::set<unsigned> affinity_mask() {
  std::set<unsigned> allowed;
  add_affinity_mask(0, allowed);
  add_affinity_mask(getpid(), allowed);
  add_openmp_places(allowed);
  return allowed;
}

/// The machine that one of hwloc's variables describes.
std::optional<machine> described() {
  const auto read = [](const char* name, machine (*from)(const std::string&)) {
    return detail::read_variable(name, std::optional<machine>(),
                                 [from](const std::string& text, const char*) { return std::optional(from(text)); });
  };
  std::optional<machine> found = read("HWLOC_SYNTHETIC", machine::from_synthetic);
  return found ? std::move(found) : read("HWLOC_XMLFILE", machine::from_xml);
}

}  // namespace

machine machine::from_synthetic(const std::string& description) {
  hwloc_reader reader;
  if (!reader.set_synthetic(description) || !reader.load()) {
    throw error("HWLOC_SYNTHETIC: '" + description +
                "' is not a synthetic topology, expected something like 'package:2 l3:1 core:4 pu:2'");
  }
  machine found = reader.read();
  found.name = description;
  found.source = "HWLOC_SYNTHETIC";
  return found;
}

machine machine::from_xml(const std::string& path) {
  if (!std::filesystem::exists(path)) throw error(path + ": no such file, expected a topology in hwloc's XML format");
  hwloc_reader reader;
  if (!reader.set_xml(path) || !reader.load()) {
    throw error(path + ": not a topology, expected hwloc's XML format as written by 'lstopo --of xml'");
  }
  machine found = reader.read();
  found.name = path;
  found.source = "HWLOC_XMLFILE";
  return found;
}

machine machine::detect() {
  if (std::optional<machine> instead = described()) return *std::move(instead);

  hwloc_reader reader;
  if (!reader.load()) throw error("hwloc cannot read the topology of this computer");
  machine found = reader.read();
  found.source = "this computer";
  found.is_this_computer = true;

  const std::set<unsigned> allowed = affinity_mask();
  for (cpu& c : found.cpus) {
    if (c.core && c.state == cpu_state::usable && !allowed.empty() && !allowed.contains(c.os_index)) {
      c.state = cpu_state::not_in_affinity;
      std::erase(found.cores[*c.core].usable_os_cpus, c.os_index);
    }
  }
  recall_bandwidths(found);
  if (const auto quota = find_cpu_quota(read_text_file)) {
    found.cpu_quota = quota->whole_cpus();
    found.cpu_quota_source = quota->file;
  }
  return found;
}

}  // namespace jackdaw
