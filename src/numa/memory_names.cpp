#include "numa/memory_names.hpp"

#include <map>
#include <mutex>
#include <utility>

#include "base/locked_at_forks.hpp"

namespace jackdaw::numa {
namespace {

struct name_list {
  std::mutex mutex;
  std::map<std::uintptr_t, std::pair<std::uintptr_t, std::string>> all;  // the end and the name, by the begin
};

name_list& the_list() { return detail::locked_at_forks<name_list>(); }

}  // namespace

void name_range(std::uintptr_t begin, std::uintptr_t end, std::string_view name) {
  name_list& known = the_list();
  const std::lock_guard hold(known.mutex);
  auto at = known.all.upper_bound(begin);
  if (at != known.all.begin() && std::prev(at)->second.first > begin) --at;
  while (at != known.all.end() && at->first < end) at = known.all.erase(at);
  if (!name.empty()) known.all.emplace(begin, std::pair(end, std::string(name)));
}

std::vector<named_range> named_ranges() {
  name_list& known = the_list();
  const std::lock_guard hold(known.mutex);
  std::vector<named_range> found;
  found.reserve(known.all.size());
  for (const auto& [begin, rest] : known.all) found.push_back({begin, rest.first, rest.second});
  return found;
}

}  // namespace jackdaw::numa
