#include "sched/random.hpp"

#include <array>

#include "sched/family.hpp"

namespace jackdaw::sched {

family random_schedulers() {
  static constexpr std::array<std::string_view, 1> names{"random"};
  return {names, [](std::string_view name, const settings&) -> std::unique_ptr<scheduler> {
            return name == names[0] ? std::make_unique<random_stealing>() : nullptr;
          }};
}

}  // namespace jackdaw::sched
