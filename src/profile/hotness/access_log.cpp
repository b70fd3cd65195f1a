#include "profile/hotness/access_log.hpp"

#include <algorithm>
#include <tuple>

namespace jackdaw::profile {

void access_log::add(const entry& more) {
  ++added_;
  // A leaf that runs again repeats its declarations.
  if (!entries_.empty() && entries_.back().begin == more.begin && entries_.back().end == more.end &&
      entries_.back().write == more.write) {
    entries_.back().lines += more.lines;
    return;
  }
  if (entries_.size() == most_) compact();
  entries_.push_back(more);
}

void access_log::compact() {
  std::sort(entries_.begin(), entries_.end(), [](const entry& a, const entry& b) {
    return std::tuple(a.write, a.begin, a.end) < std::tuple(b.write, b.begin, b.end);
  });
  const auto merge = [&](auto&& belong_together) {
    std::size_t kept = 0;
    for (std::size_t i = 1; i < entries_.size(); ++i) {
      entry& into = entries_[kept];
      if (into.write == entries_[i].write && belong_together(into, entries_[i])) {
        into.end = std::max(into.end, entries_[i].end);
        into.lines += entries_[i].lines;
      } else {
        entries_[++kept] = entries_[i];
      }
    }
    entries_.resize(kept + 1);
  };
  merge([](const entry& a, const entry& b) { return a.begin == b.begin && a.end == b.end; });
  for (unsigned bits = 12; entries_.size() > most_ / 2; bits += 2) {
    merge([bits](const entry& a, const entry& b) { return bits >= 64 || a.begin >> bits == (b.end - 1) >> bits; });
  }
}

}  // namespace jackdaw::profile
