#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace jackdaw::kernels {

/// Where a file of the project's data folder lies: in the data folder of an installed program, else in the source tree
/// that this library was built from. Throws jackdaw::error when it is in neither.
std::filesystem::path data_file(std::string_view name);

/// A whole file, unpacked if it is compressed by gzip. Throws jackdaw::error that names the file when it cannot be read
/// or is damaged.
std::string read_file(const std::filesystem::path& file);

}  // namespace jackdaw::kernels
