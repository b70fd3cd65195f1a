#include <array>

#include "sched/family.hpp"

namespace jackdaw::sched {

namespace {

#define SCHEDULERS(of) &of##_schedulers,
constexpr std::array all{
#include "sched/list.def"
};
#undef SCHEDULERS

}  // namespace

std::unique_ptr<scheduler> make_scheduler(std::string_view name, const settings& given) {
  for (const auto& each : all) {
    if (auto made = each().make(name, given)) return made;
  }
  return nullptr;
}

std::vector<std::string> names() {
  std::vector<std::string> result;
  for (const auto& each : all) {
    for (const std::string_view name : each().names) result.emplace_back(name);
  }
  return result;
}

std::vector<std::string> accepted_names() {
  std::vector<std::string> result = names();
  for (const auto& each : all) {
    for (const std::string_view form : each().forms) result.emplace_back(form);
  }
  return result;
}

}  // namespace jackdaw::sched
