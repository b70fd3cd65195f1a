#include "sched/scheduler.hpp"

#include <array>
#include <charconv>
#include <utility>

#include "sched/adws.hpp"
#include "sched/bats.hpp"
#include "sched/cab.hpp"
#include "sched/hierarchical.hpp"
#include "sched/laws.hpp"
#include "sched/random.hpp"

namespace jackdaw::sched {
namespace {

/// Given a name of static duration.
using maker = std::unique_ptr<scheduler> (*)(std::string_view name, const settings&);

template <class Scheduler, auto... Arguments>
std::unique_ptr<scheduler> made(std::string_view, const settings&) {
  return std::make_unique<Scheduler>(Arguments...);
}

template <laws::variant Which>
std::unique_ptr<scheduler> laws_made(std::string_view, const settings& given) {
  return std::make_unique<laws>(Which, given);
}

/// BATS's components: placement by bandwidth, balancing, levels.
template <bool Weighted, bool Balances, bool Levels>
std::unique_ptr<scheduler> bats_made(std::string_view name, const settings& given) {
  return std::make_unique<bats>(bats::parts{name, Weighted, Balances, Levels}, given);
}

constexpr std::array<std::pair<std::string_view, maker>, 15> all{{
    {"random", &made<random_stealing>},
    {"hierarchical", &made<hierarchical_stealing>},
    {"adws", &made<adws, adws::stealing::on>},
    {"adws:no-steal", &made<adws, adws::stealing::off>},
    {"cab",
     [](std::string_view, const settings& given) -> std::unique_ptr<scheduler> {
       return std::make_unique<cab>(given);
     }},
    {"cats", &laws_made<laws::variant::cats>},
    {"laws", &laws_made<laws::variant::laws>},
    {"laws:nc", &laws_made<laws::variant::laws_nc>},
    {"bats", &bats_made<true, true, true>},
    {"bats:nh", &bats_made<false, true, true>},
    {"bats:nb", &bats_made<true, false, true>},
    {"bats:nl", &bats_made<true, true, false>},
    {"bats:h", &bats_made<true, false, false>},
    {"bats:b", &bats_made<false, true, false>},
    {"bats:l", &bats_made<false, false, true>},
}};

}  // namespace

std::unique_ptr<scheduler> make_scheduler(std::string_view name, const settings& given) {
  for (const auto& [known, make] : all) {
    if (known == name) {
      return make(known, given);
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
