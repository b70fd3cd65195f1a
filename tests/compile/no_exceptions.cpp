// compiles
// with: -fno-exceptions -fno-rtti -Werror -Wall -Wextra -Wpedantic -Wshadow
// A program without exceptions uses all that throws or catches in the headers.
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "jackdaw/jackdaw.hpp"
#include "jackdaw/memory.hpp"
#include "jackdaw/observer.hpp"

struct named {
  std::string name;
  named() = default;
  named(const named& other) : name(other.name) {}
  named(named&& other) noexcept(false) : name(std::move(other.name)) {}
  named& operator=(const named& other) = default;
  named& operator=(named&& other) noexcept(false) = default;
};

void use(std::vector<double>& all, std::vector<named>& names) {
  jackdaw::configure({.scheduler = "adws", .workers = 2});
  jackdaw::invoke([] {}, [] { return 1; }, jackdaw::work(2, [] {}));
  jackdaw::task_group group;
  group.run([name = names[0]] { (void)name; });
  group.run(std::function<void()>([] {}), 2);
  group.run(jackdaw::near(all), [] {});
  group.wait();
  jackdaw::for_index(0u, 10, [&](int i) { all[static_cast<std::size_t>(i)] = 0; });
  jackdaw::sort(all.begin(), all.end());
  jackdaw::stable_sort(names.begin(), names.end(), [](const named& a, const named& b) { return a.name < b.name; });
  jackdaw::inclusive_scan(all.begin(), all.end(), all.begin());
  jackdaw::pipeline(
      2, [] { return std::optional<int>(); }, jackdaw::parallel([](int i) { return i; }),
      jackdaw::serial([](int i) { return i; }), jackdaw::serial_in_order([](int) {}));
  jackdaw::runtime rt;
  rt.run([&] { return jackdaw::reduce(all.begin(), all.end(), 0.0); });
  jackdaw::placed_vector<named> placed;
  placed.push_back(names[0]);
  (void)placed.at(0);
  jackdaw::placed_array<double> fixed(all.size());
  std::vector<int, jackdaw::placed_allocator<int>> allocated(10);
  const jackdaw::replicated<std::vector<double>> copies(all);
  (void)copies.local();
  jackdaw::shutdown();
}
