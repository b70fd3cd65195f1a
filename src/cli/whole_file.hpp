#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/replacement.hpp"

namespace jackdaw::cli {

/// Checks that a command may write to `path`, before it does the work. Throws error, which names `where`, the place
/// that gave the path, when there is a file of that name and `replace` is false, or its folder is not writable. Pipes
/// and devices lose nothing. Returns the absolute path with links followed.
std::filesystem::path check_output(const std::filesystem::path& path, bool replace, std::string_view where);

/// A file that a command writes as a whole or not at all.
class whole_file {
 public:
  /// As check_output.
  whole_file(std::string path, bool replace, std::string_view where);

  /// Throws error when the file was created meanwhile and may not be replaced, or when writing fails.
  void write(std::string_view text);

 private:
  std::string path_, where_;
  bool replace_;
  detail::replacement made_;
};

}  // namespace jackdaw::cli
