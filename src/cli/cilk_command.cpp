#include "cli/cilk_command.hpp"

#include <fmt/format.h>
#include <unistd.h>
#include <CLI/CLI.hpp>
#include <jackdaw/error.hpp>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

namespace jackdaw::cli {

void add_cilk_command(CLI::App& program, const std::vector<std::string>& words) {
  program.add_subcommand("cilk", "Compile C and C++ with Cilk for jackdaw: cilk FILE... [compiler options]");
  // CLI11 would read options that are the translator's and the compiler's.
  if (words.empty() || words[0] != "cilk") return;
  std::error_code code;
  const std::string translator =
      (std::filesystem::read_symlink("/proc/self/exe", code).parent_path() / "jackdaw-cilk").string();
  std::vector<char*> pointers{const_cast<char*>(translator.c_str())};
  for (std::size_t i = 1; i < words.size(); ++i) pointers.push_back(const_cast<char*>(words[i].c_str()));
  pointers.push_back(nullptr);
  std::fflush(stdout);
  execv(translator.c_str(), pointers.data());
  if (errno == ENOENT)
    throw error(
        "cilk: jackdaw was built without clang's development files; install libclang-19-dev and llvm-19-dev, and "
        "build it again");
  throw error(fmt::format("cilk: {} cannot be run: {}", translator, std::generic_category().message(errno)));
}

}  // namespace jackdaw::cli
