#include "runtime/stats_library.hpp"

#include <dlfcn.h>
#include <sys/auxv.h>
#include <unistd.h>

#include <array>
#include <climits>
#include <string>
#include <vector>

#include "jackdaw/error.hpp"

namespace jackdaw::detail {
namespace {

bool is_of_main_program(const Dl_info& about) noexcept {
  Dl_info program{};
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the kernel gives the address as a number
  const auto* const headers = reinterpret_cast<const void*>(getauxval(AT_PHDR));
  return dladdr(headers, &program) != 0 && program.dli_fbase == about.dli_fbase;
}

/// The folder of the file that this code is in; empty if the system does not tell it as a path from the root: what a
/// path from elsewhere means may have changed.
std::string own_folder() {
  Dl_info about{};
  if (dladdr(reinterpret_cast<const void*>(&stats_library), &about) == 0 || about.dli_fname == nullptr) return {};
  std::string file = about.dli_fname;
  if (is_of_main_program(about)) {
    std::array<char, PATH_MAX> path{};
    const ssize_t length = readlink("/proc/self/exe", path.data(), path.size());
    file.assign(path.data(), length > 0 ? static_cast<std::size_t>(length) : 0);
  }
  return file.starts_with('/') ? file.substr(0, file.rfind('/')) : std::string();
}

/// Looks only where this file and the installation are, and where the dynamic linker looks: not in folders that others
/// may write to.
void* open_library() {
  const std::string name = store::stats_library_name;
  constexpr int how = RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE;
  std::vector<std::string> folders;
  if (const std::string own = own_folder(); !own.empty()) {
    folders = {own, own + "/" JACKDAW_LIBRARIES_FROM_PROGRAMS};
  }
#ifdef JACKDAW_BUILD_FOLDER
  if (!folders.empty() && folders.front().starts_with(JACKDAW_BUILD_FOLDER "/")) {
    folders.emplace_back(JACKDAW_BUILD_FOLDER "/lib");
  }
#endif
  for (const std::string& each : folders) {
    std::string file = each;
    file.append("/").append(name);
    if (access(file.c_str(), R_OK) == 0) return dlopen(file.c_str(), how);
  }
  return dlopen(name.c_str(), how);
}

}  // namespace

const store::stats_hooks& stats_library(const std::string& where) {
  void* const opened = open_library();
  if (opened == nullptr) {
    const char* const reason = dlerror();  // NOLINT(concurrency-mt-unsafe): glibc keeps it for each thread
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
