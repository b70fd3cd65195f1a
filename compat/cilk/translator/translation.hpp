#pragma once

#include <string>
#include <vector>

#include "scanner.hpp"

namespace jackdaw::cilk {

struct job {
  std::string file;  ///< as the user names it
  bool cplusplus = false;
  dialect spoken = dialect::opencilk;
  bool elide = false;
  std::vector<std::string> flags;  ///< -I, -D, -std ...
  std::string includes;            ///< the folder with cilk/cilk.h
  std::string jackdaw;             ///< the folder with jackdaw/jackdaw.hpp
};

/// Thrown when clang has complained, on stderr.
struct not_compiled {};

/// The translation of one file. Throws refusal or not_compiled.
std::string translate(const job& what);

}  // namespace jackdaw::cilk
