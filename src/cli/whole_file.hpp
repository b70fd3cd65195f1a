#pragma once

#include <string>
#include <string_view>

#include "base/replacement.hpp"

namespace jackdaw::cli {

/// A file that a command is to write, whole or not at all.
class whole_file {
 public:
  /// Makes sure that `path` can be written, before the work that its text takes. Throws error, which names `where` the
  /// path was given, when there is such a file and not `replace`, or its folder cannot be written to.
  whole_file(std::string path, bool replace, std::string_view where);

  /// Throws error when a file has appeared meanwhile and may not be replaced, or writing fails.
  void write(std::string_view text);

 private:
  std::string path_, where_;
  bool replace_;
  detail::replacement made_;
};

}  // namespace jackdaw::cli
