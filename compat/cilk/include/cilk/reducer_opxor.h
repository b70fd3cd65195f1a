// Bitwise exclusive or.
#pragma once
#include <cilk/reducer.h>

#ifdef __cplusplus
namespace cilk {

template <class T, bool Align = false>
struct op_xor : monoid_base<T> {
  static void identity(T* at) { ::new (static_cast<void*>(at)) T(0); }
  static void reduce(T* left, T* right) { *left ^= *right; }
};

/// The older style: operators of the reducer itself.
template <class T>
class reducer_opxor : public reducer<op_xor<T>> {
 public:
  reducer_opxor() : reducer<op_xor<T>>(T(0)) {}
  explicit reducer_opxor(const T& first) : reducer<op_xor<T>>(first) {}

  /// What `r = r ^ x` assigns.
  struct rhs {
    T by;
    rhs operator^(const T& x) const { return {static_cast<T>(by ^ x)}; }
  };
  rhs operator^(const T& x) const { return {static_cast<T>(x)}; }
  reducer_opxor& operator^=(const T& x) {
    this->view() ^= x;
    return *this;
  }
  reducer_opxor& operator=(const rhs& x) {
    this->view() ^= x.by;
    return *this;
  }
};

}  // namespace cilk
#endif
