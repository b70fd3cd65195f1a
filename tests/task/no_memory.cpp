// Every allocation of the runtime made to fail in turn: a root then throws std::bad_alloc or gives the right result, and its
// groups end.
#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>
#include <string>

#include "jackdaw/jackdaw.hpp"
#include "support/schedulers.hpp"

namespace {

/// How many allocations succeed before one fails; below 0: none fails.
std::atomic<long> left{-1};
std::atomic<long> failed{0};

bool fails() noexcept {
  if (left.load(std::memory_order_relaxed) < 0 || left.fetch_sub(1, std::memory_order_relaxed) != 0) return false;
  ++failed;
  return true;
}

void* allocate(std::size_t size, std::size_t align) noexcept {
  if (fails()) return nullptr;
  return align > alignof(std::max_align_t) ? std::aligned_alloc(align, (size + align - 1) / align * align)
                                           : std::malloc(size != 0 ? size : 1);
}

void* allocate_or_throw(std::size_t size, std::size_t align) {
  if (void* const found = allocate(size, align)) return found;
  throw std::bad_alloc();
}

// Not inline: g++ warns of free() for what comes from operator new, where it sees both and takes the latter for its own.
[[gnu::noinline]] void give_back(void* gone) noexcept { std::free(gone); }

}  // namespace

void* operator new(std::size_t size) { return allocate_or_throw(size, 1); }
void* operator new[](std::size_t size) { return allocate_or_throw(size, 1); }
void* operator new(std::size_t size, std::align_val_t align) {
  return allocate_or_throw(size, static_cast<std::size_t>(align));
}
void* operator new[](std::size_t size, std::align_val_t align) {
  return allocate_or_throw(size, static_cast<std::size_t>(align));
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return allocate(size, 1); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return allocate(size, 1); }
void operator delete(void* gone) noexcept { give_back(gone); }
void operator delete[](void* gone) noexcept { give_back(gone); }
void operator delete(void* gone, std::size_t) noexcept { give_back(gone); }
void operator delete[](void* gone, std::size_t) noexcept { give_back(gone); }
void operator delete(void* gone, std::align_val_t) noexcept { give_back(gone); }
void operator delete[](void* gone, std::align_val_t) noexcept { give_back(gone); }
void operator delete(void* gone, std::size_t, std::align_val_t) noexcept { give_back(gone); }
void operator delete[](void* gone, std::size_t, std::align_val_t) noexcept { give_back(gone); }

namespace {

unsigned count(unsigned depth) {
  if (depth == 0) return 1;
  std::atomic<unsigned> sum{0};
  jackdaw::task_group group(depth % 2 == 0 ? jackdaw::policy::help_first : jackdaw::policy::work_first);
  for (unsigned i = 0; i < 2; ++i) {
    group.run([&sum, depth] { sum += count(depth - 1); }, 1);
  }
  jackdaw::invoke([&] { sum += count(depth - 1); }, [&] { sum += count(depth - 1); });
  group.wait();
  return sum;
}

class no_memory : public testing::TestWithParam<std::string> {};

TEST_P(no_memory, for_one_allocation_after_another) {
  jackdaw::runtime rt({.scheduler = GetParam(), .workers = 4, .pin = false});
  constexpr unsigned depth = 4;
  const unsigned expected = rt.run([] { return count(depth); });
  unsigned thrown = 0, right = 0;
  constexpr long most = jackdaw::detail::announced ? 60 : 400;
  for (long after = 0; after < most; ++after) {
    left.store(after);
    try {
      const unsigned found = rt.run([] { return count(depth); });
      left.store(-1);
      ASSERT_EQ(found, expected) << "allocation " << after;
      ++right;
    } catch (const std::bad_alloc&) {
      left.store(-1);
      ++thrown;
    }
    ASSERT_EQ(rt.run([] { return count(2); }), 16u) << "after allocation " << after << " had failed";
  }
  EXPECT_GT(failed.load(), 0);
  EXPECT_EQ(thrown + right, static_cast<unsigned>(most));
}

INSTANTIATE_TEST_SUITE_P(all, no_memory, testing::ValuesIn(jackdaw::test::whole_schedulers()), [](const auto& each) {
  std::string name = each.param;
  for (char& c : name) c = c == ':' || c == '-' ? '_' : c;
  return name;
});

}  // namespace
