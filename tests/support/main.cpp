#include <gtest/gtest.h>

#include "support/watchdog.hpp"

namespace {

class watch_each_test : public testing::EmptyTestEventListener {
 public:
  void OnTestStart(const testing::TestInfo& test) override {
    watchdog_.watch(std::string(test.test_suite_name()) + "." + test.name());
  }
  void OnTestEnd(const testing::TestInfo&) override { watchdog_.release(); }

 private:
  jackdaw::test::watchdog watchdog_{jackdaw::test::limit_from_environment()};
};

}  // namespace

int main(int argc, char** argv) {
  // A test program has threads from its first test on, so a death test must not continue in a forked copy of it.
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  testing::InitGoogleTest(&argc, argv);
  testing::UnitTest::GetInstance()->listeners().Append(new watch_each_test);
  return RUN_ALL_TESTS();
}
