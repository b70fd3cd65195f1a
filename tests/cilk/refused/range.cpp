#include <vector>
int total;
void g(std::vector<int>& v) {
  cilk_for (int each : v) total += each;
}
