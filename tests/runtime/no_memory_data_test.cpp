// Placed containers, copies on nodes, and data that a scheduler watches, while the system refuses one request after
// another: they throw or are right, and leave nothing behind.
#include <sys/syscall.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <memory_resource>
#include <numeric>
#include <string>
#include <vector>

#include "jackdaw/pstl.hpp"
#include "runtime/no_memory.hpp"
#include "support/refuse_calls.hpp"

namespace jackdaw::test {
namespace {

/// A scenario whose objects end with it.
void refuse_all(leaves behind, const std::function<bool()>& scenario) {
  refuse_everything_in_turn(all_refusals(), behind, scenario, [] {});
}

bool all_are(const auto& numbers, std::size_t count, std::uint64_t value) {
  return numbers.size() == count &&
         std::all_of(numbers.begin(), numbers.end(), [&](const auto& each) { return each == value; });
}

TEST(no_memory, for_placed_arrays) {
  refuse_all(leaves::no_maps, [] {
    const placed_array<std::uint64_t> plain(100'000, placement::on(0));
    const placed_array<std::uint64_t> copy(plain, placement::interleave());
    const placed_array<std::uint64_t> fast(1000, placement::fastest());
    return all_are(plain, 100'000, 0) && all_are(copy, 100'000, 0) && all_are(fast, 1000, 0);
  });
}

/// If the kernel refuses mbind, pinned threads touch the memory.
TEST(no_memory, for_threads_that_touch_in_the_place_of_the_kernel) {
  if (!refuse_calls({{.number = SYS_mbind, .error = EPERM}})) {
    ASSERT_EQ(errno, EINVAL);  // a kernel without them, or an emulator of one
    GTEST_SKIP() << "no seccomp filters here";
  }
  refuse_all(leaves::nothing, [] {
    const placed_array<std::uint64_t> plain(100'000, placement::on(0));
    const placed_array<std::uint64_t> spread(100'000, placement::interleave());
    return all_are(plain, 100'000, 0) && all_are(spread, 100'000, 0);
  });
}

TEST(no_memory, for_buffers_of_the_standard_librarys_algorithms) {
  refuse_all(leaves::nothing, [] {
    runtime rt({.workers = 2, .pin = false});
    std::vector<int> numbers(5000);
    for (std::size_t i = 0; i != numbers.size(); ++i) numbers[i] = static_cast<int>(i * 7919 % 5003);
    rt.run([&] { std::sort(std::execution::par, numbers.begin(), numbers.end()); });
    return std::is_sorted(numbers.begin(), numbers.end());
  });
}

/// Strings that have moved come back.
TEST(no_memory, for_a_vector_that_grows_loses_no_element) {
  const auto nth = [](std::size_t i) {
    return "an element that does not fit into a string itself, " + std::to_string(i);
  };
  runtime rt({.workers = 4, .pin = false});
  placed_vector<std::string> strings;
  rt.run([&] {
    strings.reserve(4000);
    for (std::size_t i = 0; i < 4000; ++i) strings.push_back(nth(i));
  });
  for (const auto of : {failing::which::one, failing::which::all}) {
    refuse_in_turn(
        {ask::memory, of}, leaves::caches,
        [&] {
          rt.run([&] { strings.reserve(strings.capacity() + 1); });
          return true;
        },
        [&] {
          std::size_t right = 0;
          for (std::size_t i = 0; i < strings.size(); ++i) right += strings[i] == nth(i) ? 1 : 0;
          EXPECT_EQ(right, 4000u);
        });
  }
}

TEST(no_memory, for_placed_vectors_that_grow) {
  refuse_all(leaves::no_maps, [] {
    placed_vector<std::uint64_t> numbers(placement::on(0));
    for (std::uint64_t i = 0; i < 3000; ++i) numbers.push_back(7);
    numbers.resize(10'000, 7);
    numbers.reserve(20'000);
    numbers.shrink_to_fit();
    return all_are(numbers, 10'000, 7);
  });
}

/// Counts its elements, so that the test sees that those of a container whose construction failed were destroyed.
struct counted {
  counted() { ++alive; }
  counted(const counted& from) : text(from.text) { ++alive; }
  ~counted() { --alive; }
  std::string text = "a text that is too long to be kept without an allocation";
  static inline std::atomic<long> alive{0};
};

TEST(no_memory, for_elements_that_need_some_themselves) {
  runtime rt({.workers = 4, .pin = false});
  for (const refusals& each : all_refusals()) {
    refuse_in_turn(
        each, leaves::caches,
        [&] {
          return rt.run([] {
            placed_vector<counted> some(5);
            some.emplace_back();
            const placed_array<counted> others(20);
            return counted::alive == 26;
          });
        },
        [] { EXPECT_EQ(counted::alive, 0); });
  }
}

TEST(no_memory, for_memory_of_a_placed_resource) {
  refuse_all(leaves::nothing, [] {
    placed_resource source(placement::on(0));
    std::pmr::vector<std::uint64_t> small(100, 3, &source), large(100'000, 3, &source);
    std::pmr::string text("a text that is too long to be kept without an allocation", &source);
    return all_are(small, 100, 3) && all_are(large, 100'000, 3) && text.size() == 56;
  });
}

class no_memory_for_copies : public testing::TestWithParam<std::string> {};

TEST_P(no_memory_for_copies, on_nodes_and_an_update_changes_all_or_nothing) {
  const on_machine described(GetParam());
  runtime rt({.workers = 4, .pin = false});
  using table = placed_array<std::uint64_t>;
  const auto sum = [](const table& of) { return std::accumulate(of.begin(), of.end(), std::uint64_t{0}); };
  const table ones(1000, std::uint64_t{1});
  for (const refusals& each : all_refusals()) {
    refuse_in_turn(
        each, leaves::no_maps,
        [&] {
          replicated<table> copies(ones);
          const auto read = [&] {
            return rt.run([&] {
              std::atomic<std::uint64_t> all{0};
              invoke([&] { all += sum(copies.local()); }, [&] { all += sum(copies.local()); });
              return all.load();
            });
          };
          if (read() != 2000) return false;
          std::uint64_t expected = 2000;
          // The second one starts from what the first has left.
          for (int update = 0; update < 2; ++update) {
            try {
              copies.update([](table& of) { for_each(of.begin(), of.end(), [](std::uint64_t& it) { ++it; }); });
              expected += 2000;
            } catch (const std::bad_alloc&) {
            }
            if (read() != expected) return false;
          }
          return read() == expected && sum(copies.local()) == expected / 2;
        },
        [] {});
  }
}

INSTANTIATE_TEST_SUITE_P(all, no_memory_for_copies, testing::Values("", two_sockets),
                         [](const auto& each) { return each.param.empty() ? "here" : "on_two_sockets"; });

TEST(no_memory, to_say_where_data_are_and_to_move_them) {
  const placed_array<std::uint64_t> data(10'000, std::uint64_t{1}, placement::on(0));
  refuse_all(leaves::no_maps, [&] {
    const page_locations now = where(data.data(), data.size() * sizeof(std::uint64_t));
    const migration done = migrate(data.data(), data.size() * sizeof(std::uint64_t), 0);
    return !now.text().empty() && !done.text().empty() && now.page == base_page_size() && (near(data), true);
  });
}

/// BATS learns the tree, has the data watched by a thread of its own, moves them, and explores.
TEST(no_memory, for_data_that_a_scheduler_watches) {
  runtime rt({.scheduler = "bats", .workers = 4, .pin = false, .data_size = 1 << 26});
  std::string name = "a region with a name that takes memory 0000";
  const auto fresh = [&] {
    for (auto digit = name.rbegin();; ++digit) {  // counts up in place
      if (++*digit <= '9') break;
      *digit = '0';
    }
    placed_array<std::uint64_t> data(1 << 17, std::uint64_t{1});
    return rt.run([&] {
      const region here(name);
      std::uint64_t all = 0;
      for (int iteration = 0; iteration < 6; ++iteration) {
        all += reduce(data.begin(), data.end(), std::uint64_t{0});
      }
      return all == 6 << 17;
    });
  };
  for (const refusals& each : all_refusals(0, 29)) {
    refuse_in_turn(each, leaves::caches, fresh, [&] { EXPECT_EQ(rt.run([] { return leaves_of(2); }), 16u); });
  }
}

}  // namespace
}  // namespace jackdaw::test
