#include "measure/recording_file.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <map>
#include <system_error>

#include "jackdaw/error.hpp"
#include "measure/trace_file.hpp"

namespace jackdaw::measure {
namespace {

std::filesystem::path checked(const std::filesystem::path& file, std::string_view where) {
  const auto refuse = [&](const std::string& why) {
    throw error(std::string(where) + ": '" + file.string() + "' cannot be written: " + why);
  };
  std::error_code code;
  std::filesystem::path whole = std::filesystem::absolute(file, code);
  if (file.empty() || code || !whole.has_filename()) {
    refuse("expected a file's name");
  }
  if (std::filesystem::is_directory(whole, code)) {
    refuse(std::generic_category().message(EISDIR));
  }
  // The file is written beside its place and then renamed, so the folder is what matters.
  const std::filesystem::path folder = whole.parent_path();
  if (!std::filesystem::is_directory(folder, code)) {
    refuse(std::generic_category().message(std::filesystem::exists(folder, code) ? ENOTDIR : ENOENT));
  }
  if (::access(folder.c_str(), W_OK | X_OK) != 0) {
    refuse(std::generic_category().message(errno));
  }
  static std::mutex mutex;
  static std::map<std::filesystem::path, unsigned> used;
  const std::lock_guard hold(mutex);
  if (const unsigned times = ++used[whole]; times > 1) {
    whole += '.' + std::to_string(times);
  }
  return whole;
}

}  // namespace

recording_file::recording_file(const std::filesystem::path& file, std::string_view where, unsigned workers)
    : file_(checked(file, where)), recorder_(program_invocation_short_name, workers) {}

void recording_file::write() noexcept {
  if (written_.exchange(true)) {
    return;
  }
  try {
    if (recorder_.busy()) {
      throw error(file_.string() + ": not written: the program ended inside a task");
    }
    write_trace(recorder_.take(), file_);
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "jackdaw: %s\n", failure.what());
  }
}

}  // namespace jackdaw::measure
