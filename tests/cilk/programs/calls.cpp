// How others write spawned calls: results in elements, through pointers and compound assignments, of every callable.
#include <cilk/cilk.h>

#include <array>
#include <cstdarg>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "check.h"

namespace outer {
namespace inner {
int triple(int x) { return 3 * x; }
struct box {
  static int negate(int x) { return -x; }
  template <class T>
  static T same(T x) { return x; }
};
}  // namespace inner
}  // namespace outer

static int twice(int x) { return 2 * x; }
static int plus(int a, int b) { return a + b; }
static int defaulted(int a, int b = 10, int c = 100) { return a + b + c; }
static int counter = 0;
static int next_number() { return ++counter; }
static int with_effect(int a, int b = next_number()) { return a + b; }
namespace with_defaults {
static std::string named = "named";
static int here() { return ++counter; }
// Its names are looked up here; so are those of constants between.
int many(int a, int b = 4, std::string text = named + "!", const std::string& same = named, int c = here()) {
  return a + b + c + static_cast<int>(text.size()) + (&same == &named ? 1000 : 0);
}
}  // namespace with_defaults
static int sum_of(int count, ...) {
  va_list list;
  va_start(list, count);
  int sum = 0;
  for (int i = 0; i < count; ++i) sum += va_arg(list, int);
  va_end(list);
  return sum;
}
static double half(double x) { return x / 2; }
static void store(int* to, int value) { *to = value; }
static int& element(std::vector<int>& v, int i) { return v[static_cast<unsigned>(i)]; }
static std::string join(std::string a, const std::string& b) { return a + b; }
static int own(std::unique_ptr<int> p) { return *p; }
static int view(const int& x) { return x; }
static void swap_them(int& a, int& b) { std::swap(a, b); }
static std::pair<int, int> both(int a) { return {a, a + 1}; }

struct functor {
  int by;
  int operator()(int x) const { return by * x; }
  int operator[](int x) const { return by + x; }
};
struct matrix {
  std::array<int, 4> v{};
  matrix& operator+=(const matrix& other) {
    for (unsigned i = 0; i < 4; ++i) v[i] += other.v[i];
    return *this;
  }
};
static matrix unit(int x) {
  matrix m;
  m.v = {x, 0, 0, x};
  return m;
}
class token {  // no default constructor, not assignable
 public:
  explicit token(int v) : v_(v) {}
  token(token&&) = default;
  token& operator=(token&&) = delete;
  int value() const { return v_; }

 private:
  int v_;
};
static token made(int v) { return token(v); }

static void results() {
  int x[8] = {};
  int *p = x, a = 0;
  *p++ = cilk_spawn twice(a++);
  *p++ = cilk_spawn twice(a++);
  p[0] = cilk_spawn twice(a++);
  p++;
  *p = cilk_spawn twice(a++);
  cilk_sync;
  CHECK(x[0] == 0 && x[1] == 2 && x[2] == 4 && x[3] == 6 && a == 4 && p == x + 3);
  int i = 4;
  x[i++] = cilk_spawn twice(i);
  cilk_sync;
  CHECK(i == 5 && (x[4] == 8 || x[4] == 10));
  int sum = 1;
  sum += cilk_spawn twice(2);
  sum -= cilk_spawn twice(1);
  sum *= cilk_spawn plus(1, 2);
  cilk_sync;
  CHECK(sum == 9);
  auto y = cilk_spawn twice(21);
  const int z = cilk_spawn twice(4);
  int u = cilk_spawn twice(1), v = cilk_spawn twice(2);
  int w{cilk_spawn twice(6)};
  int q(cilk_spawn twice(7));
  cilk_sync;
  CHECK(y == 42 && z == 8 && u == 2 && v == 4 && w == 12 && q == 14);
  double d = cilk_spawn twice(3);
  long l;
  l = cilk_spawn twice(5);
  bool yes = cilk_spawn twice(1);
  cilk_sync;
  CHECK(d == 6.0 && l == 10 && yes);
  token t = cilk_spawn made(5);
  const token c = cilk_spawn made(6);
  std::pair<int, int> pr = cilk_spawn both(3);
  cilk_sync;
  CHECK(t.value() == 5 && c.value() == 6 && pr.first == 3 && pr.second == 4);
  std::map<std::string, int> table;
  int& slot = table["a"];
  slot = cilk_spawn twice(8);
  cilk_sync;
  CHECK(table["a"] == 16);
  matrix m;
  m += cilk_spawn unit(1);
  m += cilk_spawn unit(2);
  cilk_sync;
  CHECK(m.v[0] == 3 && m.v[3] == 3 && m.v[1] == 0);
  struct { int field; int list[2]; } s = {0, {0, 0}}, *ps = &s;
  s.field = cilk_spawn twice(3);
  ps->list[1] = cilk_spawn twice(4);
  cilk_sync;
  CHECK(s.field == 6 && s.list[1] == 8);
  (void)cilk_spawn twice(1);
  std::string text = cilk_spawn join("a", "b");
  cilk_sync;
  text = cilk_spawn join(std::string("c") + "d", text + "x");
  cilk_sync;
  CHECK(text.substr(0, 2) == "cd");
}

