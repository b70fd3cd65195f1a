// The C library's allocation functions, with libjackdaw-malloc.so preloaded and without it: these tests hold for any
// allocator, but for those that look for the library.
#include <gtest/gtest.h>

#include <dlfcn.h>
#include <malloc.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <mutex>
#include <new>
#include <random>
#include <thread>
#include <vector>

#include "malloc/hooks.hpp"

namespace {

/// Null: the C library's allocator.
const jackdaw::malloc::hooks* library() {
  static const auto* const found =
      static_cast<const jackdaw::malloc::hooks*>(dlsym(RTLD_DEFAULT, jackdaw::malloc::hooks_name));
  return found;
}

/// From now on this thread wants memory of that node; there may be no such node.
void want(int node) {
  if (library() != nullptr) library()->allocate_on(node);
}

/// Hides from the compiler what an allocation function is.
template <class T>
T* hidden(T* each) {
  asm volatile("" : "+r"(each));
  return each;
}

struct block {
  unsigned char* data = nullptr;
  std::size_t bytes = 0;
  unsigned char mark = 0;

  void fill() const { std::memset(data, mark, bytes); }
  bool whole(std::size_t count) const {
    return std::all_of(data, data + count, [this](unsigned char each) { return each == mark; });
  }
};

/// Mostly small, sometimes above what is large.
std::size_t some_size(std::mt19937& random) {
  const unsigned bits = random() % 100 < 98 ? 4 + random() % 10 : 16 + random() % 5;
  return 1 + random() % (std::size_t{1} << bits);
}

TEST(allocator, is_the_one_that_is_to_be_tested) {
  EXPECT_EQ(library() != nullptr, std::getenv("JACKDAW_TEST_PRELOADED") != nullptr);
}

TEST(allocator, keeps_what_threads_write_whoever_frees_it) {
  constexpr unsigned threads = 4, steps = 20000, most = 200;
  std::mutex mutex;
  std::vector<block> handed_over;
  std::atomic<unsigned> wrong{0};
  std::vector<std::thread> all;
  for (unsigned self = 0; self < threads; ++self) {
    all.emplace_back([&, self] {
      std::mt19937 random(self);
      std::vector<block> mine;
      for (unsigned step = 0; step < steps; ++step) {
        if (step % 100 == 0) want(static_cast<int>(random() % 4) - 1);
        const bool full = mine.size() == most;
        if (!full && random() % 2 == 0) {
          block made{nullptr, some_size(random), static_cast<unsigned char>(random())};
          made.data =
              static_cast<unsigned char*>(random() % 3 == 0 ? std::calloc(made.bytes, 1) : std::malloc(made.bytes));
          made.fill();
          mine.push_back(made);
        } else if (!mine.empty()) {
          std::swap(mine[random() % mine.size()], mine.back());
          block last = mine.back();
          mine.pop_back();
          if (!last.whole(last.bytes)) ++wrong;
          const unsigned how = random() % 3;
          if (how == 0) {
            std::free(last.data);
          } else if (how == 1) {
            const std::size_t bytes = some_size(random), kept = std::min(bytes, last.bytes);
            last.data = static_cast<unsigned char*>(std::realloc(last.data, bytes));
            if (!last.whole(kept)) ++wrong;
            last.bytes = bytes;
            last.fill();
            mine.push_back(last);
          } else {
            const std::lock_guard hold(mutex);
            handed_over.push_back(last);
            std::swap(handed_over[random() % handed_over.size()], handed_over.back());
            if (handed_over.size() > most / 2) {
              mine.push_back(handed_over.back());
              handed_over.pop_back();
            }
          }
        }
      }
      for (const block& each : mine) {
        if (!each.whole(each.bytes)) ++wrong;
        std::free(each.data);
      }
    });
  }
  for (std::thread& each : all) each.join();
  for (const block& each : handed_over) {
    if (!each.whole(each.bytes)) ++wrong;
    std::free(each.data);
  }
  EXPECT_EQ(wrong, 0u);
}

TEST(allocator, aligns_blocks_of_all_sizes) {
  for (std::size_t alignment = sizeof(void*); alignment <= std::size_t{4} << 20; alignment *= 2) {
    for (const std::size_t bytes : {std::size_t{1}, std::size_t{100}, std::size_t{4096}, std::size_t{300000}}) {
      void* posix = nullptr;
      ASSERT_EQ(posix_memalign(&posix, alignment, bytes), 0) << alignment;
      void* const ways[] = {posix, hidden(aligned_alloc(alignment, bytes)), hidden(memalign(alignment, bytes))};
      for (void* const each : ways) {
        ASSERT_NE(each, nullptr);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(each) % alignment, 0u) << alignment << ' ' << bytes;
        EXPECT_GE(malloc_usable_size(each), bytes);
        std::memset(each, 1, bytes);
      }
      for (void* const each : ways) std::free(each);
    }
  }
  struct alignas(256) wide {
    char bytes[256 * 2000];
  };
  wide* const made = hidden(new wide);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(made) % 256, 0u);
  delete made;
}

