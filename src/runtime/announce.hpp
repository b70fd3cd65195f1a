#pragma once

#include <cstddef>

#include "jackdaw/detail/fiber.hpp"

// What valgrind and the sanitizers of the program are told, besides the changes of stacks (jackdaw/detail/fiber.hpp).
// The library need not be built with a sanitizer: it finds the one that the program is linked with.
namespace jackdaw::detail {

/// Memory is a stack from now on: valgrind takes a stack pointer that moves there for a change of stacks, and leak
/// checkers look for pointers there. Returns valgrind's number of the stack.
unsigned announce_stack(std::byte* lowest, std::size_t size) noexcept;
void retract_stack(std::byte* lowest, std::size_t size, unsigned number) noexcept;
/// While it lives, leak checkers look for pointers in the frames of the calling thread's own stack, although the thread
/// runs on others: what the caller of a root keeps there is no leak if a task ends the program.
class kept_frames {
 public:
  kept_frames() noexcept;
  ~kept_frames();
  kept_frames(const kept_frames&) = delete;
  kept_frames& operator=(const kept_frames&) = delete;

 private:
  const std::byte* lowest_ = nullptr;
  std::size_t size_ = 0;
};
/// While it lives, the loop of another engine runs on that fiber's stack, as a task of this one. Null: on the thread's
/// own stack.
class loop_stack_on {
 public:
  explicit loop_stack_on(fiber* on) noexcept;
  ~loop_stack_on();
  loop_stack_on(const loop_stack_on&) = delete;
  loop_stack_on& operator=(const loop_stack_on&) = delete;

 private:
  const bool elsewhere_;
  const void* bottom_ = nullptr;
  std::size_t size_ = 0;
  void* fake_ = nullptr;
  void* tsan_ = nullptr;
};
/// What tasks have left in this memory counts as unused. Where a sanitizer marks memory, fresh mappings would keep it.
void forget_memory(std::byte* lowest, std::size_t size) noexcept;
/// The fiber's memory is given back.
void announce_retirement(fiber& gone) noexcept;

}  // namespace jackdaw::detail
