#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "jackdaw/machine.hpp"
#include "jackdaw/statistics.hpp"
#include "store/execution.hpp"

namespace jackdaw::detail {

/// The rows of an execution, which it owns.
struct run_rows {
  store::execution whole;
  std::vector<store::execution::worker> workers;
  std::vector<store::execution::steal> steals;
  std::vector<store::execution::node> nodes;
  std::vector<store::execution::array> arrays;
  std::vector<store::execution::traffic> traffics;
  std::vector<store::execution::place> places;
  std::vector<store::execution::share> shares;
  std::vector<store::execution::iteration> iterations;
  std::vector<store::execution::decision> decisions;
  std::vector<store::execution::task> tasks;
  std::deque<std::string> texts;

  /// Adds a worker's row; the bytes that it used are not in it yet. Times are in ns.
  void add_worker(std::int64_t id, const worker_place& at, const statistics& of, double busy, double search,
                  double sleep);
  void add_nodes(const machine& where);
  /// Keeps a text.
  const char* text(std::string kept) { return texts.emplace_back(std::move(kept)).c_str(); }
  /// Lets `whole` refer to all rows.
  const store::execution& point() noexcept;
  /// Returns the package that a node is nearest to; no_number if none is.
  static std::int64_t package_of(const machine& where, unsigned node) noexcept;
};

}  // namespace jackdaw::detail
