#include <cilk/cilk.h>
#include <cilk/reducer_list.h>
#include <cilk/reducer_opadd.h>
#include <cstdio>
#include <memory>

struct node {
  int key;
  std::unique_ptr<node> left, right;
};

std::unique_ptr<node> build(int low, int high) {
  if (low >= high) return nullptr;
  const int middle = (low + high) / 2;
  auto made = std::make_unique<node>();
  made->key = middle;
  made->left = cilk_spawn build(low, middle);
  made->right = build(middle + 1, high);
  cilk_sync;
  return made;
}

cilk::reducer_list_append<int> output;
cilk::reducer_opadd<long> total(0);

void walk(const node* at) {
  if (!at) return;
  cilk_spawn walk(at->left.get());
  output.push_back(at->key);
  total += at->key;
  walk(at->right.get());
}

int main() {
  auto root = build(0, 5000);
  walk(root.get());
  int expected = 0;
  for (int each : output.get_value())
    if (each != expected++) return std::printf("%d stands where %d belongs\n", each, expected - 1), 1;
  std::printf("%d nodes in order, %ld\n", expected, total.get_value());
  return expected == 5000 && total.get_value() == 5000L * 4999 / 2 ? 0 : 1;
}
