// Reducers as Cilk Plus's and OpenCilk's headers offer them. Non-commutative ones show the serial order.
#include <cilk/cilk.h>
#include <cilk/cilk_api.h>
#include <cilk/holder.h>
#include <cilk/opadd_reducer.h>
#include <cilk/ostream_reducer.h>
#include <cilk/reducer.h>
#include <cilk/reducer_list.h>
#include <cilk/reducer_max.h>
#include <cilk/reducer_min.h>
#include <cilk/reducer_min_max.h>
#include <cilk/reducer_opadd.h>
#include <cilk/reducer_opand.h>
#include <cilk/reducer_opmul.h>
#include <cilk/reducer_opor.h>
#include <cilk/reducer_opxor.h>
#include <cilk/reducer_ostream.h>
#include <cilk/reducer_string.h>
#include <cilk/reducer_vector.h>

#include <cstdint>
#include <iostream>
#include <list>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "check.h"

static const int n = 300;
static std::string letters() {
  std::string s;
  for (int i = 0; i < n; ++i) s += static_cast<char>('a' + i % 26);
  return s;
}

cilk::reducer_opadd<int> global_count;
cilk::reducer<cilk::op_add<long>> global_sum(5);

static void walk(int low, int high) {
  if (high - low == 1) {
    global_count += 1;
    ++*global_sum;
    return;
  }
  cilk_spawn walk(low, (low + high) / 2);
  walk((low + high) / 2, high);
  cilk_sync;
}

static void numbers() {
  walk(0, n);
  CHECK(global_count.get_value() == n && global_sum.get_value() == n + 5);
  cilk::reducer_opadd<double> d(0.0);
  cilk::reducer<cilk::op_add<long>> sum;
  cilk::reducer<cilk::op_mul<double>> product;
  cilk::reducer_opmul<long> old_product(1);
  cilk::reducer<cilk::op_and<unsigned>> bits(0xffu);
  cilk::reducer_opand<unsigned> old_and(~0u);
  cilk::reducer<cilk::op_or<unsigned>> any;
  cilk::reducer_opor<unsigned> old_or;
  cilk::reducer<cilk::op_xor<unsigned>> parity;
  cilk::reducer_opxor<unsigned> old_xor(0);
  cilk_for (int i = 0; i < n; ++i) {
    d += 0.5;
    *sum += i;
    *sum -= 1;
    ++*sum;
    if (i < 5) *product *= 2.0;
    if (i < 5) old_product *= 3;
    *bits &= ~(i == 7 ? 1u : 0u);
    old_and &= ~(i == 9 ? 2u : 0u);
    *any |= static_cast<unsigned>(i);
    old_or |= static_cast<unsigned>(i & 1);
    *parity ^= static_cast<unsigned>(i);
    old_xor ^= 1u;
  }
  CHECK(d.get_value() == n / 2.0 && sum.get_value() == n * (n - 1) / 2);
  CHECK(product.get_value() == 32.0 && old_product.get_value() == 243);
  CHECK(bits.get_value() == 0xfe && old_and.get_value() == ~2u && any.get_value() == 511 && old_or.get_value() == 1);
  unsigned x = 0;
  for (unsigned i = 0; i < n; ++i) x ^= i;
  CHECK(parity.get_value() == x && old_xor.get_value() == 0);
  cilk::reducer_opadd<int> counted;
  cilk_for (int i = 0; i < n; ++i) {
    if (i % 3 == 0) counted++;
    if (i % 3 == 1) ++counted;
    if (i % 3 == 2) counted = counted + 1;
  }
  CHECK(counted.get_value() == n);
  counted.set_value(3);
  int out = 0;
  counted.move_out(out);
  CHECK(out == 3);
  cilk::reducer<cilk::op_add<long>>* on_heap = new cilk::reducer<cilk::op_add<long>>(0);
  cilk_for (int i = 0; i < n; ++i) **on_heap += 2;
  CHECK(on_heap->get_value() == 2 * n);
  delete on_heap;
}

static void extremes() {
  cilk::reducer<cilk::op_max<int>> largest;
  cilk::reducer<cilk::op_min<int>> smallest;
  cilk::reducer_max<int> old_max;
  cilk::reducer_min<double> old_min(1e9);
  cilk::reducer<cilk::op_max_index<int, double>> where;
  cilk::reducer<cilk::op_min_index<std::size_t, int>> least;
  cilk::reducer_max_index<int, int> old_where;
  cilk::reducer_min_index<int, int> old_least;
  cilk_for (int i = 0; i < n; ++i) {
    const int v = (i * 37) % 101 - 50;
    largest->calc_max(v);
    *smallest = cilk::min_of(*smallest, v);
    old_max.calc_max(v);
    old_min.calc_min(v);
    where->calc_max(i, v);
    least->calc_min(static_cast<std::size_t>(i), v);
    old_where.calc_max(i, v);
    old_least.calc_min(i, v);
  }
  int best = 0, worst = 0;
  for (int i = 0; i < n; ++i) {
    if ((i * 37) % 101 > (best * 37) % 101) best = i;
    if ((i * 37) % 101 < (worst * 37) % 101) worst = i;
  }
  CHECK(largest.get_value() == 50 && smallest.get_value() == -50 && old_max.get_value() == 50);
  CHECK(old_min.get_value() == -50 && largest->is_set());
  CHECK(where.get_value().first == best && where.get_value().second == 50);
  CHECK(least.get_value() == std::make_pair(static_cast<std::size_t>(worst), -50));
  CHECK(old_where.get_index() == best && old_where.get_value() == 50);
  CHECK(old_least.get_index() == worst && old_least.get_value() == -50);
}

