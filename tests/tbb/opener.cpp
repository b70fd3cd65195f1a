// Opens a library that is linked with libtbb, and closes it again, while the workers stay.
#include <dlfcn.h>

#include <cstdio>

#include "tbb/chapter.hpp"

int main(int, char** arguments) {
  for (int i = 0; i < 3; ++i) {
    void* const plugin = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
    CHECK(plugin != nullptr);
    auto* const count = reinterpret_cast<int (*)()>(dlsym(plugin, "count_in_parallel"));
    chapter::say("counted", count());
    CHECK(dlclose(plugin) == 0);
  }
  chapter::tell_who_ran();
}
