#pragma once

#include <map>
#include <string>
#include <vector>

namespace jackdaw::cilk {

enum class dialect { opencilk, cilk5 };

/// What raw tokens tell of a file before it is parsed.
struct scan {
  std::string parsed;                     ///< the file with other words of the same length for the keywords
  std::string elided;                     ///< the serial program
  std::vector<unsigned> dropped;          ///< offsets of Cilk-5's word `cilk`
  std::map<unsigned, std::string> grain;  ///< offset of a cilk_for: what `#pragma cilk grainsize` says
  std::vector<std::pair<unsigned, unsigned>> pragmas;  ///< the ranges of these lines
  std::string features;        ///< the definitions of macros such as _GNU_SOURCE, which system headers ask for
  bool in_directives = false;  ///< a macro's definition, or a condition, uses a keyword
  bool includes_own = false;   ///< #include "..."
};

/// Throws refusal, with the place as `name:line:col`.
scan scan_file(const std::string& text, dialect spoken, bool cplusplus, const std::string& name);

/// Defines the words of scan::parsed for clang.
extern const char* const prelude;

}  // namespace jackdaw::cilk
