#include "runtime/checks.hpp"

#include <dlfcn.h>

#include <string>
#include <string_view>

#include "base/environment.hpp"
#include "jackdaw/error.hpp"

namespace jackdaw::detail {

void find_checks() {
  const auto* const found = static_cast<const checks::hooks*>(dlsym(RTLD_DEFAULT, checks::hooks_name));
  const bool aborts = read_variable("JACKDAW_CHECKS", true, [found](std::string_view text, const char* name) {
    if (text != "abort" && text != "report") {
      throw error(std::string(name) + ": '" + shown(text) + "', expected abort or report");
    }
    if (found == nullptr) {
      throw error(
          std::string(name) + ": '" + shown(text) +
          "', but libjackdaw-checks.so is not in the program; expected LD_PRELOAD=libjackdaw-checks.so beside it");
    }
    return text == "abort";
  });
  if (found != nullptr) {
    found->begin(aborts);
    known_checks.store(found, std::memory_order_relaxed);
  }
}

}  // namespace jackdaw::detail
