// Compiled without exceptions: what would throw ends the program with a message, wherever in a nest of forks it is.
#include <cstdio>
#include <stop_token>
#include <string_view>
#include <vector>

#include <jackdaw/jackdaw.hpp>

int main(int, char** arguments) {
  const std::string_view which = arguments[1];
  if (which == "cancelled") {
    std::stop_source source;
    jackdaw::for_index(0, 1000, [&](int) { source.request_stop(); }, source.get_token(), jackdaw::grain{1});
  } else if (which == "bin") {
    const std::vector<int> bins(1000, 10);
    jackdaw::histogram(bins.begin(), bins.end(), 10, jackdaw::grain{10});
  }
  std::puts("not ended");
}