static void callables() {
  int a = cilk_spawn outer::inner::triple(2);
  int b = cilk_spawn outer::inner::box::negate(2);
  int c = cilk_spawn outer::inner::box::same<int>(2);
  int d = cilk_spawn ::twice(2);
  cilk_sync;
  CHECK(a == 6 && b == -2 && c == 2 && d == 4);
  functor f{3};
  const functor* pf = &f;
  int e = cilk_spawn f(2);
  int g = cilk_spawn (*pf)(3);
  int h = cilk_spawn functor{4}(2);
  int i = cilk_spawn [](int x) { return x + 1; }(5);
  int captured = 7;
  int j = cilk_spawn [&captured](int x) { return x + captured; }(5);
  int k = cilk_spawn [=] { return captured; }();
  cilk_sync;
  CHECK(e == 6 && g == 9 && h == 8 && i == 6 && j == 12 && k == 7);
  std::function<int(int, int)> any = plus;
  int l = cilk_spawn any(3, 4);
  int (*table[2])(int) = {twice, outer::inner::triple};
  int m = cilk_spawn table[1](5);
  int n = cilk_spawn (*table[0])(5);
  auto* const fp = &twice;
  int o = cilk_spawn fp(9);
  cilk_sync;
  CHECK(l == 7 && m == 15 && n == 10 && o == 18);
  cilk_spawn [&] { captured = 8; }();
  cilk_sync;
  CHECK(captured == 8);
  int p = cilk_spawn f.operator()(5);
  int q = cilk_spawn f.operator[](5);
  int r = cilk_spawn std::plus<int>()(5, 6);
  int s = cilk_spawn std::max(3, 4);
  cilk_sync;
  CHECK(p == 15 && q == 8 && r == 11 && s == 4);
}

static void arguments() {
  int a = cilk_spawn defaulted(1);
  int b = cilk_spawn defaulted(1, 2);
  counter = 0;
  int c = cilk_spawn with_effect(100);
  CHECK(counter == 1);  // default arguments too are evaluated before the spawn
  const std::string here = "hides what the default argument calls";
  int many = cilk_spawn with_defaults::many(1);
  int some = cilk_spawn with_defaults::many(1, 2, "abc");
  CHECK(counter == 3);
  int d = cilk_spawn sum_of(3, 1, 2, 3);
  double e = cilk_spawn half(3);
  cilk_sync;
  CHECK(many == 1 + 4 + 2 + 6 + 1000 && some == 1 + 2 + 3 + 3 + 1000 && !here.empty());
  CHECK(a == 111 && b == 103 && c == 101 && d == 6 && e == 1.5);
  int target = 0;
  cilk_spawn store(&target, 4);
  cilk_sync;
  CHECK(target == 4);
  std::vector<int> v(3);
  cilk_spawn element(v, 1);
  int f = cilk_spawn own(std::make_unique<int>(5));
  auto kept = std::make_unique<int>(6);
  int g = cilk_spawn own(std::move(kept));
  int h = cilk_spawn view(3 + 4);
  cilk_sync;
  CHECK(f == 5 && g == 6 && !kept && h == 7);
  int x = 1, y = 2;
  cilk_spawn swap_them(x, y);
  cilk_sync;
  CHECK(x == 2 && y == 1);
  int i = cilk_spawn plus(twice(1), twice(5));
  cilk_sync;
  CHECK(i == 12);
}

int main() {
  results();
  callables();
  arguments();
  printf("%d failures\n", failures);
  return failures != 0;
}
