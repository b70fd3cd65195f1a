#include "text.hpp"

#include <algorithm>

namespace jackdaw::cilk {

void text::replace(unsigned begin, unsigned end, writer with) {
  edits_.push_back({begin, end, static_cast<unsigned>(edits_.size()), std::move(with)});
}

void text::sort() {
  // Insertions stand before what is replaced at the same place; of two replacements the longer one contains the other.
  std::stable_sort(edits_.begin(), edits_.end(), [](const edit& a, const edit& b) {
    if (a.begin != b.begin) return a.begin < b.begin;
    if ((a.begin == a.end) != (b.begin == b.end)) return a.begin == a.end;
    if (a.end != b.end) return a.end > b.end;
    return a.order < b.order;
  });
}

std::string text::render(unsigned begin, unsigned end, bool whole) const {
  std::string result;
  unsigned at = begin;
  for (auto each = std::lower_bound(edits_.begin(), edits_.end(), begin,
                                    [](const edit& e, unsigned place) { return e.begin < place; });
       each != edits_.end() && each->begin <= end; ++each) {
    if (each->end > end || each->begin < at) continue;
    if (!whole && each->begin == begin && each->end == end && begin != end) continue;  // who asks
    // Insertions at the ends belong to what is around.
    if (each->begin == each->end && begin != end &&
        ((each->begin == begin && begin != 0) || (each->begin == end && end != size())))
      continue;
    result.append(source_, at, each->begin - at);
    result += each->with();
    at = each->end;
  }
  return result.append(source_, at, end - at);
}

unsigned text::line(unsigned offset) const {
  return 1 + static_cast<unsigned>(std::count(source_.begin(), source_.begin() + offset, '\n'));
}

std::string with_lines_of(std::string after, std::string_view before) {
  const auto wanted = std::count(before.begin(), before.end(), '\n');
  const auto there = std::count(after.begin(), after.end(), '\n');
  if (there < wanted) after.append(static_cast<std::size_t>(wanted - there), '\n');
  return after;
}

}  // namespace jackdaw::cilk
