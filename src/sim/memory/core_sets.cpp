#include "sim/memory/core_sets.hpp"

namespace jackdaw::sim {

/// Gives a full word a row of the table, and adds a core.
void core_sets::enter_table(set& of, unsigned core) {
  if (free_.empty()) {
    free_.push_back(static_cast<std::uint32_t>(table_.size() / (1 + words_)));
    table_.resize(table_.size() + 1 + words_);
  }
  const set full = of;
  of = set{free_.back()} << width | tabled;
  free_.pop_back();
  for (unsigned at = 0; at < numbers; ++at) add(of, number(full, at) - 1);
  add(of, core);
}

/// Takes the numbers of a small set back into its word.
void core_sets::leave_table(set& of) {
  set small = 0;
  any_of(of, [&](unsigned core) {
    add_number(small, core);
    return false;
  });
  std::fill_n(row(of), 1 + words_, 0);
  free_.push_back(static_cast<std::uint32_t>(of >> width));
  of = small;
}

}  // namespace jackdaw::sim
