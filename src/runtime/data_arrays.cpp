#include "runtime/data_arrays.hpp"
#include "trace/in_order.hpp"

#include <algorithm>
#include <utility>

namespace jackdaw::detail {
namespace {

/// So many runs at equal distances are the rows of a matrix; a few arrays may lie so by chance.
constexpr std::size_t fewest_rows = 8;

bool before(const data_array& a, const data_array& b) noexcept { return a.begin < b.begin; }

/// The first of these disjoint, ascending arrays that has some of this memory; the end of the list if none has.
std::vector<data_array>::iterator first_overlap(std::vector<data_array>& in, std::uintptr_t begin, std::uintptr_t end) {
  const auto at = std::partition_point(in.begin(), in.end(), [&](const data_array& each) { return each.end <= begin; });
  return at != in.end() && at->begin < end ? at : in.end();
}

void join(data_array& into, const data_array& next) {
  into.end = std::max(into.end, next.end);
  if (into.site == 0) into.site = next.site;
}

/// Takes those together that are at most `gap` apart. They ascend.
void join_near(std::vector<data_array>& runs, std::uintptr_t gap) {
  std::vector<data_array> joined;
  for (data_array& each : runs) {
    if (!joined.empty() && each.begin <= joined.back().end + gap) {
      join(joined.back(), each);
    } else {
      joined.push_back(std::move(each));
    }
  }
  runs = std::move(joined);
}

void join_rows(std::vector<data_array>& runs) {
  std::vector<data_array> joined;
  for (std::size_t i = 0; i < runs.size();) {
    std::size_t beyond = i + 1;
    if (beyond < runs.size()) {
      const std::uintptr_t stride = runs[beyond].begin - runs[i].begin;
      const bool dense = runs[beyond].begin - runs[i].end <= stride / 2;
      while (dense && beyond < runs.size() && runs[beyond].begin - runs[beyond - 1].begin == stride) ++beyond;
    }
    if (beyond - i < fewest_rows) beyond = i + 1;
    joined.push_back(runs[i]);
    for (++i; i < beyond; ++i) join(joined.back(), runs[i]);
  }
  runs = std::move(joined);
}

}  // namespace

std::vector<data_array> find_arrays(const std::vector<range_use>& uses, const std::vector<numa::named_range>& named,
                                    const std::vector<numa::named_range>& placed, std::size_t most) {
  std::vector<data_array> known;
  for (const numa::named_range& each : named) known.push_back({each.begin, each.end, each.name});
  std::vector<data_array> unnamed;
  for (const numa::named_range& each : placed) {
    auto at = first_overlap(known, each.begin, each.end);
    if (at == known.end()) unnamed.push_back({each.begin, each.end, {}, 0, data_array::source::placed});
    for (; at != known.end() && at->begin < each.end; ++at) at->from = data_array::source::placed;
  }
  known.insert(known.end(), unnamed.begin(), unnamed.end());
  std::sort(known.begin(), known.end(), before);

  std::vector<data_array> runs;
  for (const range_use& each : uses) {
    if (const auto at = first_overlap(known, each.begin, each.end); at != known.end()) {
      if (at->site == 0) at->site = each.site;
    } else {
      runs.push_back({each.begin, each.end, {}, each.site});
    }
  }
  runs = trace::in_order(std::move(runs), before);
  join_near(runs, 0);
  join_rows(runs);
  for (std::uintptr_t gap = 64; runs.size() > most && gap < std::uintptr_t{1} << 47; gap *= 4) join_near(runs, gap);

  // A run that was joined over a gap may hold a named array. The named one keeps its bytes.
  std::vector<data_array> pieces;
  for (data_array& run : runs) {
    for (auto at = first_overlap(known, run.begin, run.end); at != known.end() && at->begin < run.end; ++at) {
      if (run.begin < at->begin) pieces.push_back({run.begin, at->begin, {}, run.site});
      run.begin = at->end;
    }
    if (run.begin < run.end) pieces.push_back(run);
  }
  known.insert(known.end(), pieces.begin(), pieces.end());
  std::sort(known.begin(), known.end(), before);
  return known;
}

}  // namespace jackdaw::detail
