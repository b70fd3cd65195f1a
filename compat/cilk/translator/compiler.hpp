#pragma once

#include <string>
#include <vector>

#include "translation.hpp"

namespace jackdaw::cilk {

/// $CXX, and what it is called with.
struct compiler {
  bool only_objects = false;
  std::string output;
  std::vector<std::string> options, parsed, link;

  /// The folder with cilk/cilk.h: beside an installed program, or in the source tree.
  static std::string includes();
  /// The folder with jackdaw/jackdaw.hpp.
  static std::string jackdaw_includes();
  /// Returns the exit status.
  int compile(const std::vector<job>& jobs, const std::vector<std::string>& texts) const;
};

}  // namespace jackdaw::cilk
