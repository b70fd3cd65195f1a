// Memory for tasks and what comes with them.
#include <pthread.h>

#include <cstddef>
#include <new>
#include <utility>

#include "jackdaw/detail/context.hpp"
#include "tbb/layout.hpp"

namespace jackdaw::onetbb {
namespace {

/// The free blocks of a thread, by size. A block goes to the list of the thread that frees it. No list has more than
/// `most`: what one thread allocates and another frees goes through the allocator. Sanitizers see every allocation.
class free_blocks {
 public:
  static constexpr std::size_t unit = 64, classes = 4, most = 128;

  /// When the thread has ended, or nearly.
  void end() noexcept {
    ended_ = true;
    for (kind& each : kinds_) {
      while (each.first != nullptr) ::operator delete(std::exchange(each.first, *static_cast<void**>(each.first)), at);
      each.count = 0;
    }
  }

  void* take(std::size_t size) {
    if (size > classes * unit) return ::operator new(size, at);
    kind& from = kinds_[(size - 1) / unit];
    if (from.first == nullptr) return ::operator new(round_up(size), at);
    --from.count;
    return std::exchange(from.first, *static_cast<void**>(from.first));
  }
  void give(void* block, std::size_t size) noexcept {
    // Threads that end, and static objects that are destroyed after that, may still free tasks.
    if (jackdaw::detail::announced || ended_ || size > classes * unit || kinds_[(size - 1) / unit].count == most) {
      ::operator delete(block, at);
      return;
    }
    if (!std::exchange(known_, true)) ends.at_the_end_of_this_thread(*this);
    kind& to = kinds_[(size - 1) / unit];
    *static_cast<void**>(block) = std::exchange(to.first, block);
    ++to.count;
  }

 private:
  static constexpr std::align_val_t at{unit};  // of a task
  static constexpr std::size_t round_up(std::size_t size) noexcept { return (size + unit - 1) / unit * unit; }
  struct kind {
    void* first = nullptr;
    std::size_t count = 0;
  };

  /// Calls end() of a thread's blocks. Not by a destructor: for that a thread asks the dynamic linker, whose lock
  /// another thread holds while a plugin's constructors run, which may wait for this thread.
  class thread_ends {
   public:
    thread_ends() noexcept {
      there_ = pthread_key_create(&key_, [](void* blocks) { static_cast<free_blocks*>(blocks)->end(); }) == 0;
    }
    void at_the_end_of_this_thread(free_blocks& of) const noexcept {
      if (there_) pthread_setspecific(key_, &of);
    }

   private:
    pthread_key_t key_{};
    bool there_ = false;
  };
  static const thread_ends ends;

  kind kinds_[classes];
  bool known_ = false, ended_ = false;
};
const free_blocks::thread_ends free_blocks::ends;

constinit thread_local free_blocks here;

/// What a pool's address stands for: there is but one, and it has no state.
class the_pool : public d1::small_object_pool {
 public:
  constexpr the_pool() = default;
};
the_pool pool_of_all;

}  // namespace
}  // namespace jackdaw::onetbb

namespace tbb::detail::r1 {

using namespace jackdaw::onetbb;

void* allocate(d1::small_object_pool*& pool, std::size_t size) {
  pool = &pool_of_all;
  return here.take(size != 0 ? size : 1);
}
void* allocate(d1::small_object_pool*& pool, std::size_t size, const d1::execution_data&) {
  return allocate(pool, size);
}
void deallocate(d1::small_object_pool&, void* block, std::size_t size) { here.give(block, size != 0 ? size : 1); }
void deallocate(d1::small_object_pool& pool, void* block, std::size_t size, const d1::execution_data&) {
  deallocate(pool, block, size);
}

}  // namespace tbb::detail::r1
