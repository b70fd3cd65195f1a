#include "papers/reproduction.hpp"

#include <fmt/format.h>
#include <jackdaw/error.hpp>

#include <algorithm>
#include <utility>

#include "cli/text.hpp"

namespace jackdaw::cli {

void reproduction::add_claim(std::string what, std::string paper, std::string expected, const figure& of,
                             const std::function<bool(double)>& holds, std::string otherwise) {
  claims.push_back({std::move(what), std::move(paper), std::move(expected), of,
                    [of, holds](const outcomes& results) { return holds(of(results)); }, std::move(otherwise)});
}

void reproduction::keep_programs(const std::vector<std::string>& names) {
  const auto is_left_out = [&](const std::string& program) {
    return std::find(names.begin(), names.end(), program) == names.end();
  };
  std::erase_if(programs, [&](const program& each) { return is_left_out(each.name); });
  std::erase_if(experiments, [&](const experiment& each) { return is_left_out(each.program); });
}

void reproduction::keep_only(const std::string& part_of_name) {
  std::vector<std::string> names;
  for (const program& each : programs) {
    if (each.name.find(part_of_name) != each.name.npos) names.push_back(each.name);
  }
  keep_programs(names);
  if (programs.empty()) throw error(fmt::format("--only: no program's name contains '{}'", one_line(part_of_name)));
}

std::vector<std::string> reproduction::machines() const {
  std::vector<std::string> found;
  for (const experiment& each : experiments) {
    const std::string& one = machine_of(each);
    if (std::find(found.begin(), found.end(), one) == found.end()) found.push_back(one);
  }
  return found;
}

}  // namespace jackdaw::cli
