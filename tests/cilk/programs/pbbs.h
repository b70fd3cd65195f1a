// As PBBS's and Ligra's parallel.h choose.
#pragma once
#if defined(CILK) || defined(__cilk)
#include <cilk/cilk.h>
#define parallel_main main
#define parallel_for cilk_for
#define parallel_for_1 _Pragma("cilk grainsize = 1") cilk_for
#define parallel_for_256 _Pragma("cilk grainsize = 256") cilk_for
#else
#define cilk_spawn
#define cilk_sync
#define parallel_main main
#define parallel_for for
#define parallel_for_1 for
#define parallel_for_256 for
#endif
#include <climits>
#if defined(LONG)
typedef long intT;
#else
typedef int intT;
#endif
#define _SCAN_LOG_BSIZE 4
#define _SCAN_BSIZE (1 << _SCAN_LOG_BSIZE)
#define nblocks(_n, _bsize) (1 + ((_n)-1) / (_bsize))
#define blocked_for(_i, _s, _e, _bsize, _body)  {   \
    intT _ss = _s;                                  \
    intT _ee = _e;                                  \
    intT _n = _ee - _ss;                            \
    intT _l = nblocks(_n, _bsize);                  \
    parallel_for (intT _i = 0; _i < _l; _i++) {     \
      intT _s = _ss + _i * (_bsize);                \
      intT _e = _s + (_bsize) < _ee ? _s + (_bsize) : _ee; \
      _body                                         \
    }                                               \
  }
namespace sequence {
template <class ET, class intT> struct getS { ET *S; getS(ET *SS) : S(SS) {} ET operator()(intT i) { return S[i]; } };
template <class ET, class intT, class F, class G>
ET reduceSerial(intT s, intT e, F f, G g) {
  ET r = g(s);
  for (intT j = s + 1; j < e; j++) r = f(r, g(j));
  return r;
}
template <class ET, class intT, class F, class G>
ET reduce(intT s, intT e, F f, G g) {
  intT l = nblocks(e - s, _SCAN_BSIZE);
  if (l <= 1) return reduceSerial<ET>(s, e, f, g);
  ET *Sums = new ET[l];
  blocked_for (i, s, e, _SCAN_BSIZE, Sums[i] = reduceSerial<ET>(s, e, f, g););
  ET r = reduce<ET>((intT)0, l, f, getS<ET, intT>(Sums));
  delete[] Sums;
  return r;
}
template <class ET, class intT, class F, class G>
ET scan(ET *Out, intT s, intT e, F f, G g, ET zero) {
  intT n = e - s, l = nblocks(n, _SCAN_BSIZE);
  if (l <= 2) {
    ET r = zero;
    for (intT i = s; i < e; i++) { ET t = g(i); Out[i] = r; r = f(r, t); }
    return r;
  }
  ET *Sums = new ET[l];
  blocked_for (i, s, e, _SCAN_BSIZE, Sums[i] = reduceSerial<ET>(s, e, f, g););
  ET total = scan(Sums, (intT)0, l, f, getS<ET, intT>(Sums), zero);
  blocked_for (i, s, e, _SCAN_BSIZE, {
    ET r = Sums[i];
    for (intT j = s; j < e; j++) { ET t = g(j); Out[j] = r; r = f(r, t); }
  });
  delete[] Sums;
  return total;
}
}
template <class E, class BinPred>
void quickSort(E *A, intT n, BinPred f) {
  if (n < 24) {
    for (intT i = 1; i < n; i++)
      for (intT j = i; j > 0 && f(A[j], A[j - 1]); j--) { E t = A[j]; A[j] = A[j - 1]; A[j - 1] = t; }
  } else {
    E p = A[n / 2];
    E *L = A, *R = A + n - 1;
    while (1) {
      while (f(*L, p)) L++;
      while (f(p, *R)) R--;
      if (L >= R) break;
      E t = *L; *L = *R; *R = t; L++; R--; }
    intT k = (intT)(R - A) + 1;
    cilk_spawn quickSort(A, k, f);
    quickSort(A + k, n - k, f);
    cilk_sync;
  }
}
