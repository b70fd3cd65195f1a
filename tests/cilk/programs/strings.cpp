// Reductions in serial order under many thefts: string concatenation is not commutative.
#include <chrono>
#include <cilk/cilk.h>
#include <cilk/reducer_string.h>
#include <cstdio>
#include <new>
#include <string>
#include <thread>

void identity(void* at) { new (at) std::string(); }
void append(void* left, void* right) {
  static_cast<std::string*>(left)->append(*static_cast<std::string*>(right));
  static_cast<std::string*>(right)->~basic_string();
}

std::string cilk_reducer(identity, append) global = "<";
cilk::reducer_string old_style;

void letters(int low, int high) {
  if (high - low == 1) {
    if (low % 7 == 0) std::this_thread::sleep_for(std::chrono::microseconds(200));
    global += static_cast<char>('a' + low % 26);
    old_style += std::string(1, static_cast<char>('a' + low % 26));
    return;
  }
  cilk_spawn letters(low, (low + high) / 2);
  letters((low + high) / 2, high);
}

std::string loop(int n) {
  std::string cilk_reducer(identity, append) local = "[";
  cilk_for (int i = 0; i < n; ++i) {
    if (i % 5 == 0) std::this_thread::yield();
    local += static_cast<char>('a' + i % 26);
  }
  local += "]";
  return local;
}

int main() {
  std::string expected;
  for (int i = 0; i < 600; ++i) expected += static_cast<char>('a' + i % 26);
  int wrong = 0;
  letters(0, 600);
  if (global != "<" + expected) ++wrong;
  if (old_style.get_value() != expected) ++wrong;
  for (int round = 0; round < 20; ++round)
    if (loop(600) != "[" + expected + "]") ++wrong;
  // A frame that forks twice, with a sync between.
  std::string cilk_reducer(identity, append) twice = "";
  auto put = [&](const char* what) { std::this_thread::sleep_for(std::chrono::milliseconds(1)); twice += what; };
  cilk_spawn put("a");
  cilk_spawn put("b");
  twice += "c";
  cilk_sync;
  cilk_spawn put("d");
  twice += "e";
  cilk_sync;
  if (twice != "abcde") ++wrong;
  std::printf("%d wrong, %s\n", wrong, twice.c_str());
  return wrong;
}
