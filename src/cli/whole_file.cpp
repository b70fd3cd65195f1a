#include "cli/whole_file.hpp"

#include <fmt/format.h>
#include <jackdaw/error.hpp>

#include <filesystem>
#include <system_error>
#include <utility>

#include "cli/text.hpp"

namespace jackdaw::cli {

std::filesystem::path check_output(const std::filesystem::path& path, bool replace, std::string_view where) {
  std::filesystem::path whole = detail::check_replaceable(path, where);
  std::error_code code;
  const std::filesystem::file_status found = std::filesystem::symlink_status(whole, code);
  const bool loses = std::filesystem::is_regular_file(found) || std::filesystem::is_symlink(found);
  if (loses && !replace) {
    throw error(fmt::format("{}: {}: exists, expected a new file (or --force)", where, one_line(path.string())));
  }
  return whole;
}

whole_file::whole_file(std::string path, bool replace, std::string_view where)
    : path_(std::move(path)), where_(where), replace_(replace), made_(check_output(path_, replace, where)) {}

void whole_file::write(std::string_view text) {
  made_.write(text);
  if (replace_) {
    made_.keep();
  } else if (!made_.keep_if_new()) {
    throw error(fmt::format("{}: {}: was created meanwhile, expected a new file", where_, one_line(path_)));
  }
}

}  // namespace jackdaw::cli
