#include "profile/counters/perf_calls.hpp"

#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <string>
#include <system_error>

#include "machine/cgroup.hpp"

namespace jackdaw::profile {
namespace {

class linux_calls final : public perf_calls {
 public:
  int open(const perf_event_attr& event, int group) override { return opened(event, 0, group); }

  int open_for(const perf_event_attr& event, pid_t thread) override { return opened(event, thread, -1); }

  int map(int descriptor, std::size_t bytes, void*& at) override {
    // Mapped writable; otherwise the kernel overwrites records that were not read yet.
    void* const mapped = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (mapped == MAP_FAILED) return -errno;
    at = mapped;
    return 0;
  }

  void unmap(void* at, std::size_t bytes) override { munmap(at, bytes); }

  int enable(int group) override { return ioctl(group, PERF_EVENT_IOC_ENABLE, PERF_IOC_FLAG_GROUP) < 0 ? -errno : 0; }

  ssize_t read(int descriptor, void* into, std::size_t bytes) override {
    const ssize_t got = ::read(descriptor, into, bytes);
    return got < 0 ? -errno : got;
  }

  void close(int descriptor) override { ::close(descriptor); }

  std::optional<int> paranoid() override {
    const std::optional<std::string> text = read_text_file("/proc/sys/kernel/perf_event_paranoid");
    int level = 0;
    if (!text || std::from_chars(text->data(), text->data() + text->size(), level).ec != std::errc()) return {};
    return level;
  }

 private:
  static int opened(const perf_event_attr& event, pid_t thread, int group) {
    const long descriptor = syscall(SYS_perf_event_open, &event, thread, -1, group, PERF_FLAG_FD_CLOEXEC);
    return descriptor < 0 ? -errno : static_cast<int>(descriptor);
  }
};

}  // namespace

perf_calls& this_kernel() {
  static linux_calls calls;
  return calls;
}

}  // namespace jackdaw::profile
