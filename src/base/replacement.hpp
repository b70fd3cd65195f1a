#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace jackdaw::detail {

/// A new file that replaces `target` when it is kept. Until then, and for good if it is never kept, the old file stays
/// as it is. The new file has no name until then, if the file system supports that, so that no temporary file remains
/// however the program ends. If `target` is a device, a pipe or a socket, the text goes straight to it.
class replacement {
 public:
  /// Throws error if it cannot be made.
  explicit replacement(std::filesystem::path target);
  ~replacement();
  replacement(const replacement&) = delete;
  replacement& operator=(const replacement&) = delete;

  /// These throw error, too. Exactly one of the last two is called, once.
  void write(std::string_view text);
  void keep();
  /// False: a file of that name exists, and stays.
  [[nodiscard]] bool keep_if_new();

 private:
  [[noreturn]] void fail() const;
  void sync();
  /// Renames the file. False: errno says why.
  bool link_as(const std::string& name) const;

  std::filesystem::path target_;
  std::string name_;  // empty: the file has no name
  int descriptor_ = -1;
  bool in_place_ = false;
};

/// Checks, before there is anything to write, that a file can be replaced or made at `path`: makes one beside it and
/// removes it. A pipe needs a reader, and stays open until a `replacement` writes to it. Returns the absolute path with
/// links followed. Throws jackdaw::error that names `where`, the place that gave the path.
std::filesystem::path check_replaceable(const std::filesystem::path& file, std::string_view where);

/// Whether two paths lead to one file that would be replaced; devices and pipes are not.
bool is_same_file(const std::filesystem::path& a, const std::filesystem::path& b);

/// The name of a further file that this process makes under the same name: it ends in .2, .3, ... In the child of a
/// fork() its number comes first, so that it does not replace a file of its parent: .PID, .PID.2, ...
std::filesystem::path numbered(std::filesystem::path whole);

}  // namespace jackdaw::detail
