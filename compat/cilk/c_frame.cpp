#include <atomic>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <thread>

#include "jackdaw_cilk.hpp"

namespace {

using jackdaw::cilk::frame;

static_assert(sizeof(frame) <= sizeof(jackdaw_cilk_frame::room));

std::atomic_flag updating;

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

void jackdaw_cilk_spawn(jackdaw_cilk_frame* in, jackdaw_cilk_work work, const void* captured, unsigned long size) {
  frame* const of = in->open != nullptr ? static_cast<frame*>(in->open) : ::new (static_cast<void*>(in->room)) frame;
  in->open = of;
  // The translator aligns what is captured to 16 bytes, so the size is a multiple of that.
  switch (size) {
    case 16:
      return spawn<16>(*of, work, captured, size);
    case 32:
      return spawn<32>(*of, work, captured, size);
    case 48:
      return spawn<48>(*of, work, captured, size);
    case 64:
      return spawn<64>(*of, work, captured, size);
    default:
      break;
  }
  if (size <= 256) return spawn<256>(*of, work, captured, size);
  return spawn<1024>(*of, work, captured, size);
}

void jackdaw_cilk_wait(jackdaw_cilk_frame* in) {
  auto* const of = static_cast<frame*>(in->open);
  if (of == nullptr) return;
  of->sync();
  of->~frame();
  in->open = nullptr;
}

void jackdaw_cilk_loop(unsigned long long count, unsigned long long grain, jackdaw_cilk_body body, void* captured) {
  jackdaw::cilk::repeat(count, grain, [&](std::uint64_t index) { body(captured, index); });
}

// Held for one assignment, in which nothing forks.
void jackdaw_cilk_lock() {
  while (updating.test_and_set(std::memory_order_acquire)) std::this_thread::yield();
}
void jackdaw_cilk_unlock() { updating.clear(std::memory_order_release); }

int jackdaw_cilk_main(int (*program)(int, char**, char**), int argc, char** argv, char** environment) {
  setenv("JACKDAW_STACK_SIZE", "8M", 0);  // before there is another thread
  const int status = jackdaw::runtime::instance().run([&] { return program(argc, argv, environment); });
  // This thread may have run children; their strands are gone when exit() destroys global hyperobjects.
  jackdaw::cilk::set_strand(nullptr);
  return status;
}
