// Least and greatest values, and where they are. Of equal ones the first.
#pragma once
#include <cilk/reducer.h>

#ifdef __cplusplus
#include <functional>

namespace cilk {

template <class T, class Less = std::less<T>>
class op_max_view : public scalar_view<T> {
 public:
  op_max_view() = default;
  explicit op_max_view(const T& v) : scalar_view<T>(v), set_(true) {}
  op_max_view& calc_max(const T& v) {
    if (!set_ || better(this->m_value, v)) this->m_value = v, set_ = true;
    return *this;
  }
  bool is_set() const { return set_; }
  void view_set_value(const T& v) { this->m_value = v, set_ = true; }
  void view_move_in(T& v) { this->m_value = std::move(v), set_ = true; }
  void reduce(op_max_view* right) {
    if (right->set_) calc_max(right->m_value);
  }

 private:
  static bool better(const T& m_value, const T& v) { return Less()(m_value, v); }
  bool set_ = false;
};
template <class I, class T, class Less = std::less<T>>
class op_max_index_view : public scalar_view<std::pair<I, T>> {
 public:
  op_max_index_view() = default;
  op_max_index_view(const I& i, const T& v) : scalar_view<std::pair<I, T>>({i, v}), set_(true) {}
  explicit op_max_index_view(const std::pair<I, T>& v) : scalar_view<std::pair<I, T>>(v), set_(true) {}
  op_max_index_view& calc_max(const I& i, const T& v) {
    if (!set_ || better(this->m_value.second, v)) this->m_value = {i, v}, set_ = true;
    return *this;
  }
  op_max_index_view& calc_max(const std::pair<I, T>& v) { return calc_max(v.first, v.second); }
  bool is_set() const { return set_; }
  void view_set_value(const std::pair<I, T>& v) { this->m_value = v, set_ = true; }
  void reduce(op_max_index_view* right) {
    if (right->set_) calc_max(right->m_value);
  }

 private:
  static bool better(const T& m_value, const T& v) { return Less()(m_value, v); }
  bool set_ = false;
};
template <class T, class Less = std::less<T>, bool Align = false>
struct op_max : monoid_with_view<op_max_view<T, Less>> {};
template <class I, class T, class Less = std::less<T>, bool Align = false>
struct op_max_index : monoid_with_view<op_max_index_view<I, T, Less>> {};

/// `*r = max_of(*r, x)`, in any order.
template <class T, class Less, class U>
op_max_view<T, Less>& max_of(op_max_view<T, Less>& of, const U& v) {
  return of.calc_max(v);
}
template <class T, class Less, class U>
op_max_view<T, Less>& max_of(const U& v, op_max_view<T, Less>& of) {
  return of.calc_max(v);
}
template <class I, class T, class Less, class J, class U>
op_max_index_view<I, T, Less>& max_of(op_max_index_view<I, T, Less>& of, const J& i, const U& v) {
  return of.calc_max(i, v);
}
template <class I, class T, class Less, class J, class U>
op_max_index_view<I, T, Less>& max_of(const J& i, const U& v, op_max_index_view<I, T, Less>& of) {
  return of.calc_max(i, v);
}

template <class T, class Less = std::less<T>>
class reducer_max : public reducer<op_max<T, Less>> {
 public:
  using reducer<op_max<T, Less>>::reducer;
  reducer_max& calc_max(const T& v) {
    this->view().calc_max(v);
    return *this;
  }
  bool is_set() const { return this->view().is_set(); }
};
template <class I, class T, class Less = std::less<T>>
class reducer_max_index : public reducer<op_max_index<I, T, Less>> {
 public:
  using reducer<op_max_index<I, T, Less>>::reducer;
  reducer_max_index& calc_max(const I& i, const T& v) {
    this->view().calc_max(i, v);
    return *this;
  }
  bool is_set() const { return this->view().is_set(); }
  const I& get_index() const { return this->view().view_get_value().first; }
  const T& get_value() const { return this->view().view_get_value().second; }
};

template <class T, class Less = std::less<T>>
class op_min_view : public scalar_view<T> {
 public:
  op_min_view() = default;
  explicit op_min_view(const T& v) : scalar_view<T>(v), set_(true) {}
  op_min_view& calc_min(const T& v) {
    if (!set_ || better(this->m_value, v)) this->m_value = v, set_ = true;
    return *this;
  }
  bool is_set() const { return set_; }
  void view_set_value(const T& v) { this->m_value = v, set_ = true; }
  void view_move_in(T& v) { this->m_value = std::move(v), set_ = true; }
  void reduce(op_min_view* right) {
    if (right->set_) calc_min(right->m_value);
  }

