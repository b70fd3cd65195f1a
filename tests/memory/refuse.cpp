#include "memory/refuse.hpp"

#include <gtest/gtest.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

namespace jackdaw::test {
namespace {

bool refused = false;

#if defined(JACKDAW_TEST_REFUSES_NUMA)
constexpr bool always = true;
#else
constexpr bool always = false;
#endif

#if defined(__x86_64__)
constexpr std::uint32_t this_architecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t this_architecture = AUDIT_ARCH_AARCH64;
#endif

class refuse_if_asked final : public testing::Environment {
 public:
  void SetUp() override {
    const char* const asked = std::getenv("JACKDAW_TEST_REFUSE_NUMA");  // NOLINT(concurrency-mt-unsafe): no threads yet
    if (!always && (asked == nullptr || asked != std::string_view("1"))) return;
    ASSERT_TRUE(refuse_numa_calls()) << "no seccomp filters here";
  }
};

// The framework owns it.
const auto* const environment = testing::AddGlobalTestEnvironment(new refuse_if_asked);

}  // namespace

bool refuse_numa_calls() {
  const auto load = [](std::size_t offset) {
    return sock_filter{BPF_LD | BPF_W | BPF_ABS, 0, 0, static_cast<std::uint32_t>(offset)};
  };
  std::vector<sock_filter> program{load(offsetof(seccomp_data, arch)),
                                   {BPF_JMP | BPF_JEQ | BPF_K, 1, 0, this_architecture},
                                   {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW},
                                   load(offsetof(seccomp_data, nr))};
  for (const long call : {SYS_mbind, SYS_set_mempolicy, SYS_move_pages, SYS_migrate_pages}) {
    program.push_back({BPF_JMP | BPF_JEQ | BPF_K, 0, 1, static_cast<std::uint32_t>(call)});
    program.push_back({BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | EPERM});
  }
  program.push_back({BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW});
  const sock_fprog whole{static_cast<unsigned short>(program.size()), program.data()};
  refused = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &whole) == 0;
  return refused;
}

bool numa_calls_are_refused() { return refused; }

}  // namespace jackdaw::test
