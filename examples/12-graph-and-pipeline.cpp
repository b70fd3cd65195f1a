// A graph of tasks that wait for one another, and a pipeline that passes items through stages, a few at a time.
//   c++ -std=c++20 -O3 12-graph-and-pipeline.cpp $(pkg-config --cflags --libs jackdaw) && ./a.out
#include <cstdio>
#include <jackdaw/jackdaw.hpp>
#include <optional>
#include <string>

int main() {
  double length = 0, width = 0, height = 0, base = 0, volume = 0;
  jackdaw::task_graph box;
  const auto a = box.add([&] { length = 2; }, jackdaw::after());
  const auto b = box.add([&] { width = 3; }, jackdaw::after());
  const auto c = box.add([&] { height = 4; }, jackdaw::after());
  const auto d = box.add([&] { base = length * width; }, jackdaw::after(a, b));
  box.add([&] { volume = base * height; }, jackdaw::after(d, c));
  box.run();  // as often as you like
  std::printf("%g\n", volume);

  int next = 0;
  std::string line;
  jackdaw::pipeline(
      8, [&] { return next < 10 ? std::optional(next++) : std::nullopt; },            // one item after the other
      jackdaw::parallel([](int number) { return std::to_string(number * number); }),  // several at once
      jackdaw::serial_in_order([&](const std::string& square) { line += square + ' '; }));
  std::printf("%s\n", line.c_str());
}
