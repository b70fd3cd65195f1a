// Placed memory, declared accesses and names of the C API.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "c/called.hpp"

namespace {

using jackdaw::test::in_a_task;
using jackdaw::test::said;

TEST(c_memory, is_zeroed_and_aligned) {
  for (const int place : {JACKDAW_FIRST_TOUCH, JACKDAW_INTERLEAVE, JACKDAW_BY_BANDWIDTH, JACKDAW_FASTEST}) {
    for (const int pages : {JACKDAW_PAGES_AUTOMATIC, JACKDAW_PAGES_BASE, JACKDAW_PAGES_HUGE}) {
      jackdaw_placement how;
      jackdaw_placement_init(&how);
      how.place = place;
      how.pages = pages;
      how.alignment = 65536;
      void* memory = nullptr;
      ASSERT_EQ(jackdaw_alloc(1000001, &how, &memory), JACKDAW_OK) << jackdaw_last_error();
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory) % 65536, 0u);
      for (std::size_t i = 0; i < 1000001; i += 1000) ASSERT_EQ(static_cast<char*>(memory)[i], 0);
      std::memset(memory, 1, 1000001);
      EXPECT_EQ(jackdaw_name_memory(memory, 1000001, "field"), JACKDAW_OK);
      EXPECT_EQ(jackdaw_free(memory), JACKDAW_OK);
      EXPECT_EQ(jackdaw_free(memory), JACKDAW_ERROR_HANDLE);
    }
  }
}

TEST(c_memory, of_no_bytes_is_null) {
  void* memory = &memory;
  EXPECT_EQ(jackdaw_alloc(0, nullptr, &memory), JACKDAW_OK);
  EXPECT_EQ(memory, nullptr);
  EXPECT_EQ(jackdaw_free(nullptr), JACKDAW_OK);
}

TEST(c_memory, is_allocated_by_tasks) {
  const auto allocates = [] {
    void* memory = nullptr;
    ASSERT_EQ(jackdaw_alloc(1 << 20, nullptr, &memory), JACKDAW_OK);
    jackdaw_reads(memory, 1 << 20);
    jackdaw_writes(memory, 1 << 20);
    jackdaw_reads_rows(memory, 4, 100, 1000);
    jackdaw_writes_rows(memory, 4, 100, 1000);
    jackdaw_reads(nullptr, 8);
    jackdaw_writes_rows(nullptr, 1, 8, 8);
    EXPECT_EQ(jackdaw_free(memory), JACKDAW_OK);
  };
  EXPECT_EQ(in_a_task(allocates), JACKDAW_OK);
}

TEST(c_memory, refuses_what_it_cannot_use) {
  void* memory = nullptr;
  jackdaw_placement how;
  EXPECT_EQ(jackdaw_alloc(100, nullptr, nullptr), JACKDAW_ERROR_ARGUMENT);
  std::memset(&how, 0, sizeof how);  // its size is not set
  EXPECT_EQ(jackdaw_alloc(100, &how, &memory), JACKDAW_ERROR_ARGUMENT);
  EXPECT_TRUE(said("whose size is not set"));
  jackdaw_placement_init(&how);
  how.place = 77;
  EXPECT_EQ(jackdaw_alloc(100, &how, &memory), JACKDAW_ERROR_ARGUMENT);
  jackdaw_placement_init(&how);
  how.pages = -1;
  EXPECT_EQ(jackdaw_alloc(100, &how, &memory), JACKDAW_ERROR_ARGUMENT);
  jackdaw_placement_init(&how);
  how.alignment = 3;
  EXPECT_EQ(jackdaw_alloc(100, &how, &memory), JACKDAW_ERROR_INPUT);
  jackdaw_placement_init(&how);
  how.place = JACKDAW_ON_NODE;
  how.node = 99999;
  EXPECT_EQ(jackdaw_alloc(100, &how, &memory), JACKDAW_ERROR_INPUT);
  EXPECT_EQ(memory, nullptr);
  EXPECT_NE(jackdaw_alloc(SIZE_MAX / 2, nullptr, &memory), JACKDAW_OK);
  EXPECT_EQ(jackdaw_free(&how), JACKDAW_ERROR_HANDLE);
  EXPECT_EQ(jackdaw_free(reinterpret_cast<void*>(16)), JACKDAW_ERROR_HANDLE);
  EXPECT_EQ(jackdaw_name_memory(nullptr, 8, "x"), JACKDAW_ERROR_ARGUMENT);
  EXPECT_EQ(jackdaw_name_memory(&how, 8, nullptr), JACKDAW_ERROR_ARGUMENT);
}

/// A handler that runs when main() has returned, and static objects of the library's are gone.
void allocate_late() {
  void* memory = nullptr;
  jackdaw_group* group = nullptr;
  if (jackdaw_alloc(100000, nullptr, &memory) != JACKDAW_OK || jackdaw_free(memory) != JACKDAW_OK ||
      jackdaw_group_begin(&group) != JACKDAW_OK || jackdaw_group_end(group) != JACKDAW_OK) {
    std::_Exit(3);
  }
}

TEST(c_memory, is_used_in_a_handler_of_exit) {
  EXPECT_EXIT(
      {
        std::atexit(allocate_late);  // before any static object of the library's is made
        void* memory = nullptr;
        if (jackdaw_alloc(100000, nullptr, &memory) != JACKDAW_OK) std::_Exit(4);
        jackdaw_placement how;
        jackdaw_placement_init(&how);
        how.place = JACKDAW_FASTEST;
        if (jackdaw_alloc(100000, &how, &memory) != JACKDAW_OK) std::_Exit(5);
        std::exit(0);
      },
      testing::ExitedWithCode(0), "");
}

}  // namespace
