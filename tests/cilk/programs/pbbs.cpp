// Programs in the manner of PBBS and Ligra: blocked loops by macros, functors, CAS, graphs.
#include <cstdint>
#include <functional>
#include <iostream>
#include <utility>
#include <vector>

#include "pbbs.h"

#include "check.h"

using namespace std;

template <class ET> inline bool CAS(ET *ptr, ET oldv, ET newv) {
  if (sizeof(ET) == 4) return __sync_bool_compare_and_swap((int *)ptr, *((int *)&oldv), *((int *)&newv));
  else return __sync_bool_compare_and_swap((long *)ptr, *((long *)&oldv), *((long *)&newv));
}
template <class ET> inline bool writeMin(ET *a, ET b) {
  ET c; bool r = 0;
  do c = *a;
  while (c > b && !(r = CAS(a, c, b)));
  return r;
}
struct vertex { vector<int> out; int degree() const { return (int)out.size(); } };
struct graph { vertex *V; long n; graph(long n) : V(new vertex[n]), n(n) {} ~graph() { delete[] V; } };
struct BFS_F {
  intT *Parents;
  BFS_F(intT *_Parents) : Parents(_Parents) {}
  inline bool updateAtomic(intT s, intT d) { return (CAS(&Parents[d], (intT)-1, s)); }
  inline bool cond(intT d) { return (Parents[d] == -1); }
};
template <class F>
vector<char> edgeMap(graph &G, const vector<char> &frontier, F f) {
  vector<char> next(G.n, 0);
  parallel_for (long i = 0; i < G.n; i++) {
    if (!frontier[i]) continue;
    vertex &v = G.V[i];
    if (v.degree() > 4) {
      parallel_for_1 (long j = 0; j < v.degree(); j++) {
        intT d = v.out[j];
        if (f.cond(d) && f.updateAtomic((intT)i, d)) next[d] = 1;
      }
    } else {
      for (int j = 0; j < v.degree(); j++) {
        intT d = v.out[j];
        if (f.cond(d) && f.updateAtomic((intT)i, d)) next[d] = 1;
      }
    }
  }
  return next;
}
struct getA { int *A; getA(int *AA) : A(AA) {} int operator()(intT i) { return A[i]; } };
template <class E> struct addF { E operator()(const E &a, const E &b) const { return a + b; } };
template <typename OT, typename intT2 = long>
struct transpose {
  OT *A, *B;
  transpose(OT *AA, OT *BB) : A(AA), B(BB) {}
  void go(intT2 rStart, intT2 rCount, intT2 rLength, intT2 cStart, intT2 cCount, intT2 cLength) {
    if (cCount < 8 && rCount < 8) {
      for (intT2 i = rStart; i < rStart + rCount; i++)
        for (intT2 j = cStart; j < cStart + cCount; j++)
          B[j * cLength + i] = A[i * rLength + j];
    } else if (cCount > rCount) {
      intT2 l1 = cCount / 2;
      intT2 l2 = cCount - l1;
      cilk_spawn go(rStart, rCount, rLength, cStart, l1, cLength);
      go(rStart, rCount, rLength, cStart + l1, l2, cLength);
      cilk_sync;
    } else {
      intT2 l1 = rCount / 2, l2 = rCount - l1;
      cilk_spawn this->go(rStart, l1, rLength, cStart, cCount, cLength);
      go(rStart + l1, l2, rLength, cStart, cCount, cLength);
      cilk_sync;
    }
  }
};
typedef pair<uint32_t, uint32_t> edge;
struct less_edge { bool operator()(const edge &a, const edge &b) const { return a < b; } };

int parallel_main(int argc, char *argv[]) {
  const intT n = 1000;
  int *A = new int[n], *B = new int[n];
  {parallel_for (intT i = 0; i < n; i++) A[i] = i % 10;}
  CHECK(sequence::reduce<int>((intT)0, n, addF<int>(), getA(A)) == 4500);
  CHECK(sequence::scan(B, (intT)0, n, addF<int>(), getA(A), 0) == 4500 && B[999] == 4491 && B[10] == 45);
  long M[20 * 30], T[30 * 20];
  for (int i = 0; i < 600; i++) M[i] = i;
  transpose<long>(M, T).go(0, 20, 30, 0, 30, 20);
  bool good = true;
  for (int i = 0; i < 20; i++)
    for (int j = 0; j < 30; j++) good = good && T[j * 20 + i] == i * 30 + j;
  CHECK(good);
  vector<edge> E(n);
  parallel_for_256 (intT i = 0; i < n; i++) E[i] = edge(uint32_t(i) * 7919u % 1000u, uint32_t(i));
  quickSort(&E[0], n, less_edge());
  for (intT i = 1; i < n; i++) good = good && !(E[i] < E[i - 1]);
  CHECK(good);
  graph G(200);
  for (int i = 0; i < 200; i++) for (int j = 1; j < 8; j++) G.V[i].out.push_back((i * j + 1) % 200);
  intT *Parents = new intT[200];
  parallel_for (intT i = 0; i < 200; i++) Parents[i] = -1;
  Parents[0] = 0;
  vector<char> frontier(200, 0);
  frontier[0] = 1;
  int rounds = 0, reached = 0;
  for (bool any = true; any; rounds++) {
    frontier = edgeMap(G, frontier, BFS_F(Parents));
    any = false;
    for (char c : frontier) any = any || c;
  }
  for (int i = 0; i < 200; i++) reached += Parents[i] >= 0;
  CHECK(rounds > 2 && reached == 200);
  int least = INT_MAX;
  parallel_for (int i = 0; i < 100; i++) writeMin(&least, (i * 37) % 101);
  CHECK(least == 0);
  delete[] A; delete[] B; delete[] Parents;
  if (argc > 9) cout << argv[0] << endl;
  printf("%d failures\n", failures);
  return failures != 0;
}
