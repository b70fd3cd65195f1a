// Strings in serial order.
#pragma once
#include <cilk/reducer.h>

#include <string>

namespace cilk {

template <class C, class R = std::char_traits<C>, class A = std::allocator<C>, bool Align = false>
struct op_basic_string : monoid_base<std::basic_string<C, R, A>> {
  static void reduce(std::basic_string<C, R, A>* left, std::basic_string<C, R, A>* right) { left->append(*right); }
};
using op_string = op_basic_string<char>;
using op_wstring = op_basic_string<wchar_t>;

template <class C>
class reducer_basic_string : public reducer<op_basic_string<C>> {
 public:
  using reducer<op_basic_string<C>>::reducer;
  template <class U>
  reducer_basic_string& operator+=(const U& with) {
    this->view() += with;
    return *this;
  }
  template <class... U>
  void append(const U&... with) {
    this->view().append(with...);
  }
};
using reducer_string = reducer_basic_string<char>;
using reducer_wstring = reducer_basic_string<wchar_t>;

}  // namespace cilk
