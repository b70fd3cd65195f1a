/* Cilk Plus's reducers for C:

     CILK_C_REDUCER_OPADD(sum, double, 0);
     CILK_C_REGISTER_REDUCER(sum);
     cilk_for (int i = 0; i != n; ++i) REDUCER_VIEW(sum) += a[i];
     CILK_C_UNREGISTER_REDUCER(sum); */
#ifndef JACKDAW_CILK_C_REDUCERS_H
#define JACKDAW_CILK_C_REDUCERS_H
#include <float.h>
#include <jackdaw_cilk.h>
#include <limits.h>

static void jackdaw_cilk_c_reducers(void) __attribute__((constructor, unused));
static void jackdaw_cilk_c_reducers(void) { jackdaw_cilk_use_views(); }
static inline void __cilkrts_hyperobject_noop_destroy(void* reducer, void* view) { (void)reducer, (void)view; }

#define CILK_C_DECLARE_REDUCER(type)   \
  struct {                             \
    struct jackdaw_cilk_monoid monoid; \
    type value;                        \
  }
#define CILK_C_INIT_REDUCER(type, reduce, identity, destroy, ...) {{reduce, identity, destroy}, __VA_ARGS__}
#define CILK_C_REGISTER_REDUCER(r) jackdaw_cilk_begin_monoid(&(r).value, &(r).monoid)
#define CILK_C_UNREGISTER_REDUCER(r) jackdaw_cilk_end_view(&(r).value)
#define REDUCER_VIEW(r) (*(__typeof__((r).value)*)jackdaw_cilk_monoid_view(&(r).value, sizeof(r).value, &(r).monoid))

#define JACKDAW_CILK_C_OPERATION(op, name, type, initial, combine)                              \
  typedef CILK_C_DECLARE_REDUCER(type) jackdaw_cilk_##op##_##name;                              \
  static inline void jackdaw_cilk_##op##_##name##_identity(void* reducer, void* at) {           \
    (void)reducer;                                                                              \
    *(type*)at = initial;                                                                       \
  }                                                                                             \
  static inline void jackdaw_cilk_##op##_##name##_reduce(void* reducer, void* to, void* from) { \
    type *const left = (type*)to, *const right = (type*)from;                                   \
    (void)reducer;                                                                              \
    *left = combine;                                                                            \
  }
#define JACKDAW_CILK_C_REDUCER(op, r, name, first)                                                             \
  jackdaw_cilk_##op##_##name r = {{jackdaw_cilk_##op##_##name##_reduce, jackdaw_cilk_##op##_##name##_identity, \
                                   __cilkrts_hyperobject_noop_destroy},                                        \
                                  first}

