#include "runtime/stats_library.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <array>
#include <climits>

#include "jackdaw/error.hpp"

namespace jackdaw::detail {
namespace {

/// The folder of the file that this code is in; empty if the system does not tell.
std::string own_folder() {
  Dl_info about{};
  if (dladdr(reinterpret_cast<const void*>(&stats_library), &about) == 0 || about.dli_fname == nullptr) return {};
  std::string file = about.dli_fname;
  if (file.find(".so") == std::string::npos) {
    // Of the program itself that is the name that it was called by, which need not be a path.
    std::array<char, PATH_MAX> path{};
    const ssize_t length = readlink("/proc/self/exe", path.data(), path.size());
    if (length <= 0) return {};
    file.assign(path.data(), static_cast<std::size_t>(length));
  }
  const std::size_t end = file.rfind('/');
  return end == std::string::npos ? std::string(".") : file.substr(0, end);
}

void* open_library() {
  const std::string name = store::stats_library_name;
  constexpr int how = RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE;
  if (const std::string folder = own_folder(); !folder.empty()) {
    for (const char* const from : {"/", "/../lib/", "/../../lib/"}) {
      const std::string file = folder + from + name;
      if (access(file.c_str(), R_OK) == 0) return dlopen(file.c_str(), how);
    }
  }
  return dlopen(name.c_str(), how);
}

}  // namespace

const store::stats_hooks& stats_library(const std::string& where) {
  void* const opened = open_library();
  if (opened == nullptr) {
    const char* const reason = dlerror();
    throw error(where + ": " + (reason != nullptr ? reason : std::string(store::stats_library_name) + " is missing") +
                "; expected it beside the program, beside libjackdaw.so, or in LD_LIBRARY_PATH");
  }
  const auto* const found = static_cast<const store::stats_hooks*>(dlsym(opened, store::stats_hooks_name));
  if (found == nullptr) {
    throw error(where + ": " + store::stats_library_name + " is of another version of jackdaw, expected this one's");
  }
  return *found;
}

}  // namespace jackdaw::detail
