#include <vector>

#include "sched/family.hpp"
#include "sched/random.hpp"

namespace jackdaw::sched {
namespace {

/// Nearest victims first, then wider: the victim selection of HotSLAW (Min, Iancu, Yelick, PGAS'11), with which ADWS
/// and BATS compare themselves. A worker makes as many attempts within a distance as there are victims, then looks one
/// level further; the next search starts near again.
class hierarchical_stealing final : public random_stealing {
 public:
  std::string_view name() const noexcept override { return "hierarchical"; }

  void start(const engine& machine) override {
    random_stealing::start(machine);
    const std::uint32_t count = on().workers();
    rings_.resize(count);
    for (worker_id self = 0; self < count; ++self) {
      for (unsigned distance = 1; distance <= on().max_distance(); ++distance) {
        std::vector<worker_id> within;
        for (worker_id other = 0; other < count; ++other) {
          if (other != self && on().distance(self, other) <= distance) {
            within.push_back(other);
          }
        }
        // A level that adds no victim is skipped.
        if (!within.empty() && (rings_[self].empty() || within.size() > rings_[self].back().size())) {
          rings_[self].push_back(std::move(within));
        }
      }
    }
  }

 protected:
  item look_for_victim(worker_id self) override {
    for (const auto& ring : rings_[self]) {
      for (std::size_t attempt = 0; attempt < ring.size(); ++attempt) {
        const worker_id victim = ring[on().random(self, static_cast<std::uint32_t>(ring.size()))];
        if (const item found = on().steal(self, victim, deque_kind::local)) {
          return found;
        }
      }
    }
    return {};
  }

 private:
  std::vector<std::vector<std::vector<worker_id>>> rings_;  // by worker: the victims within each level
};

}  // namespace

family hierarchical_schedulers() {
  static constexpr std::array<std::string_view, 1> names{"hierarchical"};
  return {names, [](std::string_view name, const settings&) -> std::unique_ptr<scheduler> {
            return name == names[0] ? std::make_unique<hierarchical_stealing>() : nullptr;
          }};
}

}  // namespace jackdaw::sched
