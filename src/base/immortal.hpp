#pragma once

namespace jackdaw::detail {

/// A static object that is never destroyed, because threads still run, and may hold its lock, while the process exits.
template <class T>
union immortal {
  immortal() : it() {}
  ~immortal() {}
  immortal(const immortal&) = delete;
  immortal& operator=(const immortal&) = delete;

  T it;
};

}  // namespace jackdaw::detail
