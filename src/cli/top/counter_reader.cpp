#include "cli/top/counter_reader.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <jackdaw/error.hpp>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>
#include <system_error>
#include <utility>

namespace jackdaw::cli {
namespace {

using detail::counter_page;
using detail::worker_counts;

constexpr std::uint32_t most_workers = 4096;

/// How the kernel shows where the link of a counter page's file leads.
bool is_page(const std::filesystem::path& link) {
  std::error_code ignored;
  const std::string target = std::filesystem::read_symlink(link, ignored).native();
  return target.starts_with(fmt::format("/memfd:{} ", counter_page::file_name));
}

struct mapped {
  std::shared_ptr<const void> memory;
  std::size_t bytes = 0;
};

/// The number by which the process knows itself: in a container another one.
pid_t own_number(pid_t process) {
  std::ifstream file(fmt::format("/proc/{}/status", process));
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("NSpid:")) continue;
    const std::size_t last = line.find_last_of("\t ");
    return static_cast<pid_t>(std::strtol(line.c_str() + last, nullptr, 10));
  }
  return process;
}

/// Maps a file for reading; empty if it has gone or is too small for a header.
mapped map_file(const std::filesystem::path& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return {};
  struct stat about{};
  mapped found;
  if (fstat(file, &about) == 0 && about.st_size >= static_cast<off_t>(counter_page::first)) {
    found.bytes = static_cast<std::size_t>(about.st_size);
    void* const memory = mmap(nullptr, found.bytes, PROT_READ, MAP_SHARED, file, 0);
    if (memory != MAP_FAILED) found.memory = {memory, [bytes = found.bytes](void* all) { munmap(all, bytes); }};
  }
  close(file);
  return found;
}

}  // namespace

bool is_running(pid_t process) {
  // The state follows the name, which is in brackets and may hold any character. Z and X: it has ended.
  std::ifstream file(fmt::format("/proc/{}/stat", process));
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::size_t end = text.rfind(") ");
  return end != std::string::npos && text[end + 2] != 'Z' && text[end + 2] != 'X';
}

std::vector<counter_reader> counter_reader::of_process(pid_t process) {
  namespace fs = std::filesystem;
  if (!is_running(process)) throw error(fmt::format("{}: no running process has this number", process));
  std::error_code failure;
  fs::directory_iterator files(fmt::format("/proc/{}/fd", process), failure);
  if (failure) throw error(fmt::format("{}: its files cannot be seen: {}", process, failure.message()));
  std::vector<counter_reader> found;
  bool unreadable = false;
  for (; files != fs::directory_iterator(); files.increment(failure)) {
    if (!is_page(files->path())) continue;
    const mapped page = map_file(files->path());
    if (!page.memory) continue;
    const auto& about = *static_cast<const counter_page::header*>(page.memory.get());
    // Acquire: with the number that the page begins with comes the rest.
    const std::uint64_t magic =
        std::atomic_ref(const_cast<std::uint64_t&>(about.magic)).load(std::memory_order_acquire);
    const std::uint32_t workers = about.workers;
    if (magic == 0) continue;  // it begins or ends at this moment
    if (magic == counter_page::header::expected && about.version == counter_page::version &&
        about.each == sizeof(worker_counts) && workers >= 1 && workers <= most_workers &&
        page.bytes >= counter_page::first + workers * sizeof(worker_counts)) {
      // A child of a fork() has its parent's files, but not its workers.
      if (about.process == own_number(process)) found.push_back(counter_reader(page.memory, workers));
    } else {
      unreadable = true;
    }
  }
  if (found.empty()) {
    throw error(fmt::format("{}: {}", process,
                            unreadable ? "its jackdaw is another version than this program"
                                       : "no runtime of jackdaw runs in this process, or the system has refused it "
                                         "a counter page"));
  }
  std::sort(found.begin(), found.end(),
            [](const counter_reader& a, const counter_reader& b) { return a.began_ns() < b.began_ns(); });
  return found;
}

std::string counter_reader::scheduler() const {
  const auto& text = about().scheduler;
  return {text, strnlen(text, sizeof text)};
}

const worker_counts& counter_reader::of(std::uint32_t worker) const noexcept {
  return reinterpret_cast<const worker_counts*>(static_cast<const std::byte*>(memory_.get()) +
                                                counter_page::first)[worker];
}

bool counter_reader::has_ended() const noexcept {
  return std::atomic_ref(const_cast<std::uint64_t&>(about().magic)).load(std::memory_order_relaxed) == 0;
}

counts_at counter_reader::read() const {
  counts_at found{.ns = detail::counting_clock(), .workers = {}, .doing = {}};
  for (std::uint32_t id = 0; id < workers_; ++id) {
    found.workers.push_back(of(id).read(found.ns));
    found.doing.push_back(static_cast<worker_counts::doing>(of(id).now.load(std::memory_order_relaxed)));
  }
  return found;
}

}  // namespace jackdaw::cli
