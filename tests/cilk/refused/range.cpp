#include <vector>
int total;
void g(std::vector<int>& v) {
  cilk_for (int unused = 0; int each : v) total += each;
}
