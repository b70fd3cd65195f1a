// Bitwise and.
#pragma once
#include <cilk/reducer.h>

#ifdef __cplusplus
namespace cilk {

template <class T, bool Align = false>
struct op_and : monoid_base<T> {
  static void identity(T* at) { ::new (static_cast<void*>(at)) T(~T(0)); }
  static void reduce(T* left, T* right) { *left &= *right; }
};

/// The older style: operators of the reducer itself.
template <class T>
class reducer_opand : public reducer<op_and<T>> {
 public:
  reducer_opand() : reducer<op_and<T>>(T(~T(0))) {}
  explicit reducer_opand(const T& first) : reducer<op_and<T>>(first) {}

  /// What `r = r & x` assigns.
  struct rhs {
    T by;
    rhs operator&(const T& x) const { return {static_cast<T>(by & x)}; }
  };
  rhs operator&(const T& x) const { return {static_cast<T>(x)}; }
  reducer_opand& operator&=(const T& x) {
    this->view() &= x;
    return *this;
  }
  reducer_opand& operator=(const rhs& x) {
    this->view() &= x.by;
    return *this;
  }
};

}  // namespace cilk
#endif
