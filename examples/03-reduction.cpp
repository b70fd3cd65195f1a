// Sums that do not depend on the number of workers: the same bits in each run.
//   c++ -std=c++20 -O3 03-reduction.cpp $(pkg-config --cflags --libs jackdaw) && ./a.out
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <functional>
#include <jackdaw/jackdaw.hpp>
#include <string>
#include <vector>

int main() {
  std::vector<double> x(100'000);
  jackdaw::for_index(std::size_t{0}, x.size(),
                     [&](std::size_t i) { x[i] = 1 / std::sqrt(static_cast<double>(i + 1)); });

  const double sum = jackdaw::reduce(x.begin(), x.end(), 0.0);
  const double squares =
      jackdaw::transform_reduce(x.begin(), x.end(), 0.0, std::plus<>{}, [](double each) { return each * each; });
  std::printf("sum %.6f, squares %.6f\n", sum, squares);

  // Elements are combined in order, so the operation need not commute.
  const std::vector<std::string> words{"steals", " ", "and", " ", "nests", " ", "close", " ", "to", " ", "home"};
  std::printf("%s\n", jackdaw::reduce(words.begin(), words.end(), std::string()).c_str());
}
