// Cilk Plus's reducers, the older style: cilk::reducer_opadd<T> and cilk::reducer<cilk::op_add<T>>.
#pragma once

#include <jackdaw_cilk.hpp>

#include <limits>
#include <list>
#include <new>
#include <string>
#include <utility>

namespace cilk {

/// What a monoid of the program may derive from.
template <class V>
struct monoid_base {
  using value_type = V;
  static void identity(V* at) { ::new (static_cast<void*>(at)) V(); }
  static void destroy(V* at) { at->~V(); }
};

template <class M>
class reducer {
 public:
  using value_type = typename M::value_type;

  template <class... A>
  explicit reducer(A&&... a) : own_(std::forward<A>(a)...) {
    (void)used;
    jackdaw_cilk_begin_view(this, &reduce);
  }
  reducer(const reducer&) = delete;
  reducer& operator=(const reducer&) = delete;
  ~reducer() { jackdaw_cilk_end_view(this); }

  value_type& view() { return *at(); }
  const value_type& view() const { return *const_cast<reducer*>(this)->at(); }
  value_type& operator*() { return view(); }
  value_type* operator->() { return at(); }
  reducer& operator()() { return *this; }
  const value_type& get_value() const { return view(); }
  void set_value(const value_type& to) { view() = to; }
  void move_in(value_type& from) { view() = std::move(from); }
  void move_out(value_type& to) { to = std::move(view()); }

 private:
  static bool use() {
    jackdaw_cilk_use_views();
    return true;
  }
  static inline const bool used = use();

  value_type* at() {
    void* const found = jackdaw_cilk_view(this, sizeof(value_type), &identity, &reduce);
    return found == this ? &own_ : static_cast<value_type*>(found);
  }
  static void identity(void* at) { M::identity(static_cast<value_type*>(at)); }
  /// The left view may be the reducer itself, which then stands for the value in it.
  static void reduce(void* left, void* right);

  value_type own_;
};

template <class M>
void reducer<M>::reduce(void* left, void* right) {
  static_assert(offsetof(reducer, own_) == 0, "a reducer begins with its value");
  M::reduce(static_cast<value_type*>(left), static_cast<value_type*>(right));
  M::destroy(static_cast<value_type*>(right));
}

#define JACKDAW_CILK_MONOID(name, initial, combine)                            \
  template <class T>                                                           \
  struct name : monoid_base<T> {                                               \
    static void identity(T* at) { ::new (static_cast<void*>(at)) T(initial); } \
    static void reduce(T* left, T* right) { combine; }                         \
  };                                                                           \
  template <class T>                                                           \
  class reducer_##name : public reducer<name<T>> {                             \
   public:                                                                     \
    reducer_##name() : reducer<name<T>>(T(initial)) {}                         \
    explicit reducer_##name(const T& first) : reducer<name<T>>(first) {}

#define JACKDAW_CILK_OPERATOR(op)                   \
  template <class U>                                \
  auto& operator op(const U & with) {               \
    this->view() op with;                           \
    return *this;                                   \
  }
#define JACKDAW_CILK_END \
  }                      \
  ;

// The names of Cilk Plus are reducer_opadd and op_add.
JACKDAW_CILK_MONOID(opadd, 0, *left += *right)
JACKDAW_CILK_OPERATOR(+=)
JACKDAW_CILK_OPERATOR(-=)
auto& operator++() { return *this += 1; }
auto& operator--() { return *this -= 1; }
void operator++(int) { *this += 1; }
void operator--(int) { *this -= 1; }
JACKDAW_CILK_END
JACKDAW_CILK_MONOID(opmul, 1, *left *= *right)
JACKDAW_CILK_OPERATOR(*=)
JACKDAW_CILK_END
JACKDAW_CILK_MONOID(opand, ~T(0), *left &= *right)
JACKDAW_CILK_OPERATOR(&=)
JACKDAW_CILK_END
JACKDAW_CILK_MONOID(opor, 0, *left |= *right)
JACKDAW_CILK_OPERATOR(|=)
JACKDAW_CILK_END
JACKDAW_CILK_MONOID(opxor, 0, *left ^= *right)
JACKDAW_CILK_OPERATOR(^=)
JACKDAW_CILK_END
JACKDAW_CILK_MONOID(max, std::numeric_limits<T>::lowest(), *left = *left < *right ? *right : *left)
void calc_max(const T& with) {
  if (this->view() < with) this->view() = with;
}
JACKDAW_CILK_END
JACKDAW_CILK_MONOID(min, std::numeric_limits<T>::max(), *left = *right < *left ? *right : *left)
void calc_min(const T& with) {
  if (with < this->view()) this->view() = with;
}
JACKDAW_CILK_END

#undef JACKDAW_CILK_MONOID
#undef JACKDAW_CILK_OPERATOR
#undef JACKDAW_CILK_END

template <class T>
using op_add = opadd<T>;
template <class T>
using op_mul = opmul<T>;
template <class T>
using op_and = opand<T>;
template <class T>
using op_or = opor<T>;
template <class T>
using op_xor = opxor<T>;

template <class T>
struct list_append : monoid_base<std::list<T>> {
  static void reduce(std::list<T>* left, std::list<T>* right) { left->splice(left->end(), *right); }
};
template <class T>
struct list_prepend : monoid_base<std::list<T>> {
  static void reduce(std::list<T>* left, std::list<T>* right) { left->splice(left->begin(), *right); }
};
template <class T>
class reducer_list_append : public reducer<list_append<T>> {
 public:
  void push_back(const T& with) { this->view().push_back(with); }
};
template <class T>
class reducer_list_prepend : public reducer<list_prepend<T>> {
 public:
  void push_front(const T& with) { this->view().push_front(with); }
};

template <class C>
struct basic_string_append : monoid_base<std::basic_string<C>> {
  static void reduce(std::basic_string<C>* left, std::basic_string<C>* right) { left->append(*right); }
};
template <class C>
class reducer_basic_string : public reducer<basic_string_append<C>> {
 public:
  using reducer<basic_string_append<C>>::reducer;
  template <class U>
  auto& operator+=(const U& with) {
    this->view() += with;
    return *this;
  }
  void append(const std::basic_string<C>& with) { this->view() += with; }
};
using reducer_string = reducer_basic_string<char>;
using op_string = basic_string_append<char>;
template <class T>
using op_list_append = list_append<T>;

}  // namespace cilk
