#pragma once

#include <memory>
#include <string>
#include <utility>

#include "kernels/common/kernel.hpp"

namespace jackdaw::cli {

/// Logs the calls on it; its result can be wrong from a chosen run on.
class fake_problem : public kernels::problem {
 public:
  fake_problem(std::string& log, std::string name, int wrong_from)
      : log_(log), name_(std::move(name)), wrong_from_(wrong_from) {}

  void prepare() override { log_ += "p" + name_ + " "; }
  void run() override {
    log_ += "r" + name_ + " ";
    ++runs_;
  }
  void check() override {
    log_ += "c" + name_ + " ";
    if (runs_ >= wrong_from_) throw kernels::check_failed("3 is not 4");
  }
  double items() const override { return 12; }
  std::string_view unit() const override { return "apples"; }

 private:
  std::string& log_;
  std::string name_;
  int wrong_from_;
  int runs_ = 0;
};

/// Sides jackdaw (J in the log), good (G) and wrong (W: its second result is wrong).
inline kernels::kernel fake_kernel(std::string& log) {
  const auto side = [&log](std::string_view name, const char* letter, int wrong_from) {
    return kernels::side{name, [&log, letter, wrong_from](const kernels::request&) {
                           return std::make_unique<fake_problem>(log, letter, wrong_from);
                         }};
  };
  constexpr int never = 1000;
  return {.name = "fake",
          .summary = "a kernel for tests",
          .sizes = {"tiny"},
          .shapes = {},
          .takes_input = false,
          .sides = {side("jackdaw", "J", never), side("good", "G", never), side("wrong", "W", 2)}};
}

}  // namespace jackdaw::cli
