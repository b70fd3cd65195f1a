#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace jackdaw::measure {

/// A new file beside the one that it is to become: that one stays as it is until keep(), and without keep() for good.
class replacement {
 public:
  /// Throws error if it cannot be made.
  explicit replacement(std::filesystem::path target);
  ~replacement();
  replacement(const replacement&) = delete;
  replacement& operator=(const replacement&) = delete;

  void write(std::string_view text);
  void keep();

 private:
  [[noreturn]] void fail() const;

  std::filesystem::path target_;
  std::string name_;
  int descriptor_ = -1;
};

/// Whether a file can be replaced, or made, there, before there is anything to write: the absolute path. Throws
/// jackdaw::error that names `where` the path was given.
std::filesystem::path check_replaceable(const std::filesystem::path& file, std::string_view where);

}  // namespace jackdaw::measure
