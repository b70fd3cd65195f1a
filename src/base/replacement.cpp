#include "base/replacement.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <map>
#include <mutex>
#include <system_error>

#include "jackdaw/error.hpp"

namespace jackdaw::detail {

namespace {

/// Follows symbolic links, except those in /proc: they lead to a process's open files, which may have no name.
std::filesystem::path follow(std::filesystem::path file) {
  std::error_code code;
  for (int links = 0; links < 40; ++links) {
    const std::filesystem::path folder =
        std::filesystem::canonical(file.has_parent_path() ? file.parent_path() : ".", code);
    if (code || folder.native().starts_with("/proc/")) break;
    file = folder / file.filename();
    if (!std::filesystem::is_symlink(file, code)) break;
    file = folder / std::filesystem::read_symlink(file, code);
  }
  return file;
}

/// A name that is no regular file, such as /dev/null, /dev/stdout or a pipe, is kept and written to directly.
bool is_written_in_place(const std::filesystem::path& target) {
  std::error_code code;
  const auto status = std::filesystem::status(target, code);
  return std::filesystem::exists(status) &&
         (!std::filesystem::is_regular_file(status) || std::filesystem::is_symlink(follow(target), code));
}

}  // namespace

replacement::replacement(std::filesystem::path target) : target_(std::move(target)) {
  if (is_written_in_place(target_)) {
    in_place_ = true;
    // Opening a pipe that has no reader would block.
    descriptor_ = open(target_.c_str(), O_WRONLY | O_APPEND | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (descriptor_ < 0 || fcntl(descriptor_, F_SETFL, O_WRONLY | O_APPEND) != 0) fail();
    return;
  }
  // A file without a name gets one through /proc.
  if (::access("/proc/self/fd", X_OK) == 0) {
    const std::filesystem::path folder = target_.has_parent_path() ? target_.parent_path() : ".";
    descriptor_ = open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
  }
  if (descriptor_ >= 0) return;
  name_ = target_.string() + ".XXXXXX";
  descriptor_ = mkostemp(name_.data(), O_CLOEXEC);
  if (descriptor_ < 0) fail();
  // Only the owner can read files that mkostemp makes.
  const mode_t mask = umask(0);
  umask(mask);
  fchmod(descriptor_, 0666 & ~mask);
}

replacement::~replacement() {
  if (descriptor_ >= 0) close(descriptor_);
  if (!name_.empty()) unlink(name_.c_str());
}

void replacement::write(std::string_view text) {
  while (!text.empty()) {
    const ssize_t done = ::write(descriptor_, text.data(), text.size());
    if (done < 0 && errno != EINTR) fail();
    text.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(done, 0)));
  }
}

void replacement::sync() {
  if (fsync(descriptor_) != 0 && errno != EINVAL) fail();
}

bool replacement::link_as(const std::string& name) const {
  if (!name_.empty()) return link(name_.c_str(), name.c_str()) == 0;
  const std::string open_file = "/proc/self/fd/" + std::to_string(descriptor_);
  return linkat(AT_FDCWD, open_file.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
}

void replacement::keep() {
  if (in_place_) return;
  sync();
  // Only a rename replaces another file, and only a file with a name can be renamed.
  for (unsigned tries = 0; name_.empty(); ++tries) {
    const std::string free = target_.string() + "." + std::to_string(getpid()) + "." + std::to_string(tries);
    if (link_as(free)) {
      name_ = free;
    } else if (errno != EEXIST) {
      fail();
    }
  }
  if (rename(name_.c_str(), target_.c_str()) != 0) fail();
  name_.clear();
}

bool replacement::keep_if_new() {
  if (in_place_) return true;
  sync();
  // Unlike a rename, a link never replaces another file.
  if (link_as(target_.string())) return true;
  if (errno == EEXIST) return false;
  const bool no_links = errno == EPERM || errno == EOPNOTSUPP || errno == ENOSYS;
  if (!no_links || name_.empty() || rename(name_.c_str(), target_.c_str()) != 0) fail();
  name_.clear();
  return true;
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
  if (is_written_in_place(whole)) {
    if (::access(whole.c_str(), W_OK) != 0) refuse(errno);
    return whole;
  }
  whole = follow(whole);
  // The new file is written next to the old one and then renamed, so what matters is access to the folder.
  const std::filesystem::path folder = whole.parent_path();
  if (!std::filesystem::is_directory(folder, code)) refuse(std::filesystem::exists(folder, code) ? ENOTDIR : ENOENT);
  if (::access(folder.c_str(), W_OK | X_OK) != 0) refuse(errno);
  return whole;
}

std::filesystem::path numbered(std::filesystem::path whole) {
  static std::mutex mutex;
  static std::map<std::filesystem::path, unsigned> used;
  if (is_written_in_place(whole)) return whole;
  const std::lock_guard hold(mutex);
  if (const unsigned times = ++used[whole]; times > 1) {
    whole += '.' + std::to_string(times);
  }
  return whole;
}

}  // namespace jackdaw::detail
