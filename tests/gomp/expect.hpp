#pragma once

#include <cstdio>
#include <cstdlib>

/// Ends the program if it is not so: what an OpenMP program of these tests may rely on.
#define EXPECT(condition)                                                           \
  do {                                                                              \
    if (!(condition)) {                                                             \
      std::fprintf(stderr, "%s:%d: expected %s\n", __FILE__, __LINE__, #condition); \
      std::_Exit(1);                                                                \
    }                                                                               \
  } while (false)