 private:
  static bool better(const T& m_value, const T& v) { return Less()(v, m_value); }
  bool set_ = false;
};
template <class I, class T, class Less = std::less<T>>
class op_min_index_view : public scalar_view<std::pair<I, T>> {
 public:
  op_min_index_view() = default;
  op_min_index_view(const I& i, const T& v) : scalar_view<std::pair<I, T>>({i, v}), set_(true) {}
  explicit op_min_index_view(const std::pair<I, T>& v) : scalar_view<std::pair<I, T>>(v), set_(true) {}
  op_min_index_view& calc_min(const I& i, const T& v) {
    if (!set_ || better(this->m_value.second, v)) this->m_value = {i, v}, set_ = true;
    return *this;
  }
  op_min_index_view& calc_min(const std::pair<I, T>& v) { return calc_min(v.first, v.second); }
  bool is_set() const { return set_; }
  void view_set_value(const std::pair<I, T>& v) { this->m_value = v, set_ = true; }
  void reduce(op_min_index_view* right) {
    if (right->set_) calc_min(right->m_value);
  }

 private:
  static bool better(const T& m_value, const T& v) { return Less()(v, m_value); }
  bool set_ = false;
};
template <class T, class Less = std::less<T>, bool Align = false>
struct op_min : monoid_with_view<op_min_view<T, Less>> {};
template <class I, class T, class Less = std::less<T>, bool Align = false>
struct op_min_index : monoid_with_view<op_min_index_view<I, T, Less>> {};

/// `*r = min_of(*r, x)`, in any order.
template <class T, class Less, class U>
op_min_view<T, Less>& min_of(op_min_view<T, Less>& of, const U& v) {
  return of.calc_min(v);
}
template <class T, class Less, class U>
op_min_view<T, Less>& min_of(const U& v, op_min_view<T, Less>& of) {
  return of.calc_min(v);
}
template <class I, class T, class Less, class J, class U>
op_min_index_view<I, T, Less>& min_of(op_min_index_view<I, T, Less>& of, const J& i, const U& v) {
  return of.calc_min(i, v);
}
template <class I, class T, class Less, class J, class U>
op_min_index_view<I, T, Less>& min_of(const J& i, const U& v, op_min_index_view<I, T, Less>& of) {
  return of.calc_min(i, v);
}

template <class T, class Less = std::less<T>>
class reducer_min : public reducer<op_min<T, Less>> {
 public:
  using reducer<op_min<T, Less>>::reducer;
  reducer_min& calc_min(const T& v) {
    this->view().calc_min(v);
    return *this;
  }
  bool is_set() const { return this->view().is_set(); }
};
template <class I, class T, class Less = std::less<T>>
class reducer_min_index : public reducer<op_min_index<I, T, Less>> {
 public:
  using reducer<op_min_index<I, T, Less>>::reducer;
  reducer_min_index& calc_min(const I& i, const T& v) {
    this->view().calc_min(i, v);
    return *this;
  }
  bool is_set() const { return this->view().is_set(); }
  const I& get_index() const { return this->view().view_get_value().first; }
  const T& get_value() const { return this->view().view_get_value().second; }
};

}  // namespace cilk
#endif
