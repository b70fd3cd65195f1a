// Loads and unloads the plugin that its argument names.
#include <dlfcn.h>

#include <cstdio>

int main(int, char** words) {
  long last = 0;
  for (int i = 0; i < 20; ++i) {
    void* const loaded = dlopen(words[1], RTLD_NOW | RTLD_LOCAL);
    if (loaded == nullptr) {
      std::puts(dlerror());
      return 1;
    }
    last = reinterpret_cast<long (*)()>(dlsym(loaded, "plugin_main"))();
    dlclose(loaded);
  }
  std::printf("plugin %ld after 20 times\n", last);
}
