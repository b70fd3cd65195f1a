// Keywords, macros and layout of older and odd sources.
#include "older.h"

#include <cstring>
#include <vector>

#include "check.h"

#define RECURSE(x, f, ...) x = _Cilk_spawn f(__VA_ARGS__)
#define PAR_DO(a, b) \
  do {               \
    cilk_spawn a;    \
    b;               \
    cilk_sync;       \
  } while (0)
#ifdef SERIAL
#define SPAWN
#define WAIT
#else
#define SPAWN _Cilk_spawn
#define WAIT _Cilk_sync
#endif
#define par_do2(_left, _right) { cilk_spawn [&] { _left; }(); _right; cilk_sync; }

using namespace std;
namespace {
int fib(int n) {
  if (n < 2) return n;
  int x, y;
  RECURSE(x, fib, n - 1);
  y = SPAWN fib(n - 2);
  WAIT;
  return x + y;
}
void set(int &at, int to) { at = to; }
}

struct sequence
{
  int  *begin_;
  long  n;
  sequence ( int *b, long n ) : begin_ ( b ), n ( n ) { }
  int  sum ( ) const
  {
    if ( n == 0 ) return 0 ;
    if ( n == 1 ) return * begin_ ;
    const sequence left ( begin_ , n / 2 ) , right ( begin_ + n / 2 , n - n / 2 ) ;
    int l ;
    l = cilk_spawn left . sum ( ) ;
    const int r = right . sum ( ) ;
    cilk_sync ;
    return l + r ;
  }
};

int old_loop ( vector<int> &v )
{
  _Cilk_for ( int i = 0 ; i < ( int ) v . size ( ) ; i ++ )
  {
    v [ i ] = i ;
  }
  return sequence ( & v [ 0 ] , ( long ) v . size ( ) ) . sum ( ) ;
}

int main ( int argc , const char * const * argv )
{
  int a = 0, b = 0, c = 0, d = 0;
  PAR_DO ( set ( a , 1 ) , set ( b , 2 ) ) ;
  par_do2 ( set ( c , 3 ) , set ( d , 4 ) )
  CHECK ( a + b + c + d == 10 ) ;
  CHECK ( fib ( 12 ) == 144 ) ;
  vector<int> v ( 1000 ) ;
  CHECK ( old_loop ( v ) == 499500 ) ;
  CHECK ( in_header ( 10 ) == 55 && in_header_for ( 10 ) == 45 ) ;
  /* cilk_spawn in a comment */ const char *text = "cilk_spawn in \"a\" string";
  CHECK ( strstr ( text , "cilk_spawn" ) == text && argc >= 1 && argv [ 0 ] ) ;
  int trailing = 0 ; cilk_spawn set ( trailing , 5 ) ; cilk_sync ; CHECK ( trailing == 5 ) ;
  long total = 0;
  _Cilk_scope { _Cilk_spawn { total += 1; } }
  CHECK ( total == 1 ) ;
  printf ( "%d failures\n" , failures ) ;
  return failures != 0 ;
}
