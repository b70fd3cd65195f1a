// The flow graph.
#include <tbb/flow_graph.h>

#include <atomic>
#include <string>
#include <tuple>

#include "tbb/chapter.hpp"

namespace {

using chapter::say;
using namespace tbb::flow;

void functions() {
  graph whole;
  long long sum = 0;
  function_node<int, long long> square(whole, unlimited, [](int i) { return static_cast<long long>(i) * i; });
  function_node<long long, long long> half(whole, 2, [](long long i) { return i / 2; });
  function_node<long long> add(whole, serial, [&](long long i) { sum += i; });
  make_edge(square, half);
  make_edge(half, add);
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 2000; ++i) square.try_put(i);
    whole.wait_for_all();
  }
  say("functions", sum);
}

void joins() {
  graph whole;
  long long sum = 0;
  broadcast_node<int> begin(whole);
  function_node<int, int> left(whole, unlimited, [](int i) { return i + 1; });
  function_node<int, int> right(whole, unlimited, [](int i) { return i * 2; });
  join_node<std::tuple<int, int>, queueing> both(whole);
  function_node<std::tuple<int, int>> add(
      whole, serial, [&](const std::tuple<int, int>& each) { sum += std::get<0>(each) + std::get<1>(each); });
  make_edge(begin, left);
  make_edge(begin, right);
  make_edge(left, input_port<0>(both));
  make_edge(right, input_port<1>(both));
  make_edge(both, add);
  for (int i = 0; i < 1000; ++i) begin.try_put(i);
  whole.wait_for_all();
  say("joins", sum);
}

void dependencies() {
  graph whole;
  std::atomic<int> done{0};
  continue_node<continue_msg> first(whole, [&](continue_msg) { ++done; });
  continue_node<continue_msg> last(whole, [&](continue_msg) { CHECK(done == 11); });
  std::vector<std::unique_ptr<continue_node<continue_msg>>> between;
  for (int i = 0; i < 10; ++i) {
    between.push_back(std::make_unique<continue_node<continue_msg>>(whole, [&](continue_msg) { ++done; }));
    make_edge(first, *between.back());
    make_edge(*between.back(), last);
  }
  for (int round = 0; round < 200; ++round) {
    done = 0;
    first.try_put(continue_msg());
    whole.wait_for_all();
    CHECK(done == 11);
  }
  say("dependencies", done);
}

void sources() {
  graph whole;
  int next = 0;
  long long sum = 0;
  input_node<int> source(whole, [&](tbb::flow_control& ends) {
    if (next == 5000) ends.stop();
    return next++;
  });
  limiter_node<int> limiter(whole, 8);
  queue_node<int> queue(whole);
  sequencer_node<int> in_order(whole, [](int i) { return static_cast<std::size_t>(i); });
  function_node<int, int> work(whole, unlimited, [](int i) { return i; });
  int last = -1;
  function_node<int, continue_msg> check(whole, serial, [&](int i) {
    CHECK(i == last + 1);
    last = i;
    sum += i;
    return continue_msg();
  });
  make_edge(source, limiter);
  make_edge(limiter, work);
  make_edge(work, in_order);
  make_edge(in_order, queue);
  make_edge(queue, check);
  make_edge(check, limiter.decrementer());
  source.activate();
  whole.wait_for_all();
  say("sources, limits, order", sum);
}

void async() {
  graph whole;
  std::atomic<long long> sum{0};
  using node = async_node<int, int>;
  node outside(whole, unlimited, [](int i, node::gateway_type& back) {
    back.reserve_wait();
    std::thread([i, &back] {
      back.try_put(i * 3);
      back.release_wait();
    }).detach();
  });
  function_node<int> add(whole, serial, [&](int i) { sum += i; });
  make_edge(outside, add);
  for (int i = 0; i < 50; ++i) outside.try_put(i);
  whole.wait_for_all();
  say("async", sum);
}

void failures() {
  graph whole;
  function_node<int> throws(whole, unlimited, [](int i) {
    if (i == 5) throw i;
  });
  for (int i = 0; i < 10; ++i) throws.try_put(i);
  try {
    whole.wait_for_all();
    CHECK(false);
  } catch (int thrown) {
    CHECK(thrown == 5 && whole.exception_thrown());
    say("thrown", thrown);
  }
  whole.reset();
  throws.try_put(1);
  whole.wait_for_all();
  CHECK(!whole.exception_thrown());
  function_node<int> cancels(whole, serial, [&](int) { whole.cancel(); });
  for (int i = 0; i < 10; ++i) cancels.try_put(i);
  whole.wait_for_all();
  CHECK(whole.is_cancelled());
}

}  // namespace

int main() {
  functions();
  joins();
  dependencies();
  sources();
  async();
  failures();
  chapter::tell_who_ran();
}
