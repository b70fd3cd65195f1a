#include "cli/whole_file.hpp"

#include <fmt/format.h>
#include <jackdaw/error.hpp>

#include <filesystem>
#include <system_error>
#include <utility>

#include "cli/text.hpp"

namespace jackdaw::cli {
namespace {

std::filesystem::path checked(const std::string& path, bool replace, std::string_view where) {
  std::filesystem::path whole = detail::check_replaceable(path, where);
  std::error_code code;
  if (!replace && std::filesystem::exists(std::filesystem::symlink_status(whole, code))) {
    throw error(fmt::format("{}: {}: exists, expected a new file (or --force)", where, one_line(path)));
  }
  return whole;
}

}  // namespace

whole_file::whole_file(std::string path, bool replace, std::string_view where)
    : path_(std::move(path)), where_(where), replace_(replace), made_(checked(path_, replace, where)) {}

void whole_file::write(std::string_view text) {
  made_.write(text);
  if (replace_) {
    made_.keep();
  } else if (!made_.keep_if_new()) {
    throw error(fmt::format("{}: {}: was created meanwhile, expected a new file", where_, one_line(path_)));
  }
}

}  // namespace jackdaw::cli
