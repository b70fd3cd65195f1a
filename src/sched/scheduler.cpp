#include "sched/scheduler.hpp"

#include <array>
#include <utility>

#include "sched/adws.hpp"
#include "sched/hierarchical.hpp"
#include "sched/random.hpp"

namespace jackdaw::sched {
namespace {

using maker = std::unique_ptr<scheduler> (*)();

constexpr std::array<std::pair<std::string_view, maker>, 4> all{{
    {"random", [] { return std::unique_ptr<scheduler>(new random_stealing); }},
    {"hierarchical", [] { return std::unique_ptr<scheduler>(new hierarchical_stealing); }},
    {"adws", [] { return std::unique_ptr<scheduler>(new adws(adws::stealing::on)); }},
    {"adws:no-steal", [] { return std::unique_ptr<scheduler>(new adws(adws::stealing::off)); }},
}};

}  // namespace

std::unique_ptr<scheduler> make_scheduler(std::string_view name) {
  for (const auto& [known, make] : all) {
    if (known == name) {
      return make();
    }
  }
  return nullptr;
}

std::vector<std::string> names() {
  std::vector<std::string> result;
  result.reserve(all.size());
  for (const auto& [known, make] : all) {
    result.emplace_back(known);
  }
  return result;
}

}  // namespace jackdaw::sched
