#include "runtime/checks.hpp"

#include <dlfcn.h>

#include <string_view>

#include "base/environment.hpp"
#include "jackdaw/error.hpp"

namespace jackdaw::detail {

void find_checks() {
  const char* const variable = from_environment("JACKDAW_CHECKS");
  const std::string_view wanted = variable != nullptr ? variable : "abort";
  if (wanted != "abort" && wanted != "report") {
    throw error("JACKDAW_CHECKS: '" + shown(wanted) + "', expected abort or report");
  }
  const auto* const found = static_cast<const checks::hooks*>(dlsym(RTLD_DEFAULT, checks::hooks_name));
  if (found == nullptr && variable != nullptr) {
    throw error(
        "JACKDAW_CHECKS: '" + shown(wanted) +
        "', but libjackdaw-checks.so is not in the program; expected LD_PRELOAD=libjackdaw-checks.so beside it");
  }
  if (found != nullptr) {
    found->begin(wanted == "abort");
    known_checks.store(found, std::memory_order_relaxed);
  }
}

}  // namespace jackdaw::detail
