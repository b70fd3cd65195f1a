// Hyperobjects as Cilk Plus has them. In C++ cilk::reducer<M> with a monoid M; in C CILK_C_DECLARE_REDUCER and others.
#pragma once

#ifndef __cplusplus
#include <cilk/c_reducers.h>
#else
#include <jackdaw_cilk.hpp>

#include <new>
#include <type_traits>
#include <utility>

namespace cilk {

/// What a monoid of the program may derive from.
template <class Value, class View = Value>
struct monoid_base {
  using value_type = Value;
  using view_type = View;
  static void identity(View* at) { ::new (static_cast<void*>(at)) View(); }
  static void destroy(View* at) { at->~View(); }
};

/// A monoid by a view with reduce(View*).
template <class View, bool Align = false>
struct monoid_with_view : monoid_base<typename View::value_type, View> {
  static void reduce(View* left, View* right) { left->reduce(right); }
};

/// A view that holds a value.
template <class T>
class scalar_view {
 public:
  using value_type = T;
  scalar_view() : m_value() {}
  explicit scalar_view(const T& v) : m_value(v) {}
  const T& view_get_value() const { return m_value; }
  void view_set_value(const T& v) { m_value = v; }
  void view_move_in(T& v) { m_value = std::move(v); }
  void view_move_out(T& v) { v = std::move(m_value); }

 protected:
  T m_value;
};

template <class T>
struct move_in_wrapper {
  T& from;
};
template <class T>
move_in_wrapper<T> move_in(T& from) {
  return {from};
}

template <class M>
class reducer {
 public:
  using monoid_type = M;
  using value_type = typename M::value_type;
  using view_type = typename M::view_type;

  /// The identity.
  reducer() {
    identity(&own_);
    begin();
  }
  template <class A, class... B>
  explicit reducer(A&& a, B&&... b) : own_(std::forward<A>(a), std::forward<B>(b)...) {
    begin();
  }
  explicit reducer(move_in_wrapper<value_type> from) : reducer() { move_in(from.from); }
  reducer(const reducer&) = delete;
  reducer& operator=(const reducer&) = delete;
  ~reducer() {
    jackdaw_cilk_end_view(&own_);
    own_.~view_type();
  }

  view_type& view() { return *static_cast<view_type*>(jackdaw_cilk_view(&own_, sizeof(own_), &identity, &reduce)); }
  const view_type& view() const { return const_cast<reducer*>(this)->view(); }
  view_type& operator*() { return view(); }
  const view_type& operator*() const { return view(); }
  view_type* operator->() { return &view(); }
  const view_type* operator->() const { return &view(); }
  reducer& operator()() { return *this; }
  /// The value, a reference to it, or what stands for it: as the view has it.
  decltype(auto) get_value() const {
    if constexpr (requires(const view_type& of) { of.view_get_value(); }) {
      return view().view_get_value();
    } else {
      return (view());
    }
  }
  void set_value(const value_type& to) {
    if constexpr (requires(view_type& of) { of.view_set_value(to); }) {
      view().view_set_value(to);
    } else {
      view() = to;
    }
  }
  void move_in(value_type& from) {
    if constexpr (requires(view_type& of) { of.view_move_in(from); }) {
      view().view_move_in(from);
    } else {
      view() = std::move(from);
    }
  }
  void move_out(value_type& to) {
    if constexpr (requires(view_type& of) { of.view_move_out(to); }) {
      view().view_move_out(to);
    } else {
      to = std::move(view());
    }
  }

 private:
  static bool use() {
    jackdaw_cilk_use_views();
    return true;
  }
  static inline const bool used = use();

  void begin() {
    (void)used;
    jackdaw_cilk_begin_view(&own_, &reduce);
  }
  // A monoid's functions may be static or not.
  static void identity(void* at) { M().identity(static_cast<view_type*>(at)); }
  static void reduce(void* left, void* right) {
    M().reduce(static_cast<view_type*>(left), static_cast<view_type*>(right));
    M().destroy(static_cast<view_type*>(right));
  }

  union {
    view_type own_;
  };
};

}  // namespace cilk
#endif
