#include "numa/pinned_touch.hpp"

#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <climits>
#include <new>
#include <system_error>
#include <thread>

#include "jackdaw/memory/page_locations.hpp"

namespace jackdaw::numa {

bool pin_this_thread(const std::vector<unsigned>& os_cpus) {
  if (os_cpus.empty()) return false;
  // Has room for any CPU number that the kernel may use; a cpu_set_t ends at 1024.
  constexpr unsigned bits = CHAR_BIT * sizeof(unsigned long);
  std::vector<unsigned long> mask(*std::max_element(os_cpus.begin(), os_cpus.end()) / bits + 1);
  for (const unsigned cpu : os_cpus) mask[cpu / bits] |= 1UL << cpu % bits;
  return pthread_setaffinity_np(pthread_self(), mask.size() * sizeof(unsigned long),
                                reinterpret_cast<cpu_set_t*>(mask.data())) == 0;
}

void touch(std::byte* first, std::byte* last) noexcept {
  const std::size_t page = base_page_size();
  for (std::byte* at = first; at < last; at += page) *static_cast<volatile std::byte*>(at) = std::byte{0};
}

bool on_cpus(const std::vector<unsigned>& os_cpus, const std::function<void()>& f) {
  bool done = false;
  try {
    std::thread([&] {
      try {
        done = pin_this_thread(os_cpus);
      } catch (const std::bad_alloc&) {
        return;  // without pinning its touches would be useless
      }
      if (done) f();
    }).join();
  } catch (const std::system_error&) {
    return false;  // the system starts no more threads
  }
  return done;
}

bool touch_pinned(std::byte* data, const planned_piece& piece, std::size_t page, const memory_view& view) {
  const std::size_t turns = piece.nodes.size();
  std::vector<char> reached(turns, 0);
  const auto touch_turn = [&](std::size_t turn) {
    const auto pages = [&] {
      const std::size_t stride = turns == 1 ? piece.bytes : page;
      for (std::size_t at = turn * stride; at < piece.bytes; at += turns * stride) {
        std::byte* const first = data + piece.offset + at;
        touch(first, first + std::min(stride, piece.bytes - at));
      }
    };
    const node_view& node = view.node(piece.nodes[turn]);
    reached[turn] = static_cast<char>(on_cpus(node.cpus, pages));
    // Memory near the node is better than memory wherever the first loop happens to touch it.
    if (reached[turn] == 0) on_cpus(node.nearby, pages);
  };
  for (std::size_t turn = 0; turn < turns; ++turn) touch_turn(turn);
  return std::all_of(reached.begin(), reached.end(), [](char each) { return each != 0; });
}

}  // namespace jackdaw::numa
