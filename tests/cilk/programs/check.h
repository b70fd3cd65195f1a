/* Counts what is wrong in a program of a test. */
#ifndef CHECK_H
#define CHECK_H
#include <stdio.h>
static int failures = 0;
#define CHECK(what)                                          \
  do {                                                       \
    if (!(what)) {                                           \
      ++failures;                                            \
      printf("line %d: %s is false\n", __LINE__, #what);     \
    }                                                        \
  } while (0)
#endif
