// Sums.
#pragma once
#include <cilk/reducer.h>

#ifdef __cplusplus
namespace cilk {

template <class T, bool Align = false>
struct op_add : monoid_base<T> {
  static void identity(T* at) { ::new (static_cast<void*>(at)) T(0); }
  static void reduce(T* left, T* right) { *left += *right; }
};

/// The older style: operators of the reducer itself.
template <class T>
class reducer_opadd : public reducer<op_add<T>> {
 public:
  reducer_opadd() : reducer<op_add<T>>(T(0)) {}
  explicit reducer_opadd(const T& first) : reducer<op_add<T>>(first) {}

  /// What `r = r + x` assigns.
  struct rhs {
    T by;
    rhs operator+(const T& x) const { return {static_cast<T>(by + x)}; }
    rhs operator-(const T& x) const { return {static_cast<T>(by - x)}; }
  };
  rhs operator+(const T& x) const { return {static_cast<T>(x)}; }
  reducer_opadd& operator+=(const T& x) {
    this->view() += x;
    return *this;
  }
  rhs operator-(const T& x) const { return {static_cast<T>(-x)}; }
  reducer_opadd& operator-=(const T& x) {
    this->view() -= x;
    return *this;
  }
  reducer_opadd& operator=(const rhs& x) {
    this->view() += x.by;
    return *this;
  }
  reducer_opadd& operator++() { return *this += T(1); }
  reducer_opadd& operator--() { return *this -= T(1); }
  void operator++(int) { *this += T(1); }
  void operator--(int) { *this -= T(1); }
};

}  // namespace cilk
#endif
