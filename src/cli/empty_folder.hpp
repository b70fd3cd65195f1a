#pragma once

#include <string>
#include <string_view>

namespace jackdaw::cli {

/// Checks that `path` is an empty folder, or can be a new one in an existing folder. Throws error, which names `where`,
/// the place that gave the path.
void check_empty_folder(const std::string& path, std::string_view where);

/// The same, and makes the folder if it is not there.
void make_empty_folder(const std::string& path, std::string_view where);

}  // namespace jackdaw::cli
