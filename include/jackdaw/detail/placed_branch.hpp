#pragma once

#include <memory>
#include <span>
#include <type_traits>

#include "jackdaw/detail/export.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw {
class affinity;
}

namespace jackdaw::detail {

/// The work of a branch, and the workers that it prefers (null: no preference).
struct branch_terms {
  double amount = 0;
  const affinity* where = nullptr;
};

/// A branch of an invoke that is not in the lower tier, where forks are rare and expensive. The branch's type is
/// erased, so that what follows is compiled once, in the library, and not for each invoke of a program.
struct placed_branch {
  /// `branch` has to outlive this.
  template <class F>
  placed_branch(F& branch, const branch_terms& said) noexcept : terms(said) {
    if constexpr (std::is_function_v<F>) {
      function = reinterpret_cast<void*>(&branch);
      call = [](void* f) { static_cast<void>(reinterpret_cast<F*>(f)()); };
    } else {
      function = const_cast<void*>(static_cast<const volatile void*>(std::addressof(branch)));
      call = [](void* f) { static_cast<void>((*static_cast<F*>(f))()); };
    }
  }

  void operator()() const { call(function); }

  void* function;
  void (*call)(void* function);
  branch_terms terms;
};

/// Makes every branch a child that the scheduler places, those with an affinity first. In a recorded runtime every
/// branch runs in place, in serial order. Outside of tasks all of this is a root of the default runtime. `site` is the
/// place of the invoke.
void place_branches(const void* site, std::span<const placed_branch> branches);

bool outside_of_tasks() noexcept;
/// Outside of tasks: runs a function as a root of the default runtime.
void run_as_root(const placed_branch& function);

}  // namespace jackdaw::detail

JACKDAW_EXPORT_END
