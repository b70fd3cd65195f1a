// Whoever has closed the door sees what those have handed over that were let in, and nobody comes in afterwards.
#include <gtest/gtest.h>

#include "jackdaw/detail/door.hpp"
#include "model/report.hpp"

namespace jackdaw::model {
namespace {

using checked = detail::basic_door<policy>;

/// Ends without waiting for those inside.
struct hasty : checked {
  void close() noexcept { word.store(1, std::memory_order_relaxed); }
  bool enter() noexcept {
    if (word.load(std::memory_order_relaxed) != 0) return false;
    return checked::enter();
  }
  atomic<std::uint32_t> word{0};
};

/// Threads 1 and up send a root each to a runtime; 0 ends it, as src/runtime/runtime.cpp does. A worker ends a root at
/// once.
template <class Door>
struct ending : scenario {
  explicit ending(unsigned senders) : senders(senders) { door.open(); }
  unsigned threads() const override { return senders + 1; }
  void run(unsigned self) override {
    if (self == 0) {
      door.close();
      while (roots.load(std::memory_order_acquire) != 0) policy::yield();
      engine.set(0);
      return;
    }
    if (!door.enter()) return;
    expect(engine.get() == 1, "a sender finds no engine");
    roots.fetch_add(1, std::memory_order_relaxed);
    door.leave();
    // On the worker, which uses the engine until the root has ended.
    expect(engine.get() == 1, "a root's engine is gone");
    roots.fetch_sub(1, std::memory_order_release);
  }
  void finish(scenario::ended who) override { expect(this->all(who), "a thread waits for ever"); }

  const unsigned senders;
  Door door;
  atomic<std::uint32_t> roots{0};
  plain<unsigned> engine{1};
};

class doors : public testing::TestWithParam<machine> {};
INSTANTIATE_TEST_SUITE_P(model, doors, testing::Values(machine::tso, machine::pso, machine::views),
                         [](const auto& each) { return machine_name(each.param); });

TEST_P(doors, let_in_or_refuse) { expect_holds(explore<ending<checked>>({.on = GetParam()}, 2u)); }
TEST_P(doors, closed_without_waiting_is_found) { expect_violated(explore<ending<hasty>>({.on = GetParam()}, 2u)); }

}  // namespace
}  // namespace jackdaw::model
