#include "cli/run/preload.hpp"

#include <elf.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <jackdaw/error.hpp>

#include <cerrno>
#include <climits>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>
#include <vector>

#include "cli/text.hpp"

namespace jackdaw::cli {
namespace {

namespace fs = std::filesystem;

bool is_program(const fs::path& path) {
  std::error_code code;
  return fs::is_regular_file(path, code) && access(path.c_str(), X_OK) == 0;
}

/// Whether the file is a program for this processor's usual word without a dynamic linker. False for anything else:
/// scripts among it.
bool is_static(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  Elf64_Ehdr head{};
  if (!file.read(reinterpret_cast<char*>(&head), sizeof head) || std::memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 ||
      head.e_ident[EI_CLASS] != ELFCLASS64) {
    return false;
  }
  for (unsigned i = 0; i < head.e_phnum; ++i) {
    Elf64_Phdr part{};
    file.seekg(static_cast<std::streamoff>(head.e_phoff + i * head.e_phentsize));
    if (!file.read(reinterpret_cast<char*>(&part), sizeof part)) return false;
    if (part.p_type == PT_INTERP) return false;
  }
  return true;
}

/// Whether the program gets the rights of others: the dynamic linker then ignores LD_PRELOAD.
const char* other_rights(const std::string& path) {
  struct stat about{};
  if (stat(path.c_str(), &about) != 0) return nullptr;
  if ((about.st_mode & S_ISUID) != 0 && about.st_uid != geteuid()) return "it changes its user (setuid)";
  if ((about.st_mode & S_ISGID) != 0 && about.st_gid != getegid()) return "it changes its group (setgid)";
  if (geteuid() != 0 && getxattr(path.c_str(), "security.capability", nullptr, 0) > 0) return "it has capabilities";
  return nullptr;
}

}  // namespace

std::string find_program(const std::string& word) {
  if (word.find('/') != std::string::npos) {
    if (is_program(word)) return word;
    std::error_code code;
    throw error(fmt::format("run: {}: {}, expected a program", one_line(word),
                            fs::exists(word, code) ? "it cannot be run" : "there is no such file"));
  }
  std::istringstream folders(environment("PATH").value_or("/usr/local/bin:/usr/bin:/bin"));
  for (std::string folder; std::getline(folders, folder, ':');) {
    const fs::path path = fs::path(folder.empty() ? "." : folder) / word;
    if (is_program(path)) return path.string();
  }
  throw error(fmt::format("run: {}: there is no such program on PATH", one_line(word)));
}

void check_preloadable(const std::string& program) {
  const char* why = other_rights(program);
  if (why == nullptr && is_static(program)) why = "it is linked statically";
  if (why != nullptr) {
    throw error(
        fmt::format("run: {}: {}, so no library can be loaded before it; expected a program that is linked "
                    "dynamically and runs as you",
                    one_line(program), why));
  }
}

std::string find_library(const std::string& name, const std::string& option) {
  std::error_code code;
  const fs::path here = fs::read_symlink("/proc/self/exe", code).parent_path();
  std::vector<fs::path> folders{here / JACKDAW_LIBRARIES_FROM_PROGRAMS};
  // A program of the build tree. Folders that others may write to are no place to look.
  if (here.string().starts_with(JACKDAW_BUILD_FOLDER "/")) folders.emplace_back(JACKDAW_BUILD_FOLDER "/lib");
  for (const fs::path& folder : folders) {
    const fs::path path = (folder / name).lexically_normal();
    if (access(path.c_str(), R_OK) != 0) continue;
    if (path.string().find_first_of(": ") != std::string::npos) {
      throw error(
          fmt::format("run: {}: the dynamic linker takes no path with blanks or colons, expected another folder",
                      one_line(path.string())));
    }
    return path.string();
  }
  throw error(fmt::format("run: {}: {} is not here, expected it in {}; this jackdaw was built or installed without it",
                          option, name,
                          one_line((here / JACKDAW_LIBRARIES_FROM_PROGRAMS).lexically_normal().string())));
}

}  // namespace jackdaw::cli