TEST(allocator, clears_what_calloc_returns) {
  for (const std::size_t bytes : {std::size_t{64}, std::size_t{5000}, std::size_t{200000}, std::size_t{2000000}}) {
    for (int again = 0; again < 20; ++again) {
      auto* const each = static_cast<unsigned char*>(hidden(std::calloc(bytes, 1)));
      ASSERT_TRUE(std::all_of(each, each + bytes, [](unsigned char byte) { return byte == 0; }));
      std::memset(each, 0xff, bytes);
      std::free(each);
    }
  }
}

TEST(allocator, refuses_what_there_is_not) {
  constexpr std::size_t most = static_cast<std::size_t>(-1);
  const auto refused = [](void* block) {
    const int code = errno;
    errno = 0;
    EXPECT_EQ(block, nullptr);
    return code;
  };
  errno = 0;
  volatile std::size_t huge = most - 100, half = most / 2;
  EXPECT_EQ(refused(hidden(std::malloc(huge))), ENOMEM);
  EXPECT_EQ(refused(hidden(std::malloc(half))), ENOMEM);
  EXPECT_EQ(refused(hidden(std::calloc(half, 3))), ENOMEM);
  EXPECT_EQ(refused(hidden(memalign(4096, huge))), ENOMEM);
  EXPECT_EQ(refused(hidden(pvalloc(huge))), ENOMEM);
  void* block = std::malloc(1000);
  std::memset(block, 7, 1000);
  EXPECT_EQ(refused(hidden(std::realloc(block, half))), ENOMEM);
  EXPECT_EQ(refused(hidden(reallocarray(block, half, 3))), ENOMEM);
  EXPECT_EQ(static_cast<char*>(block)[999], 7);
  std::free(block);
  block = std::malloc(1000000);
  std::memset(block, 7, 1000000);
  EXPECT_EQ(refused(hidden(std::realloc(block, half))), ENOMEM);
  EXPECT_EQ(static_cast<char*>(block)[999999], 7);
  EXPECT_EQ(hidden(std::realloc(block, 0)), nullptr);
  EXPECT_EQ(posix_memalign(&block, 24, 100), EINVAL);
  EXPECT_EQ(posix_memalign(&block, 64, huge), ENOMEM);
  errno = 0;
  std::free(nullptr);
  EXPECT_EQ(errno, 0);
  EXPECT_EQ(malloc_usable_size(nullptr), 0u);
}

TEST(allocator, has_blocks_of_no_bytes) {
  void* const first = hidden(std::malloc(0));
  void* const second = hidden(std::calloc(0, 8));
  EXPECT_NE(first, nullptr);
  EXPECT_NE(second, nullptr);
  EXPECT_NE(first, second);
  std::free(first);
  std::free(second);
}

/// The point of it: where memory lay that somebody else has used does not decide.
TEST(allocator, gives_large_blocks_fresh_pages) {
  if (library() == nullptr) GTEST_SKIP() << "the C library uses pages again";
  constexpr std::size_t bytes = std::size_t{1} << 20, page = 4096;
  for (int again = 0; again < 10; ++again) {
    auto* const each = static_cast<unsigned char*>(hidden(std::malloc(bytes)));
    ASSERT_EQ(reinterpret_cast<std::uintptr_t>(each) % page, 0u);
    std::vector<unsigned char> there(bytes / page);
    ASSERT_EQ(mincore(each, bytes, there.data()), 0);
    EXPECT_EQ(std::count_if(there.begin(), there.end(), [](unsigned char one) { return (one & 1) != 0; }), 0);
    std::memset(each, 1, bytes);
    std::free(each);
  }
}

TEST(allocator, works_in_the_child_of_a_process_whose_threads_allocate) {
  std::atomic<bool> over{false};
  std::vector<std::thread> busy;
  for (int i = 0; i < 3; ++i) {
    busy.emplace_back([&over, i] {
      want(i - 1);
      std::mt19937 random(static_cast<unsigned>(i));
      while (!over) std::free(hidden(std::malloc(some_size(random))));
    });
  }
  for (int i = 0; i < 50; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      std::mt19937 random(1);
      for (int k = 0; k < 1000; ++k) std::free(hidden(std::malloc(some_size(random))));
      _exit(0);
    }
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  over = true;
  for (std::thread& each : busy) each.join();
}

