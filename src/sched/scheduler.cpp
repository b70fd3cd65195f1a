#include "sched/scheduler.hpp"

#include <array>
#include <charconv>
#include <utility>

#include "sched/adws.hpp"
#include "sched/cab.hpp"
#include "sched/hierarchical.hpp"
#include "sched/laws.hpp"
#include "sched/random.hpp"

namespace jackdaw::sched {
namespace {

using maker = std::unique_ptr<scheduler> (*)(const settings&);

template <class Scheduler, auto... Arguments>
std::unique_ptr<scheduler> made(const settings&) {
  return std::make_unique<Scheduler>(Arguments...);
}

template <laws::variant Which>
std::unique_ptr<scheduler> laws_made(const settings& given) {
  return std::make_unique<laws>(Which, given);
}

constexpr std::array<std::pair<std::string_view, maker>, 8> all{{
    {"random", &made<random_stealing>},
    {"hierarchical", &made<hierarchical_stealing>},
    {"adws", &made<adws, adws::stealing::on>},
    {"adws:no-steal", &made<adws, adws::stealing::off>},
    {"cab", [](const settings& given) -> std::unique_ptr<scheduler> { return std::make_unique<cab>(given); }},
    {"cats", &laws_made<laws::variant::cats>},
    {"laws", &laws_made<laws::variant::laws>},
    {"laws:nc", &laws_made<laws::variant::laws_nc>},
}};

}  // namespace

std::unique_ptr<scheduler> make_scheduler(std::string_view name, const settings& given) {
  for (const auto& [known, make] : all) {
    if (known == name) {
      return make(given);
    }
  }
  constexpr std::string_view with_level = "cab:";
  unsigned level = 0;
  if (name.starts_with(with_level) && name.size() > with_level.size()) {
    const auto [end, error] = std::from_chars(name.data() + with_level.size(), name.data() + name.size(), level);
    if (error == std::errc() && end == name.data() + name.size() && level <= cab::deepest_level) {
      return std::make_unique<cab>(given, level);
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
