#include "cli/whole_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <jackdaw/error.hpp>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "cli/text.hpp"

namespace jackdaw::cli {
namespace {

std::string reason(int code) { return std::generic_category().message(code); }

}  // namespace

whole_file::whole_file(std::string path, bool replace, std::string_view where)
    : path_(std::move(path)), where_(where), replace_(replace) {
  const auto refuse = [&](const std::string& what) {
    throw error(fmt::format("{}: {}: {}", where_, one_line(path_), what));
  };
  std::error_code code;
  if (std::filesystem::is_directory(path_, code)) refuse("a folder, expected a file's path");
  if (!replace_ && std::filesystem::exists(std::filesystem::symlink_status(path_, code))) {
    refuse("exists, expected a new file (or --force)");
  }
  temporary_ = path_ + ".XXXXXX";
  file_ = mkostemp(temporary_.data(), O_CLOEXEC);
  if (file_ < 0) refuse(fmt::format("cannot be written ({}), expected a path in a folder that can be", reason(errno)));
}

whole_file::~whole_file() {
  if (file_ < 0) return;
  close(file_);
  unlink(temporary_.c_str());
}

void whole_file::write(std::string_view text) {
  const auto fail = [&](int code) {
    throw std::runtime_error(fmt::format("{}: cannot be written: {}", one_line(path_), reason(code)));
  };
  while (!text.empty()) {
    const ssize_t done = ::write(file_, text.data(), text.size());
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) fail(errno);
    text.remove_prefix(static_cast<std::size_t>(done));
  }
  // mkostemp's files are for their owner alone.
  const mode_t mask = umask(0);
  umask(mask);
  if (fchmod(file_, 0666 & ~mask) != 0 || fsync(file_) != 0) fail(errno);
  if (replace_) {
    if (std::rename(temporary_.c_str(), path_.c_str()) != 0) fail(errno);
  } else if (link(temporary_.c_str(), path_.c_str()) != 0) {
    // Unlike a rename, a link never takes another file's place.
    if (errno == EEXIST) throw error(fmt::format("{}: {}: has appeared meanwhile, expected a new file", where_, path_));
    if (errno != EPERM && errno != ENOTSUP && errno != ENOSYS) fail(errno);
    if (std::rename(temporary_.c_str(), path_.c_str()) != 0) fail(errno);
  } else {
    unlink(temporary_.c_str());
  }
  if (close(std::exchange(file_, -1)) != 0) fail(errno);
}

}  // namespace jackdaw::cli
