// A variable that each strand has for itself.
#pragma once
#include <cilk/reducer.h>

namespace cilk {

template <class T>
struct op_holder : monoid_base<T> {
  static void reduce(T*, T*) {}
};
template <class T>
class holder : public reducer<op_holder<T>> {
 public:
  using reducer<op_holder<T>>::reducer;
  T& operator()() { return this->view(); }
  operator T&() { return this->view(); }
  template <class U>
  holder& operator=(U&& with) {
    this->view() = std::forward<U>(with);
    return *this;
  }
};

}  // namespace cilk
