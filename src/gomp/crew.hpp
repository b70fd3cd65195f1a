#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <vector>

#include "gomp/carrier.hpp"
#include "jackdaw/runtime.hpp"

namespace jackdaw::gomp {

class pool;

/// The runtime's workers as carriers. Member i is on worker i; worker 0 carries none, because member 0 is on the thread
/// that opens the region. One pool has all of them for good, the first that wants any: another one's members
/// must not find its thread-local variables.
class crew {
 public:
  static crew& of_process() noexcept;

  /// Returns the carrier on that worker; null if there is none, or another pool has them. `size`: how many members the
  /// region has for which the runtime starts now, if it has not.
  carrier* take(const pool& by, unsigned worker, unsigned size);
  /// The pool goes. If it has the workers, nobody gets them any more.
  void retire(const pool& by) noexcept;
  void forget() noexcept;

 private:
  void start(unsigned size);

  lock lock_;
  const pool* owner_ = nullptr;
  bool closed_ = false;                  // there are no workers to be had
  jackdaw::runtime* runtime_ = nullptr;  // never ends: its workers may be about to leave a barrier
  std::vector<std::unique_ptr<carrier>> carriers_;
};

}  // namespace jackdaw::gomp