JACKDAW_CILK_C_OPERATION(opadd, char, char, 0, *left + *right)
JACKDAW_CILK_C_OPERATION(opmul, char, char, 1, *left** right)
JACKDAW_CILK_C_OPERATION(max, char, char, CHAR_MIN, *left < *right ? *right : *left)
JACKDAW_CILK_C_OPERATION(min, char, char, CHAR_MAX, *right < *left ? *right : *left)
JACKDAW_CILK_C_OPERATION(opand, char, char, (char)~(char)0, *left&* right)
JACKDAW_CILK_C_OPERATION(opor, char, char, 0, *left | *right)
JACKDAW_CILK_C_OPERATION(opxor, char, char, 0, *left ^ *right)
JACKDAW_CILK_C_OPERATION(opadd, schar, signed char, 0, *left + *right)
JACKDAW_CILK_C_OPERATION(opmul, schar, signed char, 1, *left** right)
JACKDAW_CILK_C_OPERATION(max, schar, signed char, SCHAR_MIN, *left < *right ? *right : *left)
JACKDAW_CILK_C_OPERATION(min, schar, signed char, SCHAR_MAX, *right < *left ? *right : *left)
JACKDAW_CILK_C_OPERATION(opand, schar, signed char, (signed char)~(signed char)0, *left&* right)
JACKDAW_CILK_C_OPERATION(opor, schar, signed char, 0, *left | *right)
JACKDAW_CILK_C_OPERATION(opxor, schar, signed char, 0, *left ^ *right)
JACKDAW_CILK_C_OPERATION(opadd, uchar, unsigned char, 0, *left + *right)
JACKDAW_CILK_C_OPERATION(opmul, uchar, unsigned char, 1, *left** right)
JACKDAW_CILK_C_OPERATION(max, uchar, unsigned char, 0, *left < *right ? *right : *left)
JACKDAW_CILK_C_OPERATION(min, uchar, unsigned char, UCHAR_MAX, *right < *left ? *right : *left)
JACKDAW_CILK_C_OPERATION(opand, uchar, unsigned char, (unsigned char)~(unsigned char)0, *left&* right)
JACKDAW_CILK_C_OPERATION(opor, uchar, unsigned char, 0, *left | *right)
JACKDAW_CILK_C_OPERATION(opxor, uchar, unsigned char, 0, *left ^ *right)
JACKDAW_CILK_C_OPERATION(opadd, short, short, 0, *left + *right)
JACKDAW_CILK_C_OPERATION(opmul, short, short, 1, *left** right)
JACKDAW_CILK_C_OPERATION(max, short, short, SHRT_MIN, *left < *right ? *right : *left)
JACKDAW_CILK_C_OPERATION(min, short, short, SHRT_MAX, *right < *left ? *right : *left)
JACKDAW_CILK_C_OPERATION(opand, short, short, (short)~(short)0, *left&* right)
JACKDAW_CILK_C_OPERATION(opor, short, short, 0, *left | *right)
JACKDAW_CILK_C_OPERATION(opxor, short, short, 0, *left ^ *right)
JACKDAW_CILK_C_OPERATION(opadd, ushort, unsigned short, 0, *left + *right)
JACKDAW_CILK_C_OPERATION(opmul, ushort, unsigned short, 1, *left** right)
JACKDAW_CILK_C_OPERATION(max, ushort, unsigned short, 0, *left < *right ? *right : *left)
JACKDAW_CILK_C_OPERATION(min, ushort, unsigned short, USHRT_MAX, *right < *left ? *right : *left)
JACKDAW_CILK_C_OPERATION(opand, ushort, unsigned short, (unsigned short)~(unsigned short)0, *left&* right)
JACKDAW_CILK_C_OPERATION(opor, ushort, unsigned short, 0, *left | *right)
JACKDAW_CILK_C_OPERATION(opxor, ushort, unsigned short, 0, *left ^ *right)
JACKDAW_CILK_C_OPERATION(opadd, int, int, 0, *left + *right)
JACKDAW_CILK_C_OPERATION(opmul, int, int, 1, *left** right)
JACKDAW_CILK_C_OPERATION(max, int, int, INT_MIN, *left < *right ? *right : *left)
JACKDAW_CILK_C_OPERATION(min, int, int, INT_MAX, *right < *left ? *right : *left)
JACKDAW_CILK_C_OPERATION(opand, int, int, (int)~(int)0, *left&* right)
JACKDAW_CILK_C_OPERATION(opor, int, int, 0, *left | *right)
JACKDAW_CILK_C_OPERATION(opxor, int, int, 0, *left ^ *right)
JACKDAW_CILK_C_OPERATION(opadd, uint, unsigned, 0, *left + *right)
JACKDAW_CILK_C_OPERATION(opmul, uint, unsigned, 1, *left** right)
JACKDAW_CILK_C_OPERATION(max, uint, unsigned, 0, *left < *right ? *right : *left)
JACKDAW_CILK_C_OPERATION(min, uint, unsigned, UINT_MAX, *right < *left ? *right : *left)
JACKDAW_CILK_C_OPERATION(opand, uint, unsigned, (unsigned)~(unsigned)0, *left&* right)
JACKDAW_CILK_C_OPERATION(opor, uint, unsigned, 0, *left | *right)
JACKDAW_CILK_C_OPERATION(opxor, uint, unsigned, 0, *left ^ *right)
JACKDAW_CILK_C_OPERATION(opadd, long, long, 0, *left + *right)
JACKDAW_CILK_C_OPERATION(opmul, long, long, 1, *left** right)
JACKDAW_CILK_C_OPERATION(max, long, long, LONG_MIN, *left < *right ? *right : *left)
JACKDAW_CILK_C_OPERATION(min, long, long, LONG_MAX, *right < *left ? *right : *left)
JACKDAW_CILK_C_OPERATION(opand, long, long, (long)~(long)0, *left&* right)
JACKDAW_CILK_C_OPERATION(opor, long, long, 0, *left | *right)
JACKDAW_CILK_C_OPERATION(opxor, long, long, 0, *left ^ *right)
JACKDAW_CILK_C_OPERATION(opadd, ulong, unsigned long, 0, *left + *right)
JACKDAW_CILK_C_OPERATION(opmul, ulong, unsigned long, 1, *left** right)
JACKDAW_CILK_C_OPERATION(max, ulong, unsigned long, 0, *left < *right ? *right : *left)
JACKDAW_CILK_C_OPERATION(min, ulong, unsigned long, ULONG_MAX, *right < *left ? *right : *left)
JACKDAW_CILK_C_OPERATION(opand, ulong, unsigned long, (unsigned long)~(unsigned long)0, *left&* right)
JACKDAW_CILK_C_OPERATION(opor, ulong, unsigned long, 0, *left | *right)
JACKDAW_CILK_C_OPERATION(opxor, ulong, unsigned long, 0, *left ^ *right)
JACKDAW_CILK_C_OPERATION(opadd, longlong, long long, 0, *left + *right)
JACKDAW_CILK_C_OPERATION(opmul, longlong, long long, 1, *left** right)
JACKDAW_CILK_C_OPERATION(max, longlong, long long, LLONG_MIN, *left < *right ? *right : *left)
JACKDAW_CILK_C_OPERATION(min, longlong, long long, LLONG_MAX, *right < *left ? *right : *left)
JACKDAW_CILK_C_OPERATION(opand, longlong, long long, (long long)~(long long)0, *left&* right)
JACKDAW_CILK_C_OPERATION(opor, longlong, long long, 0, *left | *right)
JACKDAW_CILK_C_OPERATION(opxor, longlong, long long, 0, *left ^ *right)
JACKDAW_CILK_C_OPERATION(opadd, ulonglong, unsigned long long, 0, *left + *right)
JACKDAW_CILK_C_OPERATION(opmul, ulonglong, unsigned long long, 1, *left** right)
JACKDAW_CILK_C_OPERATION(max, ulonglong, unsigned long long, 0, *left < *right ? *right : *left)
JACKDAW_CILK_C_OPERATION(min, ulonglong, unsigned long long, ULLONG_MAX, *right < *left ? *right : *left)
JACKDAW_CILK_C_OPERATION(opand, ulonglong, unsigned long long, (unsigned long long)~(unsigned long long)0,
                         *left&* right)
