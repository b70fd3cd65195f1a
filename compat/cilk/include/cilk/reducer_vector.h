// Vectors in serial order.
#pragma once
#include <cilk/reducer.h>

#include <iterator>
#include <vector>

namespace cilk {

template <class T, class A = std::allocator<T>>
struct op_vector : monoid_base<std::vector<T, A>> {
  static void reduce(std::vector<T, A>* left, std::vector<T, A>* right) {
    left->insert(left->end(), std::make_move_iterator(right->begin()), std::make_move_iterator(right->end()));
  }
};
template <class T, class A = std::allocator<T>>
class reducer_vector : public reducer<op_vector<T, A>> {
 public:
  using reducer<op_vector<T, A>>::reducer;
  void push_back(const T& with) { this->view().push_back(with); }
};

}  // namespace cilk
