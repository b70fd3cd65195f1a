// Spawns in constructors, members, templates, virtual functions, operators, destructors and lambdas.
#include <cilk/cilk.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "check.h"

class tree {
 public:
  tree(int depth) : value_(depth) {
    if (depth > 0) {
      cilk_spawn make(left_, depth - 1);
      make(right_, depth - 1);
      cilk_sync;
    }
  }
  int count() const {
    if (!left_) return 1;
    int l = cilk_spawn left_->count();
    int r = right_->count();
    cilk_sync;
    return l + r + 1;
  }
  int sum() const {
    int l = 0, r = 0;
    if (left_) l = cilk_spawn left_->sum();
    if (right_) r = right_->sum();
    cilk_sync;
    return l + r + value_;
  }
  ~tree() {
    cilk_spawn left_.reset();
    right_.reset();
  }

 private:
  static void make(std::unique_ptr<tree>& at, int depth) { at = std::make_unique<tree>(depth); }
  std::unique_ptr<tree> left_, right_;
  int value_;
};

struct shape {
  virtual ~shape() = default;
  virtual double area() const = 0;
  virtual shape& grow(double by) = 0;
};
struct square : shape {
  explicit square(double s) : s(s) {}
  double area() const override { return s * s; }
  shape& grow(double by) override { s *= by; return *this; }
  double s;
};
struct rectangle final : shape {
  rectangle(double a, double b) : a(a), b(b) {}
  double area() const override { return a * b; }
  shape& grow(double by) override { a *= by; b *= by; return *this; }
  double a, b;
};

template <class It>
void merge_sort(It first, It last) {
  if (last - first < 16) {
    std::sort(first, last);
    return;
  }
  const It middle = first + (last - first) / 2;
  cilk_spawn merge_sort(first, middle);
  cilk_spawn merge_sort(middle, last);
  cilk_sync;
  std::inplace_merge(first, middle, last);
}

template <class It, class T, class Op>
T accumulate_in_parallel(It first, It last, T start, Op op) {
  const auto n = std::distance(first, last);
  if (n < 8) return std::accumulate(first, last, start, op);
  It middle = first;
  std::advance(middle, n / 2);
  T left = cilk_spawn accumulate_in_parallel(first, middle, start, op);
  T right = accumulate_in_parallel(middle, last, start, op);
  cilk_sync;
  return op(left, right);
}

template <typename T, int N>
struct fixed {
  T data[N];
  template <class F>
  void apply(F f) {
    cilk_for (int i = 0; i < N; ++i) data[i] = f(data[i]);
  }
  template <class F>
  void each_half(F&& f) {
    cilk_spawn this->template range<F&>(0, N / 2, f);
    range<F&>(N / 2, N, f);
  }
  template <class F>
  void range(int from, int to, F f) {
    for (int i = from; i < to; ++i) f(data[i]);
  }
  static T total(const fixed& of) {
    T sum = 0;
    for (const T& each : of.data) sum += each;
    return sum;
  }
  T twice() const {
    T a = cilk_spawn total(*this);
    T b = cilk_spawn fixed<T, N>::total(*this);
    cilk_sync;
    return a + b;
  }
};

template <class T> T fib(T n) {
  if (n < 2) return n;
  T x, y;
  x = cilk_spawn fib<T>(n - 1);
  y = cilk_spawn fib(n - 2);
  cilk_sync;
  return x + y;
}
template int fib<int>(int);

template <class... T>
int count_all(T... of) {
  return sizeof...(of);
}
template <class... T>
int pack(T... of) {
  int n = cilk_spawn count_all(of...);
  cilk_sync;
  return n;
}

struct vec {
  double x = 0, y = 0;
  friend vec operator+(const vec& a, const vec& b) {
    vec r;
    cilk_spawn set(r.x, a.x + b.x);
    set(r.y, a.y + b.y);
    return r;
  }
  static void set(double& at, double to) { at = to; }
  explicit operator bool() const { return x != 0; }
};

struct grid {
  std::vector<int> cells = std::vector<int>(64);
  int width = 8;
  int& at(int i, int j) { return cells[i * width + j]; }
  void fill() {
    cilk_for (int i = 0; i < width; ++i)
      cilk_for (int j = 0; j < width; ++j)
        at(i, j) = i * width + j;
  }
  struct cursor {
    grid* of;
    int row(int i) { int s = 0; for (int j = 0; j < of->width; ++j) s += of->at(i, j); return s; }
  };
  int all() {
    cursor c{this};
    std::vector<int> rows(width);
    cilk_for (int i = 0; i < width; ++i) { rows[i] = cilk_spawn c.row(i); }
    return std::accumulate(rows.begin(), rows.end(), 0);
  }
};

int main() {
  {
    tree t(6);
    CHECK(t.count() == 127 && t.sum() == 120);
  }
  square s(2);
  rectangle r(2, 3);
  std::vector<shape*> shapes{&s, &r};
  std::vector<double> areas(2);
  for (std::size_t i = 0; i < shapes.size(); ++i) areas[i] = cilk_spawn shapes[i]->area();
  cilk_sync;
  CHECK(areas[0] == 4 && areas[1] == 6);
  cilk_spawn s.grow(2).grow(2);
  cilk_spawn shapes[1]->grow(2);
  cilk_sync;
  CHECK(s.s == 8 && r.a == 4);
  double qualified = cilk_spawn r.rectangle::area();
  cilk_sync;
  CHECK(qualified == 24);
  std::vector<int> v(500);
  for (int i = 0; i < 500; ++i) v[i] = i * 37 % 500;
  merge_sort(v.begin(), v.end());
  CHECK(std::is_sorted(v.begin(), v.end()));
  CHECK(accumulate_in_parallel(v.begin(), v.end(), 0L, std::plus<>()) == 499L * 250);
  std::vector<std::string> words{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"};
  CHECK(accumulate_in_parallel(words.begin(), words.end(), std::string(), std::plus<>()) == "abcdefghij");
  fixed<int, 10> f{};
  f.apply([](int x) { return x + 3; });
  f.each_half([](int& x) { x *= 2; });
  CHECK((fixed<int, 10>::total(f) == 60) && f.twice() == 120);
  CHECK(fib(12) == 144 && fib<long>(13) == 233);
  CHECK(pack(1, 2.0, 'c') == 3);
  vec a;
  a.x = 1;
  vec b = a + a;
  CHECK(b.x == 2 && b.y == 0);
  grid g;
  g.fill();
  CHECK(g.all() == 63 * 32);
  auto recursive = [](auto&& self, int n) -> int {
    if (n < 2) return n;
    int x = cilk_spawn self(self, n - 1);
    int y = self(self, n - 2);
    cilk_sync;
    return x + y;
  };
  CHECK(recursive(recursive, 10) == 55);
  std::function<int(int)> named = [&](int n) {
    if (n < 2) return n;
    int x = cilk_spawn named(n - 1), y = named(n - 2);
    cilk_sync;
    return x + y;
  };
  CHECK(named(10) == 55);
  printf("%d failures\n", failures);
  return failures != 0;
}
