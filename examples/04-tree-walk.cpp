// A task group: any code may come between the forks, here a loop over the children of a node.
//   c++ -std=c++20 -O3 04-tree-walk.cpp $(pkg-config --cflags --libs jackdaw) && ./a.out
#include <atomic>
#include <cstdio>
#include <jackdaw/jackdaw.hpp>
#include <vector>

namespace {

struct node {
  int value = 1;
  std::vector<node> children;
};

node make(int depth) {
  node made;
  for (int i = 0; depth > 0 && i < depth; ++i) made.children.push_back(make(depth - 1));
  return made;
}

void walk(const node& at, std::atomic<int>& sum) {
  sum.fetch_add(at.value, std::memory_order_relaxed);
  jackdaw::task_group group;
  for (const node& child : at.children) {
    group.run([&] { walk(child, sum); });  // starts at once; an idle worker may steal the rest of this loop
  }
  group.wait();
}

}  // namespace

int main() {
  const node root = make(8);
  std::atomic<int> sum{0};
  walk(root, sum);
  std::printf("nodes: %d\n", sum.load());
}
