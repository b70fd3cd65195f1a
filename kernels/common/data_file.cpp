#include "kernels/common/data_file.hpp"

#include <array>
#include <cerrno>
#include <memory>
#include <system_error>

#include <zlib.h>

#include <jackdaw/jackdaw.hpp>

namespace jackdaw::kernels {

std::filesystem::path data_file(std::string_view name) {
  // An installed program may have been moved together with the files that it reads.
  std::error_code ignored;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", ignored);
  const auto installed = (program.parent_path() / JACKDAW_DATA_FROM_BIN).lexically_normal();
  for (const std::filesystem::path& folder : {installed, std::filesystem::path(JACKDAW_DATA_SOURCE)})
    if (auto file = folder / name; std::filesystem::exists(file, ignored)) return file;
  throw error("no file '" + std::string(name) + "' in " + installed.string() +
              " or " JACKDAW_DATA_SOURCE ", expected one there or an input file to be named");
}

std::string read_file(const std::filesystem::path& file) {
  const auto fail = [&file](const std::string& why) { throw error(file.string() + ": cannot be read: " + why); };
  if (std::filesystem::is_directory(file)) fail("it is a folder, expected a file");

  // zlib passes uncompressed data through.
  errno = 0;
  const std::unique_ptr<gzFile_s, decltype(&gzclose)> in(gzopen(file.c_str(), "rb"), &gzclose);
  if (!in) fail(errno != 0 ? std::generic_category().message(errno) : std::string("out of memory"));
  std::string text;
  std::array<char, 1 << 16> part;
  while (true) {
    const int size = gzread(in.get(), part.data(), part.size());
    int code = Z_OK;
    const char* const message = gzerror(in.get(), &code);
    if (size < 0 || code == Z_BUF_ERROR)
      fail(code == Z_ERRNO ? std::generic_category().message(errno) : std::string(message));
    if (size == 0) return text;
    text.append(part.data(), static_cast<std::size_t>(size));
  }
}

}  // namespace jackdaw::kernels
