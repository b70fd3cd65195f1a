#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>

#include "jackdaw_cilk.hpp"

// As C sees it.
#define JACKDAW_CILK_LAYOUT
#include "jackdaw_cilk_fork.h"

namespace jackdaw::cilk {

/// What C's header writes to is where C++ has it.
struct c_frame {
  static_assert(sizeof(frame) <= sizeof(jackdaw_cilk_frame));
  static_assert(offsetof(frame, group_) == 0);
  static_assert(offsetof(frame, state_) == offsetof(jackdaw_cilk_frame, state));
  static std::uint8_t state(const frame& of) { return of.state_; }
  static updates& to_apply(frame& of) { return of.extended().to_apply; }
};

}  // namespace jackdaw::cilk

namespace jackdaw::detail {

struct c_layout {
  using lane_deque = basic_deque<hardware, entry>;
  static_assert(offsetof(lane, deque) + offsetof(lane_deque, head_) == offsetof(jackdaw_cilk_lane, head));
  static_assert(offsetof(lane_deque, limit_) == offsetof(jackdaw_cilk_lane, limit));
  static_assert(offsetof(lane_deque, split_) == offsetof(jackdaw_cilk_lane, split));
  static_assert(offsetof(lane, current) == offsetof(jackdaw_cilk_lane, current));
  static_assert(offsetof(lane, spare) == offsetof(jackdaw_cilk_lane, spare));
  static_assert(offsetof(lane, exceptions) == offsetof(jackdaw_cilk_lane, exceptions));
  static_assert(sizeof(exception_state) == 16 && offsetof(exception_state, uncaught) == 8);
  static_assert(offsetof(fiber, parent) == offsetof(jackdaw_cilk_fiber, parent));
  static_assert(offsetof(continuation, of) == 8 && offsetof(continuation, group) == 16);
  static_assert(offsetof(continuation, context) == 24 && offsetof(continuation, claimed) == 32);
  static_assert(offsetof(fiber, next) == offsetof(jackdaw_cilk_fiber, next));
  static_assert(offsetof(task_group, pending_) == 0 && sizeof(task_group::pending_) == 24);
  static_assert(offsetof(task_group, total_) == offsetof(jackdaw_cilk_frame, total) && unknown == -1.0);
  static_assert(offsetof(task_group, passing_) == offsetof(jackdaw_cilk_frame, passing));

  static bool pop_public(lane* at, void** top) {
    return at->deque.pop_public(reinterpret_cast<lane_deque::slot*>(top));
  }
  static void end_apart(fiber* on) {
    if (on->exposed) task_group::end_detached(on);
    on->exposed = true;
  }
};

}  // namespace jackdaw::detail

using jackdaw::detail::c_layout;
using jackdaw::detail::fiber;
using jackdaw::detail::lane;

namespace {

using jackdaw::cilk::frame;

frame& frame_of(jackdaw_cilk_frame* in) { return *reinterpret_cast<frame*>(in); }

/// A trivially copied child: short ones fit on the child's stack beside what it calls.
template <unsigned long Size>
struct child {
  void operator()() { work(captured); }
  jackdaw_cilk_work work;
  alignas(16) unsigned char captured[Size];
};

template <unsigned long Size>
void spawn(frame& of, jackdaw_cilk_work work, const void* captured, unsigned long size) {
  child<Size> made;
  made.work = work;
  std::memcpy(made.captured, captured, Size <= 64 ? Size : size);
  of.spawn(made);
}

}  // namespace

void jackdaw_cilk_attend(jackdaw_cilk_lane* at, jackdaw_cilk_fiber* child) {
  auto* const on = reinterpret_cast<fiber*>(child);
  if (jackdaw::detail::attend(reinterpret_cast<lane*>(at))) return;
  on->parent.claimed.store(true, std::memory_order_relaxed);
  on->exposed = false;
}
void jackdaw_cilk_end_public(jackdaw_cilk_lane* at, jackdaw_cilk_fiber* child, void** top) {
  if (!c_layout::pop_public(reinterpret_cast<lane*>(at), top)) c_layout::end_apart(reinterpret_cast<fiber*>(child));
}
void jackdaw_cilk_end_apart(jackdaw_cilk_fiber* child) { c_layout::end_apart(reinterpret_cast<fiber*>(child)); }

void jackdaw_cilk_spawn(jackdaw_cilk_frame* in, jackdaw_cilk_work work, const void* captured, unsigned long size) {
  frame& of = frame_of(in);
  // The translator aligns what is captured to 16 bytes, so the size is a multiple of that.
  switch (size) {
    case 16:
      return spawn<16>(of, work, captured, size);
    case 32:
      return spawn<32>(of, work, captured, size);
    case 48:
      return spawn<48>(of, work, captured, size);
    case 64:
      return spawn<64>(of, work, captured, size);
    default:
      break;
  }
  if (size <= 256) return spawn<256>(of, work, captured, size);
  if (size <= 1024) return spawn<1024>(of, work, captured, size);
  std::shared_ptr<void> copy(std::malloc(size), &std::free);
  if (copy == nullptr) throw std::bad_alloc();
  std::memcpy(copy.get(), captured, size);
  of.spawn([work, copy] { work(copy.get()); });
}

void jackdaw_cilk_wait(jackdaw_cilk_frame* in) { frame_of(in).sync(); }

void* jackdaw_cilk_update(jackdaw_cilk_frame* in, void (*apply)(void*), unsigned long size) {
  struct c_update : jackdaw::cilk::update {
    c_update(void (*how)(void*), unsigned long size) : how_(how), value(std::malloc(size), &std::free) {
      if (!value) throw std::bad_alloc();
    }
    void apply() override { how_(value.get()); }
    void (*how_)(void*);
    std::unique_ptr<void, void (*)(void*)> value;
  };
  auto made = std::make_unique<c_update>(apply, size);
  void* const value = made->value.get();
  jackdaw::cilk::c_frame::to_apply(frame_of(in)).add(std::move(made));
  return value;
}

void jackdaw_cilk_loop(unsigned long long count, unsigned long long grain, jackdaw_cilk_body body, void* captured) {
  jackdaw::cilk::repeat(count, grain, [&](std::uint64_t index) { body(captured, index); });
}

int jackdaw_cilk_main(int (*program)(int, char**, char**), int argc, char** argv, char** environment) {
  setenv("JACKDAW_STACK_SIZE", "8M", 0);  // before there is another thread
  const int status = jackdaw::runtime::instance().run([&] { return program(argc, argv, environment); });
  // This thread may have run children; their strands are gone when exit() destroys global hyperobjects.
  jackdaw::cilk::set_strand(nullptr);
  return status;
}