static void sequences() {
  cilk::reducer<cilk::op_list_append<int>> forward;
  cilk::reducer<cilk::op_list_prepend<int>> backward;
  cilk::reducer_list_append<char> old_forward;
  cilk::reducer_list_prepend<char> old_backward;
  cilk::reducer<cilk::op_string> text;
  cilk::reducer_string old_text("<");
  cilk::reducer<cilk::op_vector<int>> v;
  cilk_for (int i = 0; i < n; ++i) {
    const char c = static_cast<char>('a' + i % 26);
    forward->push_back(i);
    backward->push_front(i);
    old_forward.push_back(c);
    old_backward.push_front(c);
    *text += c;
    old_text += c;
    v->push_back(i);
  }
  int next = 0;
  for (int each : forward.get_value()) CHECK(each == next++);
  for (int each : backward.get_value()) CHECK(each == --next);
  const std::list<char>& f = old_forward.get_value();
  CHECK(std::string(f.begin(), f.end()) == letters() && old_backward.get_value().front() == f.back());
  CHECK(text.get_value() == letters() && old_text.get_value() == "<" + letters());
  CHECK(v.get_value().size() == static_cast<std::size_t>(n) && v.get_value()[7] == 7);
  std::ostringstream to, to2;
  {
    cilk::reducer<cilk::op_ostream> stream(to);
    cilk::reducer_ostream old_stream(to2);
    cilk_for (int i = 0; i < n; ++i) {
      *stream << i << ' ';
      old_stream << i << std::endl;
    }
  }
  std::string expected, expected2;
  for (int i = 0; i < n; ++i) expected += std::to_string(i) + ' ', expected2 += std::to_string(i) + '\n';
  CHECK(to.str() == expected && to2.str() == expected2);
}

// A monoid of the program's own, by value type and by view.
struct point { int x = 0, y = 0; };
struct add_points : cilk::monoid_base<point> {
  static void reduce(point* left, point* right) { left->x += right->x, left->y += right->y; }
};
struct word_counts {
  std::map<std::string, int> counts;
  typedef word_counts value_type;
  void count(const std::string& w) { ++counts[w]; }
  const word_counts& view_get_value() const { return *this; }
};
struct count_monoid : cilk::monoid_base<word_counts> {
  void reduce(word_counts* left, word_counts* right) const {
    for (auto& each : right->counts) left->counts[each.first] += each.second;
  }
  void identity(word_counts* at) const { new (at) word_counts(); }
};
class histogram {
 public:
  void add(int i) { *total_ += i; }
  long total() const { return total_.get_value(); }

 private:
  cilk::reducer<cilk::op_add<long>> total_;
};

static void own() {
  cilk::reducer<add_points> at;
  cilk::reducer<count_monoid> words;
  histogram h;
  cilk_for (int i = 0; i < n; ++i) {
    at->x += i;
    at->y -= i;
    words->count(i % 2 ? "odd" : "even");
    h.add(i);
  }
  CHECK(at.get_value().x == n * (n - 1) / 2 && at.get_value().y == -at.get_value().x);
  CHECK(words.get_value().counts.at("odd") == n / 2 && words.view().counts.at("even") == n / 2);
  CHECK(h.total() == n * (n - 1) / 2);
  cilk::holder<std::vector<int>> scratch;
  std::vector<int> result(n);
  cilk_for (int i = 0; i < n; ++i) {
    std::vector<int>& mine = scratch();
    mine.assign(3, i);
    result[i] = mine[0] + mine[1] + mine[2];
  }
  bool right = true;
  for (int i = 0; i < n; ++i) right = right && result[i] == 3 * i;
  CHECK(right);
}

// OpenCilk's.
template <class T> void zero(void* at) { *static_cast<T*>(at) = 0; }
template <class T> void plus(void* left, void* right) { *static_cast<T*>(left) += *static_cast<T*>(right); }
static void opencilk() {
  cilk::opadd_reducer<long> sum = 0;
  cilk::opadd_reducer<double> half(0);
  long cilk_reducer(zero<long>, plus<long>) own_sum = 0;
  int _Hyperobject(zero<int>, plus<int>) older = 1;
  double cilk_reducer([](void* at) { *static_cast<double*>(at) = 0; },
                      [](void* left, void* right) { *static_cast<double*>(left) += *static_cast<double*>(right); })
      by_lambda = 0;
  std::ostringstream to;
  {
    cilk::ostream_reducer<char> out(to);
    cilk_for (int i = 0; i < n; ++i) {
      sum += i;
      half += 0.5;
      own_sum += i;
      older++;
      by_lambda += 1;
      out << i << ',';
    }
  }
  std::string expected;
  for (int i = 0; i < n; ++i) expected += std::to_string(i) + ',';
  CHECK(sum == n * (n - 1) / 2 && half == n / 2.0 && own_sum == n * (n - 1) / 2 && older == n + 1);
  CHECK(by_lambda == n && to.str() == expected);
  long copy = sum;
  CHECK(copy == own_sum);
}

int main() {
  numbers();
  extremes();
  sequences();
  own();
  opencilk();
  printf("%d failures\n", failures);
  return failures != 0;
}
