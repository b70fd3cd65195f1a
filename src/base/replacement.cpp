#include "base/replacement.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <map>
#include <mutex>
#include <system_error>

#include "base/locked_at_forks.hpp"
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

/// Opening a pipe that has no reader would block. Below 0: errno says why.
int open_in_place(const std::filesystem::path& target) noexcept {
  return open(target.c_str(), O_WRONLY | O_APPEND | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
}

/// Opens a file in the folder of the target, without a name if that can be. Below 0: errno says why.
int open_beside(const std::filesystem::path& target, std::string& name) {
  // A file without a name gets one through /proc.
  if (::access("/proc/self/fd", X_OK) == 0) {
    const std::filesystem::path folder = target.has_parent_path() ? target.parent_path() : ".";
    const int opened = open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
    if (opened >= 0) return opened;
  }
  name = target.string() + ".XXXXXX";
  const int opened = mkostemp(name.data(), O_CLOEXEC);
  if (opened < 0) name.clear();
  return opened;
}

/// Pipes that were checked and not written yet. Each is kept open: to its reader, the last writer's close is the end.
struct checked_pipes {
  std::mutex mutex;
  std::map<std::filesystem::path, int> open;
};
checked_pipes& pipes() { return locked_at_forks<checked_pipes>(); }

void keep_open(const std::filesystem::path& pipe, int descriptor) {
  const std::lock_guard hold(pipes().mutex);
  if (!pipes().open.emplace(pipe, descriptor).second) close(descriptor);
}
void let_close(const std::filesystem::path& pipe) {
  const std::lock_guard hold(pipes().mutex);
  if (const auto kept = pipes().open.find(pipe); kept != pipes().open.end()) {
    close(kept->second);
    pipes().open.erase(kept);
  }
}

/// The process that loaded this code; 0: static objects are still being made.
constinit std::atomic<pid_t> loaded_by{0};
const bool noted = [] {
  loaded_by.store(getpid(), std::memory_order_relaxed);
  return true;
}();

/// Whether this process was forked from one that had loaded this code. Such a child may not know of any runtime.
bool is_child() noexcept {
  const pid_t loader = loaded_by.load(std::memory_order_relaxed);
  return loader != 0 && loader != getpid();
}

}  // namespace

replacement::replacement(std::filesystem::path target) : target_(std::move(target)) {
  if (is_written_in_place(target_)) {
    in_place_ = true;
    descriptor_ = open_in_place(target_);
    if (descriptor_ < 0 || fcntl(descriptor_, F_SETFL, O_WRONLY | O_APPEND) != 0) fail();
    let_close(target_);
    return;
  }
  descriptor_ = open_beside(target_, name_);
  if (descriptor_ < 0) fail();
  if (name_.empty()) return;
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
    const int opened = open_in_place(whole);
    if (opened < 0) {
      if (errno == ENXIO && std::filesystem::is_fifo(whole, code)) {
        throw error(std::string(where) + ": '" + file.string() + "' cannot be written: no process reads this pipe");
      }
      refuse(errno);
    }
    if (std::filesystem::is_fifo(whole, code)) {
      keep_open(whole, opened);
    } else {
      close(opened);
    }
    return whole;
  }
  whole = follow(whole);
  // The new file is written next to the old one and then renamed, so what matters is access to the folder.
  const std::filesystem::path folder = whole.parent_path();
  if (!std::filesystem::is_directory(folder, code)) refuse(std::filesystem::exists(folder, code) ? ENOTDIR : ENOENT);
  // To ask for the right is not enough: in /proc, for one, root has it and can make no file.
  std::string name;
  const int opened = open_beside(whole, name);
  if (opened < 0) refuse(errno);
  close(opened);
  if (!name.empty()) unlink(name.c_str());
  return whole;
}

bool is_same_file(const std::filesystem::path& a, const std::filesystem::path& b) {
  std::error_code code;
  const std::filesystem::path first = std::filesystem::absolute(a, code), second = std::filesystem::absolute(b, code);
  return !is_written_in_place(first) && follow(first) == follow(second);
}

namespace {

/// How many times each path has been asked for.
struct used_paths {
  std::mutex mutex;
  std::map<std::filesystem::path, unsigned> times;
};

}  // namespace

std::filesystem::path numbered(std::filesystem::path whole) {
  if (is_written_in_place(whole)) return whole;
  if (is_child()) whole += '.' + std::to_string(getpid());
  used_paths& used = locked_at_forks<used_paths>();
  const std::lock_guard hold(used.mutex);
  if (const unsigned times = ++used.times[whole]; times > 1) {
    whole += '.' + std::to_string(times);
  }
  return whole;
}

}  // namespace jackdaw::detail
