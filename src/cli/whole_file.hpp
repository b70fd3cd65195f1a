#pragma once

#include <string>
#include <string_view>

namespace jackdaw::cli {

/// A file that is written whole or not at all: its text goes into a file beside it first, which then takes its name.
class whole_file {
 public:
  /// Makes sure that `path` can be written, before the work that its text takes. Throws error, which names `where` the
  /// path was given, when there is such a file and not `replace`, or its folder cannot be written to.
  whole_file(std::string path, bool replace, std::string_view where);
  whole_file(const whole_file&) = delete;
  whole_file& operator=(const whole_file&) = delete;
  /// Leaves nothing behind when nothing was written.
  ~whole_file();

  /// Throws error when a file has appeared meanwhile and may not be replaced, std::runtime_error when writing fails.
  void write(std::string_view text);

 private:
  std::string path_, temporary_, where_;
  bool replace_;
  int file_ = -1;
};

}  // namespace jackdaw::cli
