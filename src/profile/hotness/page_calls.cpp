#include "profile/hotness/page_calls.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>

namespace jackdaw::profile {
namespace {

// Linux 5.4; the header of an older C library does not name it.
constexpr int madv_cold = 20;

class this_kernels_pages final : public page_calls {
 public:
  int set_apart(std::uintptr_t at, std::size_t bytes, bool apart) override {
    // Anonymous memory has no read-ahead, so this advice has no effect except to separate mappings.
    return advise(at, bytes, apart ? MADV_RANDOM : MADV_NORMAL);
  }

  int forget(std::uintptr_t at, std::size_t bytes) override { return advise(at, bytes, madv_cold); }

  int mappings(std::string& into) override {
    const int file = ::open("/proc/self/smaps", O_RDONLY | O_CLOEXEC);
    if (file < 0) return errno;
    int code = 0;
    std::size_t size = 0;
    for (;;) {
      if (into.size() < size + (std::size_t{1} << 16)) into.resize(2 * into.size() + (std::size_t{1} << 16));
      const ssize_t got = ::read(file, into.data() + size, into.size() - size);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) code = errno;
      if (got <= 0) break;
      size += static_cast<std::size_t>(got);
    }
    into.resize(size);
    ::close(file);
    return code;
  }

 private:
  static int advise(std::uintptr_t at, std::size_t bytes, int advice) {
    return ::madvise(reinterpret_cast<void*>(at), bytes, advice) == 0 ? 0 : errno;
  }
};

}  // namespace

page_calls& linux_pages() {
  static this_kernels_pages calls;
  return calls;
}

}  // namespace jackdaw::profile
