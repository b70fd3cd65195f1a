#include "support/refuse_calls.hpp"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>

#include <cstddef>
#include <vector>

namespace jackdaw::test {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t this_architecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t this_architecture = AUDIT_ARCH_AARCH64;
#endif

sock_filter load(std::size_t offset) { return {BPF_LD | BPF_W | BPF_ABS, 0, 0, static_cast<std::uint32_t>(offset)}; }

}  // namespace

bool refuse_calls(std::initializer_list<refused_call> calls) {
  std::vector<sock_filter> program{load(offsetof(seccomp_data, arch)),
                                   {BPF_JMP | BPF_JEQ | BPF_K, 1, 0, this_architecture},
                                   {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW}};
  for (const refused_call& each : calls) {
    const auto refuse = SECCOMP_RET_ERRNO | static_cast<std::uint32_t>(each.error);
    program.push_back(load(offsetof(seccomp_data, nr)));
    // What is skipped when it is another call: all that follows here.
    const std::uint8_t rest = each.flags == 0 ? 1 : 3;
    program.push_back({BPF_JMP | BPF_JEQ | BPF_K, 0, rest, static_cast<std::uint32_t>(each.number)});
    if (each.flags != 0) {
      program.push_back(load(offsetof(seccomp_data, args[2])));  // its lower half: both architectures are little-endian
      program.push_back({BPF_JMP | BPF_JSET | BPF_K, 0, 1, each.flags});
    }
    program.push_back({BPF_RET | BPF_K, 0, 0, refuse});
  }
  program.push_back({BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW});
  const sock_fprog whole{static_cast<unsigned short>(program.size()), program.data()};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &whole) == 0;
}

}  // namespace jackdaw::test
