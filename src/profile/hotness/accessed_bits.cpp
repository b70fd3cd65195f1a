#include "profile/hotness/accessed_bits.hpp"

#include <algorithm>

#include "profile/hotness/smaps.hpp"

namespace jackdaw::profile {

int accessed_bits::add(std::vector<page> more) {
  for (std::size_t i = 0; i < more.size(); ++i) {
    int code = kernel_->set_apart(more[i].at, more[i].bytes, true);
    if (code == 0) code = kernel_->forget(more[i].at, more[i].bytes);
    if (code == 0) continue;
    for (std::size_t undone = 0; undone <= i; ++undone) {
      kernel_->set_apart(more[undone].at, more[undone].bytes, false);
    }
    return code;
  }
  pages_.insert(pages_.end(), more.begin(), more.end());
  std::sort(pages_.begin(), pages_.end(), [](const page& a, const page& b) { return a.at < b.at; });
  return 0;
}

int accessed_bits::look() {
  found_.clear();
  if (const int code = kernel_->mappings(text_)) return code;
  smaps_reader reader(text_);
  smaps_reader::mapping at;
  bool more = reader.next(at);
  for (std::size_t i = 0; i < pages_.size(); ++i) {
    page& each = pages_[i];
    while (more && at.end <= each.at) more = reader.next(at);
    if (!more) break;
    if (at.begin > each.at || at.referenced == 0) continue;
    each.seen += std::min(1.0, static_cast<double>(at.referenced) / static_cast<double>(at.end - at.begin));
    found_.push_back(i);
  }
  return 0;
}

}  // namespace jackdaw::profile
