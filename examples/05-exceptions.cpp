// wait() rethrows the first exception of a child; children that have not started are skipped.
//   c++ -std=c++20 -O3 05-exceptions.cpp $(pkg-config --cflags --libs jackdaw) && ./a.out
#include <cstdio>
#include <jackdaw/jackdaw.hpp>
#include <stdexcept>
#include <string>

namespace {

int parse(const std::string& text) {
  if (text.empty() || text.find_first_not_of("0123456789") != std::string::npos) {
    throw std::invalid_argument("'" + text + "', expected a number");
  }
  return std::stoi(text);
}

}  // namespace

int main() {
  const auto [a, b] = jackdaw::invoke([] { return parse("19"); }, [] { return parse("23"); });
  std::printf("%d\n", a + b);
  try {
    jackdaw::task_group group;
    group.run([] { parse("7"); });
    group.run([] { parse("seven"); });
    group.wait();
  } catch (const std::invalid_argument& wrong) {
    std::printf("refused: %s\n", wrong.what());
  }
}
