#pragma once

namespace jackdaw::detail {

/// A static object that is never destroyed, because threads still run, and may hold its lock, while the process exits.
/// `constinit` where the program's own initialisers may need it, which may run before the library's.
template <class T>
union immortal {
  constexpr immortal() : it() {}
  constexpr ~immortal() {}
  immortal(const immortal&) = delete;
  immortal& operator=(const immortal&) = delete;

  T it;
};

}  // namespace jackdaw::detail
