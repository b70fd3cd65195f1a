#pragma once

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>
#include "jackdaw/runtime.hpp"
#include "support/sanitized.hpp"

namespace jackdaw::testing {

/// Tests of properties that hold under every scheduler: each runs under several schedulers, on one worker and on more.
/// No SCOPED_TRACE around a fork: it belongs to the thread, and a task may resume from a fork on another.
class on_workers : public ::testing::TestWithParam<std::tuple<const char*, unsigned>> {
 protected:
  template <class F>
  auto run(F&& f) {
    return runtime_.run(std::forward<F>(f));
  }

 private:
  static options wanted() {
    options o;
    o.scheduler = std::get<0>(GetParam());
    o.workers = std::get<1>(GetParam());
    o.pin = false;
    return o;
  }

  runtime runtime_{wanted()};
};

inline std::string worker_test_name(const ::testing::TestParamInfo<std::tuple<const char*, unsigned>>& info) {
  return std::string(std::get<0>(info.param)) + "_" + std::to_string(std::get<1>(info.param));
}

/// Under ThreadSanitizer only the one that steals more.
inline std::vector<const char*> schedulers() {
  return test::under_tsan ? std::vector<const char*>{"random"} : std::vector<const char*>{"random", "adws"};
}

/// Under sanitizers only the most.
inline std::vector<unsigned> numbers_of_workers() {
  return test::sanitized ? std::vector<unsigned>{7} : std::vector<unsigned>{1, 2, 7};
}

/// Random numbers that are the same everywhere (splitmix64).
class numbers {
 public:
  using result_type = std::uint64_t;
  explicit numbers(std::uint64_t seed) : state_(seed) {}
  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return ~result_type{0}; }
  result_type operator()() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

 private:
  std::uint64_t state_;
};

}  // namespace jackdaw::testing

#define JACKDAW_ON_WORKERS(suite)                                                                             \
  INSTANTIATE_TEST_SUITE_P(schedulers, suite,                                                                 \
                           ::testing::Combine(::testing::ValuesIn(::jackdaw::testing::schedulers()),          \
                                              ::testing::ValuesIn(::jackdaw::testing::numbers_of_workers())), \
                           ::jackdaw::testing::worker_test_name)
