#include "gomp/places.hpp"

#include <pthread.h>
#include <sched.h>

#include <algorithm>

#include "gomp/settings.hpp"

namespace jackdaw::gomp {
namespace {

/// Processors' numbers that an affinity mask has room for.
constexpr unsigned most_processors = 8192;
using mask = std::vector<unsigned long>;
constexpr unsigned bits = 8 * sizeof(unsigned long);

}  // namespace

std::vector<unsigned> usable_processors() {
  mask usable(most_processors / bits, 0);
  std::vector<unsigned> found;
  if (sched_getaffinity(0, usable.size() * sizeof(unsigned long), reinterpret_cast<cpu_set_t*>(usable.data())) == 0) {
    for (unsigned i = 0; i < most_processors; ++i) {
      if ((usable[i / bits] >> (i % bits) & 1) != 0) found.push_back(i);
    }
  }
  if (found.empty()) found.push_back(0);
  return found;
}

void bind_to_place(int place) noexcept {
  const settings& set = settings::of_process();
  mask wanted(most_processors / bits, 0);
  for (std::size_t i = 0; i < set.places.size(); ++i) {
    if (place >= 0 && i != static_cast<std::size_t>(place)) continue;
    for (const unsigned each : set.places[i]) wanted[each / bits] |= 1ul << (each % bits);
  }
  // If it is refused the thread stays where it is: a wish.
  sched_setaffinity(0, wanted.size() * sizeof(unsigned long), reinterpret_cast<cpu_set_t*>(wanted.data()));
}

void leave_processor(int which) noexcept {
  unsigned long usable[most_processors / bits] = {}, others[most_processors / bits] = {};
  auto* const mask_of = reinterpret_cast<cpu_set_t*>(usable);
  if (which < 0 || static_cast<unsigned>(which) >= most_processors ||
      sched_getaffinity(0, sizeof usable, mask_of) != 0) {
    return;
  }
  bool any = false;
  for (unsigned i = 0; i < most_processors / bits; ++i) {
    others[i] =
        usable[i] & ~(i == static_cast<unsigned>(which) / bits ? 1ul << (static_cast<unsigned>(which) % bits) : 0);
    any = any || others[i] != 0;
  }
  if (any && sched_setaffinity(0, sizeof others, reinterpret_cast<cpu_set_t*>(others)) == 0) {
    sched_setaffinity(0, sizeof usable, mask_of);
  }
}

std::size_t system_stack_size() noexcept {
  pthread_attr_t usual;
  std::size_t size = std::size_t{8} << 20;
  if (pthread_getattr_default_np(&usual) == 0) {
    pthread_attr_getstacksize(&usual, &size);
    pthread_attr_destroy(&usual);
  }
  return size;
}

void place_members(member& self, team& in, unsigned wanted) noexcept {
  const settings& set = settings::of_process();
  const auto places = static_cast<int>(set.places.size());
  binding how = set.binding_at(in.level - 1);
  if (places == 0 || how == binding::off) {
    for (unsigned i = 0; i < in.size; ++i) in.members[i].place = -1;
    return;
  }
  if (wanted != 0) how = static_cast<binding>(wanted);
  if (self.place < 0) {  // a thread from outside begins in the first place
    self.place = 0;
    bind_to_place(0);
  }
  const unsigned n = in.size;
  for (unsigned i = 0; i < n; ++i) {
    int at = self.place;
    if (how == binding::close || how == binding::on) {
      // One after another; where there are more members than places, neighbours share one.
      const unsigned away = n <= static_cast<unsigned>(places) ? i : i * static_cast<unsigned>(places) / n;
      at = (self.place + static_cast<int>(away)) % places;
    } else if (how == binding::spread) {
      at = (self.place + static_cast<int>(std::uint64_t{i} * static_cast<unsigned>(places) / n)) % places;
    }
    in.members[i].place = at;
  }
}

}  // namespace jackdaw::gomp
