#include "kernels/data_file.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include <jackdaw/jackdaw.hpp>

namespace jackdaw::kernels {

std::filesystem::path data_file(std::string_view name) {
  for (const char* folder : {JACKDAW_DATA_INSTALLED, JACKDAW_DATA_SOURCE})
    if (const auto file = std::filesystem::path(folder) / name; std::filesystem::exists(file)) return file;
  throw error("no file '" + std::string(name) + "' in " JACKDAW_DATA_INSTALLED " or " JACKDAW_DATA_SOURCE
              ", expected one there or an input file to be named");
}

std::string read_file(const std::filesystem::path& file) {
  const auto fail = [&file](const std::string& why) { throw error(file.string() + ": cannot be read: " + why); };
  if (std::filesystem::is_directory(file)) fail("it is a folder, expected a file");
  errno = 0;
  std::ifstream in(file, std::ios::binary);
  if (!in) fail(std::strerror(errno));
  std::ostringstream text;
  text << in.rdbuf();
  if (in.bad()) fail(std::strerror(errno));
  return std::move(text).str();
}

}  // namespace jackdaw::kernels
