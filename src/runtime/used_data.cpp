#include "runtime/used_data.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "jackdaw/memory/page_locations.hpp"
#include "numa/locate.hpp"
#include "numa/memory_names.hpp"
#include "numa/placed_registry.hpp"
#include "trace/in_order.hpp"

namespace jackdaw::detail {
namespace {

using store::execution;

std::uint64_t rounded(double amount) noexcept { return static_cast<std::uint64_t>(std::llround(amount)); }

constexpr std::size_t most_parts = 256;       // of an array
constexpr std::size_t pages_of_array = 1024;  // of an array
constexpr std::uint64_t least_anonymous = std::uint64_t{1} << 20;
constexpr std::size_t most_anonymous = 8;
constexpr std::int64_t not_known = -2;

std::size_t parts_of(const data_array& array) noexcept {
  return static_cast<std::size_t>(std::clamp<std::uint64_t>(array.bytes() / 64, 1, most_parts));
}
std::uintptr_t begin_of(const data_array& array, std::size_t part) noexcept {
  const std::uint64_t parts = parts_of(array);
  return array.begin + array.bytes() / parts * part + array.bytes() % parts * part / parts;
}

std::uintptr_t end_of(const data_array& array, std::size_t part) noexcept {
  return part + 1 < parts_of(array) ? begin_of(array, part + 1) : array.end;
}
/// The part that an address of the array is in.
std::size_t part_at(const data_array& array, std::uintptr_t at) noexcept {
  const std::size_t parts = parts_of(array);
  const auto guess = static_cast<double>(at - array.begin) / static_cast<double>(array.bytes());
  std::size_t part = std::min(parts - 1, static_cast<std::size_t>(guess * static_cast<double>(parts)));
  while (part > 0 && begin_of(array, part) > at) --part;
  while (part + 1 < parts && begin_of(array, part + 1) <= at) ++part;
  return part;
}

const char* name_of(data_array::source from) noexcept {
  return from == data_array::source::placed      ? "placed"
         : from == data_array::source::anonymous ? "anonymous"
                                                 : "declared";
}

/// The first of disjoint, ascending ranges that ends after `at`.
template <class Range>
typename std::vector<Range>::const_iterator first_beyond(const std::vector<Range>& all, std::uintptr_t at) {
  return std::partition_point(all.begin(), all.end(), [&](const Range& each) { return each.end <= at; });
}

/// The placed containers' memory, and whether the program has said on which nodes it is.
struct placed_now {
  std::vector<numa::named_range> ranges;
  std::vector<bool> by_program;
};
placed_now placed_memory_now() {
  const numa::held_now held = numa::all_held();
  placed_now found;
  for (const numa::held_range& each : held.ranges) {
    const auto begin = reinterpret_cast<std::uintptr_t>(each.data);
    found.ranges.push_back({begin, begin + each.bytes, {}});
    found.by_program.push_back(each.placed);
  }
  return found;
}

}  // namespace

std::int64_t used_data::node_of(int os_index) const noexcept {
  for (const machine::node& each : where_.nodes) {
    if (static_cast<int>(each.os_index) == os_index) return each.index;
  }
  return 0;  // of a node that has come since
}

/// On a machine that is only described, memory counts as being where a first touch would have put it there.
std::int64_t used_data::assumed_node(std::size_t part) const noexcept {
  const std::int64_t by = parts_[part].by;
  return by >= 0 ? std::int64_t{places_[static_cast<std::size_t>(by)].numa_node} : 0;
}

/// Finds for each part of an array who touched it first: the first worker that declared a write where no memory was;
/// where memory was already, what the census knows.
void used_data::find_toucher(const data_array& array, const users& by, const numa::census& seen,
                             const std::vector<std::int64_t>& touched_by) {
  const std::size_t parts = parts_of(array);
  parts_.assign(parts, {});
  for (const use_of* each : by) {
    const range_use& use = each->what;
    if (use.first_write == 0 || use.fresh * 2 < use.end - use.begin) continue;
    const std::uintptr_t begin = std::max(use.begin, array.begin), end = std::min(use.end, array.end);
    for (std::size_t part = part_at(array, begin); part <= part_at(array, end - 1); ++part) {
      // A part belongs to the one that touches its middle, or has most of it to itself.
      const std::uintptr_t middle = begin_of(array, part) + array.bytes() / parts / 2;
      if (parts > 1 && (middle < begin || middle >= end)) continue;
      if (parts_[part].at == 0 || use.first_write < parts_[part].at) {
        parts_[part] = {each->worker, use.first_write};
      }
    }
  }
  for (const numa::census::piece& piece : seen.pieces(array.begin, array.end)) {
    const std::uintptr_t begin = std::max(piece.begin, array.begin),
                         end = std::min(piece.begin + piece.bytes, array.end);
    for (std::size_t part = part_at(array, begin); part <= part_at(array, end - 1); ++part) {
      if (parts_[part].at == 0 && parts_[part].by == not_known) parts_[part].by = touched_by[piece.since];
    }
  }
}

void used_data::write_touch(execution::array& row, const data_array& array) const {
  std::map<std::int64_t, std::uint64_t> bytes;
  for (std::size_t part = 0; part < parts_.size(); ++part) {
    bytes[parts_[part].by] += end_of(array, part) - begin_of(array, part);
  }
  bytes.erase(not_known);
  const auto most =
      std::max_element(bytes.begin(), bytes.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  if (most == bytes.end()) return;
  row.first_touched_by = most->first;
  row.first_touched_bytes = static_cast<std::int64_t>(most->second);
}

void used_data::write_uses(run_rows& into, std::int64_t number, const data_array& array, const users& by) {
  const std::size_t parts = parts_of(array);
  std::map<std::pair<std::uint32_t, std::int64_t>, std::uint64_t> traffic;            // by worker and node
  std::map<std::pair<std::size_t, std::uint32_t>, std::pair<double, double>> shares;  // by part and worker
  used_here_.assign(where_.nodes.size(), 0);
  for (const use_of* each : by) {
    const range_use& use = each->what;
    const std::uintptr_t begin = std::max(use.begin, array.begin), end = std::min(use.end, array.end);
    const auto length = static_cast<double>(use.end - use.begin);
    const bool inside = begin == use.begin && end == use.end;
    const double here = static_cast<double>(end - begin) / length;
    const std::int64_t home = places_[each->worker].numa_node;
    for (std::size_t part = part_at(array, begin); part < parts && begin_of(array, part) < end; ++part) {
      const std::uintptr_t from = std::max(begin, begin_of(array, part)), to = std::min(end, end_of(array, part));
      if (from >= to) continue;
      const double of = static_cast<double>(to - from) / length;
      const double all = of * static_cast<double>(use.read + use.written);
      auto& [bytes, written] = shares[{part, each->worker}];
      bytes += all;
      written += of * static_cast<double>(use.written);
      if (where_.bindable()) continue;
      const std::int64_t node = assumed_node(part);
      traffic[{each->worker, node}] += rounded(all);
      used_here_[static_cast<std::size_t>(node)] += rounded(all);
    }
    if (!where_.bindable()) continue;
    for (const auto& [os_index, bytes] : use.on) {
      // What was not there yet, the worker was about to touch.
      const std::int64_t node = os_index >= 0 ? node_of(os_index) : home;
      const std::uint64_t part = inside ? bytes : rounded(static_cast<double>(bytes) * here);
      traffic[{each->worker, node}] += part;
      used_here_[static_cast<std::size_t>(node)] += part;
    }
  }
  for (const auto& [who, bytes] : traffic) {
    if (bytes != 0) into.traffics.push_back({number, who.first, who.second, static_cast<std::int64_t>(bytes)});
  }
  for (const auto& [who, bytes] : shares) {
    if (bytes.first < 0.5) continue;
    into.shares.push_back({number, static_cast<std::int64_t>(who.first), static_cast<std::int64_t>(parts), who.second,
                           std::llround(bytes.first), std::llround(bytes.second)});
  }
}

/// Asks for a sample of the array's pages. If they are gone, the last census and then the declared accesses say where
/// they were.
void used_data::write_places(run_rows& into, std::int64_t number, const data_array& array,
                             const numa::census& seen) const {
  std::vector<std::uint64_t> on(where_.nodes.size());
  const bool is_there = array.from != data_array::source::ended;
  if (where_.bindable()) {
    // An array may be as large as the address space, if the program declares so.
    const std::size_t page = base_page_size(), first = array.begin / page;
    const std::size_t pages = (array.end + page - 1) / page - first;
    const std::size_t looks = is_there ? std::min(pages, pages_of_array) : 0;
    std::vector<void*> asked;
    for (std::size_t i = 0; i < looks; ++i) {
      const std::size_t at = first + pages / looks * i + pages % looks * i / looks;
      asked.push_back(reinterpret_cast<void*>(at * page));  // NOLINT(performance-no-int-to-ptr): the kernel's address
    }
    int refusal = 0;
    std::uint64_t found = 0;
    for (const int node : numa::nodes_of(*kernel_, asked, refusal)) {
      if (node < 0) continue;
      on[static_cast<std::size_t>(node_of(node))] += array.bytes() / looks;
      ++found;
    }
    for (const numa::census::piece& each : seen.pieces(array.begin, array.end)) {
      if (found != 0) break;
      on[static_cast<std::size_t>(node_of(each.node))] +=
          std::min(each.begin + each.bytes, array.end) - std::max(each.begin, array.begin);
    }
  } else {
    for (std::size_t part = 0; part < parts_.size(); ++part) {
      on[static_cast<std::size_t>(assumed_node(part))] += end_of(array, part) - begin_of(array, part);
    }
  }
  const auto some = [](std::uint64_t bytes) { return bytes != 0; };
  if (std::none_of(on.begin(), on.end(), some)) {
    std::uint64_t sum = 0;
    for (const std::uint64_t each : used_here_) sum += each;
    for (std::size_t node = 0; sum != 0 && node < on.size(); ++node) {
      on[node] = static_cast<std::uint64_t>(static_cast<double>(array.bytes()) * static_cast<double>(used_here_[node]) /
                                            static_cast<double>(sum));
    }
  }
  for (std::size_t node = 0; node < on.size(); ++node) {
    if (on[node] != 0) {
      into.places.push_back({number, static_cast<std::int64_t>(node), static_cast<std::int64_t>(on[node])});
    }
  }
}

/// The largest mappings of which no task has declared or named a part.
void used_data::write_anonymous(run_rows& into, const std::vector<data_array>& known, const numa::census& seen,
                                const std::vector<std::int64_t>& touched_by) const {
  struct found {
    std::uint64_t bytes = 0;
    std::map<std::int64_t, std::uint64_t> nodes, touchers;
  };
  std::vector<found> all;
  std::uintptr_t end = 0;
  for (const numa::census::piece& each : seen.pieces()) {
    const auto array = first_beyond(known, each.begin);
    if (array != known.end() && array->begin < each.begin + each.bytes) continue;
    if (all.empty() || each.begin != end) all.emplace_back();
    end = each.begin + each.bytes;
    all.back().bytes += each.bytes;
    all.back().nodes[where_.bindable() ? node_of(each.node) : 0] += each.bytes;
    all.back().touchers[touched_by[each.since]] += each.bytes;
  }
  std::erase_if(all, [](const found& each) { return each.bytes < least_anonymous; });
  all = trace::in_order(std::move(all), [](const found& a, const found& b) { return a.bytes > b.bytes; });
  if (all.size() > most_anonymous) all.resize(most_anonymous);
  for (found& each : all) {
    const auto number = static_cast<std::int64_t>(into.arrays.size());
    execution::array row{"",
                         0,
                         name_of(data_array::source::anonymous),
                         static_cast<std::int64_t>(each.bytes),
                         execution::no_number,
                         execution::no_number};
    each.touchers.erase(not_known);
    for (const auto& [by, bytes] : each.touchers) {
      if (static_cast<std::int64_t>(bytes) <= row.first_touched_bytes) continue;
      row.first_touched_by = by;
      row.first_touched_bytes = static_cast<std::int64_t>(bytes);
    }
    into.arrays.push_back(row);
    for (const auto& [node, bytes] : each.nodes)
      into.places.push_back({number, node, static_cast<std::int64_t>(bytes)});
  }
}

void used_data::write_array(run_rows& into, const data_array& array, const users& by, const numa::census& seen,
                            const std::vector<std::int64_t>& touched_by, bool by_program) {
  const auto number = static_cast<std::int64_t>(into.arrays.size());
  find_toucher(array, by, seen, touched_by);
  execution::array row{into.text(array.name), array.site,
                       name_of(array.from),   static_cast<std::int64_t>(array.bytes()),
                       execution::no_number,  execution::no_number};
  if (!by_program) write_touch(row, array);  // otherwise the toucher has no say in where the pages are
  into.arrays.push_back(row);
  write_uses(into, number, array, by);
  write_places(into, number, array, seen);
}

/// What was declared of memory under names that have ended: whatever is there now is something else. Memories of one
/// name and size, such as one of each iteration, are one array; `uses_` has each's uses at the place of its own.
void used_data::write_ended(run_rows& into, const numa::census& seen, const std::vector<std::int64_t>& touched_by) {
  std::map<std::pair<std::string_view, std::uint64_t>, std::pair<numa::naming, std::vector<use_of*>>> arrays;
  for (use_of& each : uses_) {
    if (each.what.ended == nullptr) continue;
    const numa::timed_name& was = *each.what.ended;
    auto& [last, by] = arrays[{was.name, was.end - was.begin}];
    if (last == nullptr || was.given > last->given) last = each.what.ended;
    by.push_back(&each);
  }
  const numa::census nothing(*kernel_);
  for (const auto& [what, array] : arrays) {
    const auto& [last, of] = array;
    users by;
    for (use_of* const each : of) {
      const std::uintptr_t moved = last->begin - each->what.ended->begin;
      each->what.begin += moved;
      each->what.end += moved;
      by.push_back(each);
    }
    write_array(into, {last->begin, last->end, last->name, by.front()->what.site, data_array::source::ended}, by,
                seen.saw(*last) ? seen : nothing, touched_by, last->placed.load(std::memory_order_relaxed));
  }
}

void used_data::write(run_rows& into, const numa::census& seen, const std::vector<std::int64_t>& touched_by) {
  const placed_now placed = placed_memory_now();
  std::vector<range_use> ranges;
  ranges.reserve(uses_.size());
  for (const use_of& each : uses_) {
    if (each.what.ended == nullptr) ranges.push_back(each.what);
  }
  const std::vector<data_array> arrays = find_arrays(ranges, numa::named_ranges(), placed.ranges);

  std::vector<users> all(arrays.size());
  for (const use_of& each : uses_) {
    if (each.what.ended != nullptr) continue;
    for (auto at = first_beyond(arrays, each.what.begin); at != arrays.end() && at->begin < each.what.end; ++at) {
      all[static_cast<std::size_t>(at - arrays.begin())].push_back(&each);
    }
  }
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    const data_array& array = arrays[i];
    bool by_program = false;
    for (auto at = first_beyond(placed.ranges, array.begin); at != placed.ranges.end() && at->begin < array.end; ++at) {
      by_program |= placed.by_program[static_cast<std::size_t>(at - placed.ranges.begin())];
    }
    write_array(into, array, all[i], seen, touched_by, by_program);
  }
  write_ended(into, seen, touched_by);
  write_anonymous(into, arrays, seen, touched_by);
}

}  // namespace jackdaw::detail
