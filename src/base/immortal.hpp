#pragma once

namespace jackdaw::detail {

/// A static object that is never destroyed: threads go on, and may hold its lock, while the process exits.
template <class T>
union immortal {
  immortal() : it() {}
  ~immortal() {}
  immortal(const immortal&) = delete;
  immortal& operator=(const immortal&) = delete;

  T it;
};

}  // namespace jackdaw::detail