/// A thread's heaps have ended when the last of its destructors run.
TEST(allocator, works_in_the_destructors_of_threads) {
  pthread_key_t key{};
  ASSERT_EQ(pthread_key_create(&key,
                               [](void* block) {
                                 std::free(block);
                                 for (std::size_t bytes = 8; bytes < 1000000; bytes *= 3) {
                                   void* const each = hidden(std::malloc(bytes));
                                   std::memset(each, 1, bytes);
                                   std::free(each);
                                 }
                               }),
            0);
  for (int i = 0; i < 200; ++i) {
    std::thread([&] {
      want(i % 3);
      pthread_setspecific(key, std::malloc(100));
      std::vector<void*> blocks;
      for (int k = 0; k < 100; ++k) blocks.push_back(std::malloc(1000));
      for (void* const each : blocks) std::free(each);
      want(-1);  // as a worker does at its end
    }).join();
  }
  pthread_key_delete(key);
}

TEST(allocator, grows_blocks_that_are_several_mappings) {
  constexpr std::size_t bytes = std::size_t{1} << 20;
  auto* block = static_cast<unsigned char*>(hidden(std::malloc(bytes)));
  std::memset(block, 5, bytes);
  const std::size_t inside = 65536 - reinterpret_cast<std::uintptr_t>(block) % 65536;
  ASSERT_EQ(madvise(block + inside, 65536, MADV_DONTFORK), 0);
  for (std::size_t more = 2; more <= 8; more *= 2) {
    block = static_cast<unsigned char*>(hidden(std::realloc(block, more * bytes)));
    ASSERT_NE(block, nullptr);
    EXPECT_TRUE(std::all_of(block, block + bytes, [](unsigned char each) { return each == 5; }));
  }
  std::free(block);
}

/// What heaps keep for small blocks is needed for a large one.
/// Apart from the others: where nodes have been asked for, their addresses are reserved.
TEST(limit_of_addresses, has_room_for_large_blocks_after_many_small_ones) {
  const pid_t child = fork();
  if (child == 0) {
    const rlimit most{std::size_t{400} << 20, std::size_t{400} << 20};
    if (setrlimit(RLIMIT_AS, &most) != 0) _exit(2);
    std::vector<void*> small(300);
    for (void*& each : small) each = hidden(std::malloc(1 << 20 >> 3));
    for (void* const each : small) std::free(each);
    std::size_t got = 0;
    while (got < 200 && hidden(std::malloc(std::size_t{1} << 20)) != nullptr) ++got;
    _exit(got == 200 ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

std::size_t resident_pages() {
  std::ifstream file("/proc/self/statm");
  std::size_t all = 0, resident = 0;
  file >> all >> resident;
  return resident;
}

/// A process may have 65530 mappings as a rule, and to unmap a part of one makes another.
TEST(allocator, keeps_no_memory_where_the_system_takes_no_mapping_back) {
  constexpr std::size_t count = 140000, bytes = std::size_t{256} << 10;
  std::vector<void*> blocks(count);
  const std::size_t before = resident_pages();
  for (int round = 0; round < 2; ++round) {
    for (void*& each : blocks) {
      each = hidden(std::malloc(bytes));
      if (each == nullptr) GTEST_SKIP() << "the system has no so many addresses";
      *static_cast<char*>(each) = 1;
    }
    for (std::size_t i = 0; i < count; i += 2) std::free(blocks[i]);
    for (std::size_t i = 1; i < count; i += 2) std::free(blocks[i]);
    EXPECT_LT(resident_pages(), before + count / 4);
  }
}

extern "C" void* __libc_malloc(std::size_t);

TEST(allocator, frees_what_other_names_allocate) {
  void* const block = hidden(__libc_malloc(1000));
  std::memset(block, 1, 1000);
  std::free(block);
  auto* const made = hidden(::operator new(std::size_t{1} << 20));
  std::free(made);
}

TEST(allocator, throws_where_new_finds_no_memory) {
  volatile std::size_t half = static_cast<std::size_t>(-1) / 2;
  EXPECT_THROW(hidden(::operator new(half)), std::bad_alloc);
  EXPECT_EQ(hidden(::operator new(half, std::nothrow)), nullptr);
  static bool asked = false;
  std::set_new_handler([] {
    asked = true;
    std::set_new_handler(nullptr);
  });
  EXPECT_THROW(hidden(::operator new(half)), std::bad_alloc);
  EXPECT_TRUE(asked);
}

}  // namespace
