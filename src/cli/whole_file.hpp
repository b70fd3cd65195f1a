#pragma once

#include <string>
#include <string_view>

#include "base/replacement.hpp"

namespace jackdaw::cli {

/// A file that a command writes as a whole or not at all.
class whole_file {
 public:
  /// Checks that `path` can be written, before the command does the work for its text. Throws error, which names
  /// `where`, the place that gave the path, when the file exists and `replace` is false, or its folder is not writable.
  whole_file(std::string path, bool replace, std::string_view where);

  /// Throws error when the file was created meanwhile and may not be replaced, or when writing fails.
  void write(std::string_view text);

 private:
  std::string path_, where_;
  bool replace_;
  detail::replacement made_;
};

}  // namespace jackdaw::cli
