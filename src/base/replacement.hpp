#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace jackdaw::detail {

/// A new file that is to get the name `target`: whatever has that name stays as it is until then, and for good if
/// nothing is kept. Until then it has no name, if the file system can do that: however the program ends, nothing lies
/// about. Where the name is that of a device, a pipe or a socket, that is written to.
class replacement {
 public:
  /// Throws error if it cannot be made.
  explicit replacement(std::filesystem::path target);
  ~replacement();
  replacement(const replacement&) = delete;
  replacement& operator=(const replacement&) = delete;

  /// These throw error, too. One of the last two is called, once.
  void write(std::string_view text);
  void keep();
  /// False: there is something of that name, which stays.
  [[nodiscard]] bool keep_if_new();

 private:
  [[noreturn]] void fail() const;
  void sync();
  /// Gives it another name. False: errno says why not.
  bool link_as(const std::string& name) const;

  std::filesystem::path target_;
  std::string name_;  // empty: it has none
  int descriptor_ = -1;
  bool in_place_ = false;
};

/// Whether a file can be replaced, or made, there, before there is anything to write: the absolute path, where links
/// lead to. Throws jackdaw::error that names `where` the path was given.
std::filesystem::path check_replaceable(const std::filesystem::path& file, std::string_view where);

/// The name of a file that is not the first one that this process makes under that name: it ends in .2, .3, ...
std::filesystem::path numbered(std::filesystem::path whole);

}  // namespace jackdaw::detail
