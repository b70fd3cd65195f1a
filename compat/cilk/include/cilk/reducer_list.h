// Lists in serial order.
#pragma once
#include <cilk/reducer.h>

#include <list>

namespace cilk {

template <class T, class A = std::allocator<T>, bool Align = false>
struct op_list_append : monoid_base<std::list<T, A>> {
  static void reduce(std::list<T, A>* left, std::list<T, A>* right) { left->splice(left->end(), *right); }
};
template <class T, class A = std::allocator<T>, bool Align = false>
struct op_list_prepend : monoid_base<std::list<T, A>> {
  static void reduce(std::list<T, A>* left, std::list<T, A>* right) { left->splice(left->begin(), *right); }
};
template <class T, class A = std::allocator<T>>
class reducer_list_append : public reducer<op_list_append<T, A>> {
 public:
  using reducer<op_list_append<T, A>>::reducer;
  void push_back(const T& with) { this->view().push_back(with); }
};
template <class T, class A = std::allocator<T>>
class reducer_list_prepend : public reducer<op_list_prepend<T, A>> {
 public:
  using reducer<op_list_prepend<T, A>>::reducer;
  void push_front(const T& with) { this->view().push_front(with); }
};

}  // namespace cilk
