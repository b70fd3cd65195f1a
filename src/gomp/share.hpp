#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "gomp/task.hpp"

namespace jackdaw::gomp {

struct doacross;

/// What the members of a team divide among them: a loop's iterations, sections, or who runs a `single`. The shares that
/// a team comes to form a chain, which each member follows at its own pace. Whoever comes first makes the next one;
/// who leaves one last gives it back. So a member may be any number of shares ahead of others. README.md.
struct alignas(64) share {
  // Iteration k, counted from 0, is first + k * step in arithmetic modulo 2^64.
  std::uint64_t count = 0;
  std::uint64_t first = 0;
  std::uint64_t step = 1;
  std::uint64_t end = 0;    ///< what the loop's bound says; the last piece ends there
  std::uint64_t chunk = 1;  ///< 0: each member has one piece (schedule::fixed)
  schedule kind = schedule::fixed;

  void* given = nullptr;                 ///< by GOMP_single_copy_end
  void* memory = nullptr;                ///< that members want in common
  std::uintptr_t* reductions = nullptr;  ///< of the member that came first
  doacross* order = nullptr;

  alignas(64) std::atomic<std::uint64_t> taken{0};  ///< iterations that members have been given
  std::atomic<std::uint64_t> ordered{0};            ///< iterations whose ordered part is over
  std::atomic<bool> furnished{false};               ///< the first member has made `memory` and `reductions`

  alignas(64) std::atomic<share*> next{nullptr};
  std::atomic<unsigned> left{0};  ///< members that have gone on to `next`
  share* link = nullptr;          ///< in the list of unused ones
  share* made_before = nullptr;   ///< in the list of all that the team has made

  void clear() noexcept;
};

}  // namespace jackdaw::gomp