JACKDAW_CILK_C_OPERATION(opor, ulonglong, unsigned long long, 0, *left | *right)
JACKDAW_CILK_C_OPERATION(opxor, ulonglong, unsigned long long, 0, *left ^ *right)
JACKDAW_CILK_C_OPERATION(opadd, float, float, 0, *left + *right)
JACKDAW_CILK_C_OPERATION(opmul, float, float, 1, *left** right)
JACKDAW_CILK_C_OPERATION(max, float, float, -FLT_MAX, *left < *right ? *right : *left)
JACKDAW_CILK_C_OPERATION(min, float, float, FLT_MAX, *right < *left ? *right : *left)
JACKDAW_CILK_C_OPERATION(opadd, double, double, 0, *left + *right)
JACKDAW_CILK_C_OPERATION(opmul, double, double, 1, *left** right)
JACKDAW_CILK_C_OPERATION(max, double, double, -DBL_MAX, *left < *right ? *right : *left)
JACKDAW_CILK_C_OPERATION(min, double, double, DBL_MAX, *right < *left ? *right : *left)
JACKDAW_CILK_C_OPERATION(opadd, longdouble, long double, 0, *left + *right)
JACKDAW_CILK_C_OPERATION(opmul, longdouble, long double, 1, *left** right)
JACKDAW_CILK_C_OPERATION(max, longdouble, long double, -LDBL_MAX, *left < *right ? *right : *left)
JACKDAW_CILK_C_OPERATION(min, longdouble, long double, LDBL_MAX, *right < *left ? *right : *left)

#define CILK_C_REDUCER_OPADD(r, name, first) JACKDAW_CILK_C_REDUCER(opadd, r, name, first)
#define CILK_C_REDUCER_OPADD_TYPE(name) jackdaw_cilk_opadd_##name
#define CILK_C_REDUCER_OPMUL(r, name, first) JACKDAW_CILK_C_REDUCER(opmul, r, name, first)
#define CILK_C_REDUCER_OPMUL_TYPE(name) jackdaw_cilk_opmul_##name
#define CILK_C_REDUCER_MAX(r, name, first) JACKDAW_CILK_C_REDUCER(max, r, name, first)
#define CILK_C_REDUCER_MAX_TYPE(name) jackdaw_cilk_max_##name
#define CILK_C_REDUCER_MIN(r, name, first) JACKDAW_CILK_C_REDUCER(min, r, name, first)
#define CILK_C_REDUCER_MIN_TYPE(name) jackdaw_cilk_min_##name
#define CILK_C_REDUCER_OPAND(r, name, first) JACKDAW_CILK_C_REDUCER(opand, r, name, first)
#define CILK_C_REDUCER_OPAND_TYPE(name) jackdaw_cilk_opand_##name
#define CILK_C_REDUCER_OPOR(r, name, first) JACKDAW_CILK_C_REDUCER(opor, r, name, first)
#define CILK_C_REDUCER_OPOR_TYPE(name) jackdaw_cilk_opor_##name
#define CILK_C_REDUCER_OPXOR(r, name, first) JACKDAW_CILK_C_REDUCER(opxor, r, name, first)
#define CILK_C_REDUCER_OPXOR_TYPE(name) jackdaw_cilk_opxor_##name
#define CILK_C_REDUCER_MAX_CALC(r, v)                     \
  do {                                                    \
    __typeof__((r).value) jackdaw_v = (v);                \
    __typeof__((r).value)* jackdaw_at = &REDUCER_VIEW(r); \
    if (*jackdaw_at < jackdaw_v) *jackdaw_at = jackdaw_v; \
  } while (0)
#define CILK_C_REDUCER_MIN_CALC(r, v)                     \
  do {                                                    \
    __typeof__((r).value) jackdaw_v = (v);                \
    __typeof__((r).value)* jackdaw_at = &REDUCER_VIEW(r); \
    if (jackdaw_v < *jackdaw_at) *jackdaw_at = jackdaw_v; \
  } while (0)
#endif
