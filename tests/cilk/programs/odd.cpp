// Corners: const members, structured bindings, references as results, constexpr, threads' locals, nested classes.
#include <cilk/cilk.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <variant>
#include <vector>

#include "check.h"

static int twice(int x) { return 2 * x; }
static std::tuple<int, std::string> pair_of(int x) { return {x, std::to_string(x)}; }
static std::optional<int> maybe(int x) { return x > 0 ? std::optional<int>(x) : std::nullopt; }
static std::vector<int> numbers(int n) { return std::vector<int>(n, n); }
static const std::string& same(const std::string& s) { return s; }
static std::string_view first(std::string_view s) { return s.substr(0, 1); }
static void fill(std::vector<int>& v, int from, int to) { for (int i = from; i < to; ++i) v[i] = i; }
template <class... A> static int total(A... a) { return (a + ... + 0); }
template <class T, class U = T> static auto sum_of(T a, U b) -> decltype(a + b) { return a + b; }
template <class T> struct node {
  T value{};
  std::unique_ptr<node> next;
  static std::unique_ptr<node> list(int n) {
    if (n == 0) return nullptr;
    auto made = std::make_unique<node>();
    made->value = static_cast<T>(n);
    made->next = cilk_spawn list(n - 1);
    cilk_sync;
    return made;
  }
  template <class F> void each(F&& f) {
    cilk_spawn f(value);
    if (next) next->each(f);
  }
};
class counter {
 public:
  counter& add(int n) & { __atomic_fetch_add(&n_, n, __ATOMIC_RELAXED); return *this; }
  int get() const noexcept { return n_; }
  void run() noexcept(false) {
    auto* self = this;
    cilk_spawn self->add(1);
    cilk_spawn (*self).add(2);
    cilk_spawn [this](int n) { add(n); }(3);
    cilk_for (int i = 0; i < 10; ++i) add(i);
    cilk_for (int i = 0; i < 10; ++i) { this->n_ += 0; cilk_spawn add(1); }
  }
  int operator()(int by) { cilk_spawn add(by); cilk_sync; return n_; }

 private:
  int n_ = 0;
};
enum class mode { fast, slow };
static int by_mode(mode m) {
  int r;
  switch (m) {
    case mode::fast: r = cilk_spawn twice(1); break;
    case mode::slow: r = cilk_spawn twice(2); break;
  }
  cilk_sync;
  return r;
}
static int shadow(int x) {
  int y = 0;
  {
    int x = 5;
    cilk_spawn [&] { y = x; }();
    cilk_sync;
  }
  if (int x = twice(y); x == 10) {
    int z = cilk_spawn twice(x);
    cilk_sync;
    return z + ::twice(x);
  }
  return x;
}
struct base {
  virtual int f(int x) { return x; }
  virtual ~base() = default;
};
struct derived : base {
  int f(int x) override {
    int a = cilk_spawn base::f(x);
    int b = cilk_spawn this->base::f(x + 1);
    cilk_sync;
    return a + b;
  }
};
static constexpr int limit = 12;
static auto deduced(int n) {
  if (n < 2) return n;
  int x = cilk_spawn twice(n);
  cilk_sync;
  return x;
}
static int by_tail(int n) {
  int a = cilk_spawn twice(n);
  int b = twice(n);
  cilk_sync;
  return [&] { return a + b; }();
}
static std::vector<int> returned(int n) {
  std::vector<int> v(n);
  cilk_spawn fill(v, 0, n / 2);
  fill(v, n / 2, n);
  return v;
}
static std::vector<int> returned_synced(int n) {
  std::vector<int> v(n);
  cilk_spawn fill(v, 0, n / 2);
  fill(v, n / 2, n);
  cilk_sync;
  return v;
}

int main() {
  std::tuple<int, std::string> t = cilk_spawn pair_of(4);
  auto t2 = cilk_spawn pair_of(5);
  std::optional<int> o = cilk_spawn maybe(3);
  std::vector<int> v;
  v = cilk_spawn numbers(3);
  const std::vector<int>& kept = cilk_spawn numbers(2);
  auto&& forwarded = cilk_spawn numbers(4);
  std::string s = "abc";
  std::string copy = cilk_spawn same(s);
  std::string_view view = cilk_spawn first(s);
  cilk_sync;
  auto& [number, text] = t;
  CHECK(number == 4 && text == "4" && std::get<0>(t2) == 5 && *o == 3 && v.size() == 3 && kept.size() == 2);
  CHECK(forwarded.size() == 4 && copy == "abc" && view == "a");
  auto [p, q] = std::make_pair(1, 2);
  int r = cilk_spawn total(p, q, 3);
  double d = cilk_spawn sum_of<int, double>(1, 2.5);
  long l = cilk_spawn sum_of(1L, 2);
  int w = cilk_spawn std::max<int>({4, 9, 2});
  cilk_sync;
  CHECK(r == 6 && d == 3.5 && l == 3 && w == 9);
  auto list = node<long>::list(5);
  long all = 0;
  list->each([&](long x) { __atomic_fetch_add(&all, x, __ATOMIC_RELAXED); });
  CHECK(all == 15);
  counter c;
  c.run();
  CHECK(c.get() == 6 + 45 + 10 && c(4) == 65);
  CHECK(by_mode(mode::slow) == 4 && shadow(1) == 40 && derived().f(3) == 7 && deduced(4) == 8 && by_tail(2) == 8);
  std::array<int, limit> a{};
  cilk_for (auto i = 0u; i < a.size(); ++i) a[i] = static_cast<int>(i);
  cilk_for (std::size_t i = a.size(); i > 0; --i) a[i - 1] *= 2;
  CHECK(a[11] == 22);
  for (int n : {10, 50}) {
    auto x = returned(n), y = returned_synced(n);
    bool good = true;
    for (int i = 0; i < n; ++i) good = good && x[i] == i && y[i] == i;
    CHECK(good);
  }
  std::variant<int, std::string> either = 3;
  std::visit([&](auto& held) {
    cilk_spawn [&] { if constexpr (std::is_same_v<std::decay_t<decltype(held)>, int>) held = 7; }();
    cilk_sync;
  }, either);
  CHECK(std::get<0>(either) == 7);
  auto generic = [](auto x) { auto y = cilk_spawn twice(x); cilk_sync; return y; };
  CHECK(generic(4) == 8);
  std::vector<std::vector<int>> rows(8, std::vector<int>(8));
  cilk_for (auto row = rows.begin(); row != rows.end(); ++row)
    cilk_for (auto cell = row->begin(); cell != row->end(); ++cell)
      *cell = static_cast<int>(cell - row->begin());
  CHECK(rows[7][7] == 7);
  struct local { int v; int plus(int x) const { return v + x; } } here{3};
  int m = cilk_spawn here.plus(4), k = cilk_spawn local{5}.plus(1);
  cilk_sync;
  CHECK(m == 7 && k == 6);
  int parts[2][3] = {};
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j)
      parts[i][j] = cilk_spawn twice(3 * i + j);
  cilk_sync;
  CHECK(parts[1][2] == 10);
  int (counter::*get)() const = nullptr;
  (void)get;
  printf("%d failures\n", failures);
  return failures != 0;
}
