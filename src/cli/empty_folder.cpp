#include "cli/empty_folder.hpp"

#include <fmt/format.h>
#include <jackdaw/error.hpp>

#include <filesystem>
#include <system_error>

#include "cli/text.hpp"

namespace jackdaw::cli {
namespace {

[[noreturn]] void refuse(const std::string& path, std::string_view where) {
  throw error(
      fmt::format("{}: '{}', expected an empty folder, or a new one in an existing folder", where, one_line(path)));
}

}  // namespace

void check_empty_folder(const std::string& path, std::string_view where) {
  std::error_code code;
  const std::filesystem::path folder = std::filesystem::path(path) / "";
  const std::filesystem::path parent = std::filesystem::absolute(folder, code).parent_path().parent_path();
  const bool there = !code && std::filesystem::exists(path, code);
  if (code || (there ? !std::filesystem::is_directory(path, code) || !std::filesystem::is_empty(path, code) || code
                     : !std::filesystem::is_directory(parent, code)))
    refuse(path, where);
}

void make_empty_folder(const std::string& path, std::string_view where) {
  std::error_code code;
  std::filesystem::create_directory(path, code);
  if (code || !std::filesystem::is_empty(path, code)) refuse(path, where);
}

}  // namespace jackdaw::cli
