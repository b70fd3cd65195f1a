#include "memory/refuse.hpp"

#include <gtest/gtest.h>
#include <sys/syscall.h>

#include <cerrno>
#include <cstdlib>
#include <string_view>

#include "support/refuse_calls.hpp"

namespace jackdaw::test {
namespace {

bool refused = false;

#if defined(JACKDAW_TEST_REFUSES_NUMA)
constexpr bool always = true;
#else
constexpr bool always = false;
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
  refused = refuse_calls({{.number = SYS_mbind, .error = EPERM},
                          {.number = SYS_set_mempolicy, .error = EPERM},
                          {.number = SYS_move_pages, .error = EPERM},
                          {.number = SYS_migrate_pages, .error = EPERM}});
  return refused;
}

bool numa_calls_are_refused() { return refused; }

}  // namespace jackdaw::test
