#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace jackdaw::kernels {

/// Returns the path of a file of the project's data folder: in the installed data folder, else in the source tree that
/// this library was built from. Throws jackdaw::error if it is in neither.
std::filesystem::path data_file(std::string_view name);

/// Returns the content of a file, unpacked if it is compressed by gzip. Throws jackdaw::error that names the file if it
/// cannot be read or is damaged.
std::string read_file(const std::filesystem::path& file);

}  // namespace jackdaw::kernels
