// OpenCilk's sum, used like a variable.
#pragma once
#include <cilk/reducer_opadd.h>

namespace cilk {

template <class T>
class opadd_reducer : public reducer<op_add<T>> {
 public:
  opadd_reducer() : reducer<op_add<T>>(T(0)) {}
  opadd_reducer(const T& first) : reducer<op_add<T>>(first) {}
  operator T&() { return this->view(); }
  operator const T&() const { return this->view(); }
  opadd_reducer& operator=(const T& with) {
    this->view() = with;
    return *this;
  }
};

}  // namespace cilk
