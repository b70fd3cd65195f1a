// Bitwise or.
#pragma once
#include <cilk/reducer.h>

#ifdef __cplusplus
namespace cilk {

template <class T, bool Align = false>
struct op_or : monoid_base<T> {
  static void identity(T* at) { ::new (static_cast<void*>(at)) T(0); }
  static void reduce(T* left, T* right) { *left |= *right; }
};

/// The older style: operators of the reducer itself.
template <class T>
class reducer_opor : public reducer<op_or<T>> {
 public:
  reducer_opor() : reducer<op_or<T>>(T(0)) {}
  explicit reducer_opor(const T& first) : reducer<op_or<T>>(first) {}

  /// What `r = r | x` assigns.
  struct rhs {
    T by;
    rhs operator|(const T& x) const { return {static_cast<T>(by | x)}; }
  };
  rhs operator|(const T& x) const { return {static_cast<T>(x)}; }
  reducer_opor& operator|=(const T& x) {
    this->view() |= x;
    return *this;
  }
  reducer_opor& operator=(const rhs& x) {
    this->view() |= x.by;
    return *this;
  }
};

}  // namespace cilk
#endif
