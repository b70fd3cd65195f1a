#include "measure/replacement.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <system_error>

#include "jackdaw/error.hpp"

namespace jackdaw::measure {

replacement::replacement(std::filesystem::path target)
    : target_(std::move(target)), name_(target_.string() + ".XXXXXX") {
  descriptor_ = mkstemp(name_.data());
  if (descriptor_ < 0) fail();
  const mode_t mask = umask(0);
  umask(mask);
  fchmod(descriptor_, 0666 & ~mask);
}

replacement::~replacement() {
  if (descriptor_ >= 0) {
    close(descriptor_);
    unlink(name_.c_str());
  }
}

void replacement::write(std::string_view text) {
  while (!text.empty()) {
    const ssize_t done = ::write(descriptor_, text.data(), text.size());
    if (done < 0 && errno != EINTR) fail();
    text.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(done, 0)));
  }
}

void replacement::keep() {
  if (fsync(descriptor_) != 0 && errno != EINVAL) fail();
  if (rename(name_.c_str(), target_.c_str()) != 0) fail();
  close(descriptor_);
  descriptor_ = -1;
}

void replacement::fail() const {
  const int why = errno;
  throw error(target_.string() + ": cannot be written: " + std::generic_category().message(why));
}

std::filesystem::path check_replaceable(const std::filesystem::path& file, std::string_view where) {
  const auto refuse = [&](int why) {
    throw error(std::string(where) + ": '" + file.string() +
                "' cannot be written: " + std::generic_category().message(why));
  };
  std::error_code code;
  std::filesystem::path whole = std::filesystem::absolute(file, code);
  if (std::filesystem::is_directory(whole, code)) refuse(EISDIR);
  if (file.empty() || !whole.has_filename()) refuse(ENOENT);
  // The file is written beside its place and then renamed, so the folder is what matters.
  const std::filesystem::path folder = whole.parent_path();
  if (!std::filesystem::is_directory(folder, code)) refuse(std::filesystem::exists(folder, code) ? ENOTDIR : ENOENT);
  if (::access(folder.c_str(), W_OK | X_OK) != 0) refuse(errno);
  return whole;
}

}  // namespace jackdaw::measure
