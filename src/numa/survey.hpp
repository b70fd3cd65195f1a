#pragma once

#include <vector>

#include "jackdaw/machine.hpp"

namespace jackdaw::numa {

/// What this process may do about memory nodes, found by trying. Codes are errnos; 0: it works.
struct memory_survey {
  int move = 0;                             ///< moving a page (move_pages)
  int query = 0;                            ///< asking for a page's node, by move_pages or otherwise
  int bind = 0;                             ///< mbind
  int weighted = 0;                         ///< mbind with the kernel's weights
  std::vector<unsigned> bindable = {};      ///< nodes that memory can be put on by mbind
  std::vector<unsigned> touchable = {};     ///< nodes that memory can be put on by touching it from a pinned thread
  std::vector<unsigned> out_of_reach = {};  ///< nodes that can be used by neither
};

/// Tries everything on one page, on the nodes of `where` if they are this computer's. Changes nothing permanently.
memory_survey survey_memory(const machine& where);

}  // namespace jackdaw::numa
