// compiles
#include <array>
#include <functional>
#include <list>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "jackdaw/jackdaw.hpp"
#include "jackdaw/memory.hpp"

struct fixed {
  fixed() = default;
  fixed(fixed&&) = delete;
  void operator()() const {}
};

struct step {
  int number;
  jackdaw::task_group children;
};
struct application {
  jackdaw::runtime workers;
  jackdaw::placed_vector<int> numbers;
};

struct item {
  int number;
  bool before(const item& other) const { return number < other.number; }
};

// The user's functions with the names of jackdaw's own. The headers must call their own.
namespace user {
struct row {
  static void* operator new(std::size_t) = delete;
  int number = 0;
};
void reads(const row*, std::size_t) = delete;
void writes(row*, std::size_t) = delete;
template <class... Any>
void run_exposing(Any&&...) = delete;
template <class... Any>
void share_of(Any&&...) = delete;
template <class... Any>
void affinity_of(Any&&...) = delete;

void g(std::vector<row>& rows) {
  jackdaw::for_each(rows.begin(), rows.end(), [](row& each) { ++each.number; });
  jackdaw::transform_reduce(rows.begin(), rows.end(), 0, std::plus<>(), [](const row& each) { return each.number; });
  jackdaw::sort(rows.begin(), rows.end(), [](const row& a, const row& b) { return a.number < b.number; });
  const struct {
    row operator()() const { return {}; }
  } make;
  jackdaw::invoke(make, make);
  jackdaw::invoke(jackdaw::work(1, make), jackdaw::on(0, make));
}
}  // namespace user

// Correct code that is close to the refused cases.
void f(jackdaw::runtime& rt, jackdaw::task_group& group, const std::vector<int>& all) {
  const fixed stays;
  jackdaw::invoke(stays, [] {}, fixed());
  const auto half = jackdaw::work(1, [] { return 1; });
  jackdaw::invoke(half, jackdaw::work(2, stays), [] { return std::make_unique<int>(1); });
  jackdaw::invoke(jackdaw::on(0, jackdaw::work(2, stays)), jackdaw::on(0, [] {}));
  auto child = [owned = std::make_unique<int>(1)] { (void)owned; };
  group.run(std::move(child));
  group.run([child = std::move(child)] {});
  rt.run(fixed());
  jackdaw::for_index(0u, 10l, [](long) { return 5; });
  jackdaw::reduce(all.begin(), all.end(), 0.0);
  const std::function<double(std::size_t, std::size_t)> weigh = [](std::size_t, std::size_t) { return 1.0; };
  jackdaw::reduce(all.begin(), all.end(), 0.0, jackdaw::work_of{weigh});
  jackdaw::for_index(0, 10, [](int) {}, jackdaw::work_of{weigh});
  step first{1};
  std::array<jackdaw::task_group, 2> groups{};
  application program{};
  static_assert(!std::is_invocable_v<jackdaw::hinted<fixed>, int>);
  jackdaw::reduce(all.begin(), all.end(), 0L, [](long a, long b) { return static_cast<int>(a + b); });
  jackdaw::transform_reduce(
      all.begin(), all.end(), std::unique_ptr<int>(),
      [](std::unique_ptr<int> a, std::unique_ptr<int> b) { return a ? std::move(a) : std::move(b); },
      [](int value) { return std::make_unique<int>(value); });
  std::vector<std::unique_ptr<int>> moved(5);
  jackdaw::sort(moved.begin(), moved.end(), [](const auto& a, const auto& b) { return *a < *b; });
  std::vector<item> items(5);
  jackdaw::sort(items.begin(), items.end(), &item::before);
  jackdaw::sort(items, {}, &item::number, jackdaw::grain{100});
  std::vector<bool> flags(5);
  std::list<int> list(5);
  jackdaw::for_each(std::as_const(flags), [](bool) {});
  jackdaw::for_each(list, [](int& each) { ++each; });
  jackdaw::transform(flags, items.begin(), [](bool each) { return item{each ? 1 : 0}; });
  jackdaw::for_index(-5, 10u, [](long) {});
}
