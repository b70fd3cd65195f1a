// Products.
#pragma once
#include <cilk/reducer.h>

#ifdef __cplusplus
namespace cilk {

template <class T, bool Align = false>
struct op_mul : monoid_base<T> {
  static void identity(T* at) { ::new (static_cast<void*>(at)) T(1); }
  static void reduce(T* left, T* right) { *left *= *right; }
};

/// The older style: operators of the reducer itself.
template <class T>
class reducer_opmul : public reducer<op_mul<T>> {
 public:
  reducer_opmul() : reducer<op_mul<T>>(T(1)) {}
  explicit reducer_opmul(const T& first) : reducer<op_mul<T>>(first) {}

  /// What `r = r * x` assigns.
  struct rhs {
    T by;
    rhs operator*(const T& x) const { return {static_cast<T>(by * x)}; }
  };
  rhs operator*(const T& x) const { return {static_cast<T>(x)}; }
  reducer_opmul& operator*=(const T& x) {
    this->view() *= x;
    return *this;
  }
  reducer_opmul& operator=(const rhs& x) {
    this->view() *= x.by;
    return *this;
  }
};

}  // namespace cilk
#endif
