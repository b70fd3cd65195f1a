#include "runtime/counter_page.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <new>

namespace jackdaw::detail {
namespace {

/// Programs expect low numbers for files that they open themselves.
constexpr int least_number = 256;

/// Returns a new file without a name, of that size, which nobody can make shorter; -1: the system refuses it.
int make_file(std::size_t bytes) noexcept {
  rlimit most{};
  // To exceed the limit would end the program by SIGXFSZ.
  if (getrlimit(RLIMIT_FSIZE, &most) != 0 || most.rlim_cur < bytes) return -1;
  const int low = memfd_create(counter_page::file_name.data(), MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (low < 0) return -1;
  const int high = fcntl(low, F_DUPFD_CLOEXEC, least_number);
  const int file = high >= 0 ? high : low;
  if (high >= 0) close(low);
  if (ftruncate(file, static_cast<off_t>(bytes)) == 0 && fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW) == 0) {
    return file;
  }
  close(file);
  return -1;
}

}  // namespace

counter_page::counter_page(std::uint32_t workers, std::string_view scheduler) {
  const std::size_t bytes = first + workers * sizeof(worker_counts);
  file_ = make_file(bytes);
  if (file_ >= 0) {
    void* const shared = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0);
    if (shared != MAP_FAILED) memory_.adopt(shared, bytes);
    struct stat about{};
    if (shared == MAP_FAILED || fstat(file_, &about) != 0) {
      memory_.unmap();
      close(file_);
      file_ = -1;
    }
    inode_ = about.st_ino;
    device_ = about.st_dev;
  }
  if (file_ < 0 && !memory_.map(bytes, PROT_READ | PROT_WRITE)) throw std::bad_alloc();
  const std::uint64_t now = counting_clock();
  counts_ = reinterpret_cast<worker_counts*>(static_cast<std::byte*>(memory_.data()) + first);
  for (std::uint32_t i = 0; i < workers; ++i) {
    new (&counts_[i]) worker_counts();
    counts_[i].now.store(static_cast<std::uint64_t>(worker_counts::doing::searching), std::memory_order_relaxed);
    counts_[i].since.store(now, std::memory_order_relaxed);
  }
  auto* const about = new (memory_.data()) header{.magic = 0,
                                                  .version = version,
                                                  .each = sizeof(worker_counts),
                                                  .workers = workers,
                                                  .process = getpid(),
                                                  .began = now,
                                                  .scheduler = {}};
  std::copy_n(scheduler.begin(), std::min(scheduler.size(), sizeof about->scheduler - 1), about->scheduler);
  // Release: whoever reads the magic number reads the rest as well.
  std::atomic_ref(about->magic).store(header::expected, std::memory_order_release);
}

counter_page::~counter_page() {
  // Readers that have mapped the page see that the runtime has ended.
  std::atomic_ref(static_cast<header*>(memory_.data())->magic).store(0, std::memory_order_relaxed);
  memory_.unmap();
  struct stat now{};
  const bool is_ours = file_ >= 0 && fstat(file_, &now) == 0 && now.st_ino == inode_ && now.st_dev == device_;
  if (is_ours) close(file_);
}

void counter_page::leave_to_parent() noexcept {
  if (file_ < 0) return;
  // In one step, so that no access finds the memory missing. Without memory for it the child has no use for its counts,
  // but writes them.
  constexpr int rights = PROT_READ | PROT_WRITE;
  if (mmap(memory_.data(), memory_.bytes(), rights, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED) {
    static_cast<void>(mmap(memory_.data(), memory_.bytes(), rights, MAP_PRIVATE | MAP_FIXED, file_, 0));
  }
}

}  // namespace jackdaw::detail
