#include "measure/counters/perf_calls.hpp"

#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <string>
#include <system_error>

#include "machine/cgroup.hpp"

namespace jackdaw::measure {
namespace {

class linux_calls final : public perf_calls {
 public:
  int open(const perf_event_attr& event, int group) override {
    const long opened = syscall(SYS_perf_event_open, &event, 0, -1, group, PERF_FLAG_FD_CLOEXEC);
    return opened < 0 ? -errno : static_cast<int>(opened);
  }

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
};

}  // namespace

perf_calls& this_kernel() {
  static linux_calls calls;
  return calls;
}

}  // namespace jackdaw::measure
