#include <fmt/format.h>
#include <jackdaw/error.hpp>

#include <algorithm>
#include <cstdlib>

#include "machine/machine_file.hpp"
#include "machine/models/figure.hpp"

namespace jackdaw {
namespace {

namespace fs = std::filesystem;

// The folders of machine files, in the order in which they are searched.
std::vector<fs::path> folders() {
  std::vector<fs::path> all;
  std::error_code code;
  // No thread sets a variable while this reads one. NOLINTNEXTLINE(concurrency-mt-unsafe)
  if (const char* const own = std::getenv("JACKDAW_MACHINES"); own != nullptr && *own != '\0') {
    if (!fs::is_directory(own, code)) {
      throw error(fmt::format("JACKDAW_MACHINES: {}, expected a folder of machine files", models::in_quotes(own)));
    }
    all.emplace_back(own);
  }
  const fs::path program = fs::read_symlink("/proc/self/exe", code);
  if (!code) all.push_back((program.parent_path() / JACKDAW_MACHINES_FROM_BIN).lexically_normal());
  all.emplace_back(JACKDAW_MACHINES_SOURCE);
  return all;
}

bool is_bare(const fs::path& name) { return !name.has_parent_path() && name.extension() != ".toml"; }

}  // namespace

std::vector<std::string> shipped_machine_models() {
  std::vector<std::string> names;
  for (const fs::path& folder : folders()) {
    std::error_code code;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, code)) {
      if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
    }
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

fs::path machine_file_path(std::string_view name) {
  if (!is_bare(name)) return name;
  std::error_code code;
  for (const fs::path& folder : folders()) {
    fs::path path = folder / fmt::format("{}.toml", name);
    if (!name.empty() && fs::exists(path, code)) return path;
  }
  throw error(fmt::format("unknown machine {}, expected a file's path or one of {}", models::in_quotes(name),
                          fmt::join(shipped_machine_models(), " ")));
}

}  // namespace jackdaw
