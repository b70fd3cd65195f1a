#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "jackdaw/machine.hpp"
#include "numa/census.hpp"
#include "numa/numa_kernel.hpp"
#include "runtime/data_arrays.hpp"
#include "runtime/declared_ranges.hpp"
#include "runtime/run_rows.hpp"

namespace jackdaw::detail {

/// What all workers have declared, and what becomes of it: arrays, who used which part of them, where they are, and
/// who touched them first.
class used_data {
 public:
  used_data(const machine& where, const std::vector<worker_place>& places, numa::numa_kernel& kernel)
      : where_(where), places_(places), kernel_(&kernel) {}

  void add(std::uint32_t worker, range_use use) { uses_.push_back({std::move(use), worker}); }
  /// `touched_by` says for each number of the census who touched what appeared then: a worker, -1 a thread outside of
  /// tasks, -2 not known.
  void write(run_rows& into, const numa::census& seen, const std::vector<std::int64_t>& touched_by);

 private:
  struct use_of {
    range_use what;
    std::uint32_t worker;
  };
  struct first_touch {
    std::int64_t by = -2;
    std::uint64_t at = 0;
  };

  using users = std::vector<const use_of*>;

  void write_array(run_rows& into, const data_array& array, const users& by, const numa::census& seen,
                   const std::vector<std::int64_t>& touched_by, bool by_program);
  void write_ended(run_rows& into, const numa::census& seen, const std::vector<std::int64_t>& touched_by);
  void find_toucher(const data_array& array, const users& by, const numa::census& seen,
                    const std::vector<std::int64_t>& touched_by);
  void write_touch(store::execution::array& row, const data_array& array) const;
  void write_uses(run_rows& into, std::int64_t number, const data_array& array, const users& by);
  void write_places(run_rows& into, std::int64_t number, const data_array& array, const numa::census& seen) const;
  void write_anonymous(run_rows& into, const std::vector<data_array>& known, const numa::census& seen,
                       const std::vector<std::int64_t>& touched_by) const;
  std::int64_t node_of(int os_index) const noexcept;
  std::int64_t assumed_node(std::size_t part) const noexcept;

  const machine& where_;
  const std::vector<worker_place>& places_;
  numa::numa_kernel* kernel_;
  std::vector<use_of> uses_;
  std::vector<first_touch> parts_;        // of the array at hand
  std::vector<std::uint64_t> used_here_;  // bytes of it by node
};

}  // namespace jackdaw::detail
