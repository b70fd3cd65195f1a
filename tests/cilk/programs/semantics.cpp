#include <cilk/cilk.h>
#include <cilk/cilk_api.h>
#include <cstdio>
#include <list>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

static int failures = 0;
#define CHECK(what)                                            \
  do {                                                         \
    if (!(what)) {                                             \
      ++failures;                                              \
      std::printf("line %d: %s is false\n", __LINE__, #what);  \
    }                                                          \
  } while (0)

static int twice(int a) { return 2 * a; }
static void add_to(int& sum, int what) { sum += what; }
static std::size_t length(const std::string& of) { return of.size(); }
static std::size_t length_of_copy(std::string of) { return of.size(); }
static std::unique_ptr<int> pass(std::unique_ptr<int> given) { return given; }
static int first_of(const std::vector<int>& v) { return v.at(0); }

struct counter {
  int value = 0;
  int add(int what) { return value += what; }
  int both() {
    int a = cilk_spawn add(1);
    cilk_sync;
    int b;
    b = cilk_spawn this->add(2);
    cilk_sync;
    return a + b;
  }
  virtual int kind() const { return 1; }
  virtual ~counter() = default;
};
struct special : counter {
  int kind() const override { return 2; }
};

// The value is computed before the implicit sync, and locals are destroyed after it.
static int order[3], at = 0;
struct noted {
  ~noted() { order[at++] = 3; }
};
static void child() { order[at++] = 2; }
static int value() { return order[at++] = 1; }
static int returning() {
  noted local;
  cilk_spawn child();
  cilk_sync;
  return value();
}

static void thrower(bool really) {
  if (really) throw std::runtime_error("thrown");
}
static int catching() {
  try {
    cilk_spawn thrower(true);
    cilk_spawn thrower(false);
    cilk_sync;
  } catch (const std::runtime_error&) {
    return 1;
  }
  return 0;
}
static void implicit() { cilk_spawn thrower(true); }
static int touching_local(int n) {
  std::vector<int> local(1000, 1);
  long sum = 0;
  auto work = [&] { for (int i = 0; i < 100; ++i) for (int each : local) sum += each; };
  cilk_spawn work();
  if (n == 0) throw std::logic_error("local is alive until the child has ended");
  cilk_sync;
  return sum == 100000;
}

template <class T>
T power(T base, unsigned n) {
  if (n == 0) return T(1);
  if (n == 1) return base;
  auto left = cilk_spawn power(base, n / 2);
  T right = power<T>(base, n - n / 2);
  cilk_sync;
  return left * right;
}

int main(int argc, char** argv) {
  CHECK(argc >= 1 && argv[0] != nullptr);
  int i = 3;
  int x = cilk_spawn twice(i++);
  CHECK(i == 4);  // arguments are evaluated in the parent
  int sum = 0;
  cilk_sync;
  CHECK(x == 6);
  cilk_spawn add_to(sum, 5);
  cilk_sync;
  sum += cilk_spawn twice(4);
  sum += cilk_spawn twice(1);
  cilk_sync;
  CHECK(sum == 15);

  std::size_t a, b, c;
  std::string text = "abc";
  a = cilk_spawn length(text);
  b = cilk_spawn length_of_copy("temporary");
  c = cilk_spawn length(text + "def");
  cilk_sync;
  CHECK(a == 3 && b == 9 && c == 6);
  auto owned = std::make_unique<int>(7);
  std::unique_ptr<int> back = cilk_spawn pass(std::move(owned));
  cilk_sync;
  CHECK(back && *back == 7 && !owned);
  int front = cilk_spawn first_of({4, 5});
  cilk_sync;
  CHECK(front == 4);

  counter on;
  CHECK(on.both() == 4);
  int added = cilk_spawn on.add(10);
  cilk_sync;
  CHECK(added == 13 && on.value == 13);
  special of;
  const counter* base = &of;
  int kind = cilk_spawn base->kind();
  cilk_sync;
  CHECK(kind == 2);
  int (*pointer)(int) = twice;
  int through = cilk_spawn pointer(21);
  cilk_sync;
  CHECK(through == 42);
  auto lambda = [&](int by) { return i * by; };
  int multiplied = cilk_spawn lambda(2);
  cilk_sync;
  CHECK(multiplied == 8);
  CHECK(power(2ull, 10) == 1024 && power(1.5, 2) == 2.25);

  std::vector<int> squares(40);
  for (int j = 0; j < 40; ++j) squares[j] = cilk_spawn twice(j);
  cilk_sync;
  for (int j = 0; j < 40; ++j) CHECK(squares[j] == 2 * j);
  if (argc > 0) cilk_spawn add_to(sum, 1); else cilk_spawn add_to(sum, 2);
  cilk_sync;
  CHECK(sum == 16);
  int inside = 0;
  cilk_scope {
    cilk_spawn add_to(inside, 1);
    cilk_spawn { inside += 0; add_to(i, 1); }
  }
  CHECK(inside == 1 && i == 5);

  CHECK(returning() == 1 && order[0] == 2 && order[1] == 1 && order[2] == 3);
  CHECK(catching() == 1);
  bool caught = false;
  try { implicit(); } catch (const std::runtime_error&) { caught = true; }
  CHECK(caught);
  CHECK(touching_local(1) == 1);
  caught = false;
  try { touching_local(0); } catch (const std::logic_error&) { caught = true; }
  CHECK(caught);

  // Loops of every kind.
  std::vector<int> hits(100, 0);
  cilk_for (unsigned j = 0; j != 100; ++j) hits[j]++;
  cilk_for (int j = 99; j >= 0; --j) hits[j]++;
  cilk_for (long j = 0; j <= 99; j += 3) hits[j]++;
  cilk_for (int j = 100; j > 0; j -= 3) hits[j - 1]++;
  cilk_for (auto each = hits.begin(); each != hits.end(); ++each) *each += 10;
  cilk_for (int* each = hits.data(); each < hits.data() + 100; each += 2) *each += 100;
  cilk_for (int j = 0; 100 > j; j = j + 1) hits[j] += 1000;
  cilk_for (int j = 5; j < 5; ++j) hits[j] = -1;
  cilk_for (unsigned char j = 0; j < 100; ++j) {
    if (j % 2) continue;
    int t = cilk_spawn twice(j);
    cilk_sync;
    hits[j] += t;
  }
  for (int j = 0; j < 100; ++j) {
    const int e = 2 + (j % 3 == 0) + ((99 - j) % 3 == 0) + 10 + (j % 2 == 0 ? 100 + 2 * j : 0) + 1000;
    CHECK(hits[j] == e);
  }
  CHECK(__cilkrts_get_nworkers() >= 1);
  CHECK(__cilkrts_get_worker_number() < static_cast<unsigned>(__cilkrts_get_nworkers()));
  std::printf("%d failures\n", failures);
  return failures != 0;
}
