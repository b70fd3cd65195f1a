#include "cli/reproduction.hpp"

#include <algorithm>
#include <utility>

namespace jackdaw::cli {

void reproduction::add_claim(std::string what, std::string paper, std::string expected,
                             const std::function<double(const outcomes&)>& figure,
                             const std::function<bool(double)>& holds, std::string otherwise) {
  claims.push_back({std::move(what), std::move(paper), std::move(expected), figure,
                    [figure, holds](const outcomes& of) { return holds(figure(of)); }, std::move(otherwise)});
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
