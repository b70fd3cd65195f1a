// In place of event_names.cpp where the library is built without libpfm4: no event has a name.
#include "profile/counters/counter_events.hpp"

namespace jackdaw::profile {
namespace {

counter_failure without_libpfm() {
  return {counter_failure::reason::other, 0, "jackdaw was built without libpfm4",
          "build jackdaw with -D JACKDAW_WITH_LIBPFM=ON (Debian: apt-get install libpfm4-dev)"};
}

}  // namespace

void keep_event_names() noexcept {}
void release_event_names() noexcept {}

std::variant<std::vector<std::string>, counter_failure> present_core_pmus() { return without_libpfm(); }

bool knows_pmu(std::string_view) { return false; }

std::variant<event_code, counter_failure> encode_event(std::string_view, std::string_view) { return without_libpfm(); }

}  // namespace jackdaw::profile
