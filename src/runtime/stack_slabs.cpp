#include "runtime/stack_slabs.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cerrno>
#include <cstdio>
#include <new>

#include "base/own_mapping.hpp"
#include "runtime/announce.hpp"

#ifndef MADV_GUARD_INSTALL
#define MADV_GUARD_INSTALL 102
#endif

namespace jackdaw::detail {

struct stack_slabs::slab {
  own_mapping memory;
  std::size_t maps = 0;                // how many mappings it counts for
  std::uint64_t free = 0;              // a bit for each stack that was given back
  unsigned count = 0;                  // stacks that there is room for
  unsigned prepared = 0;               // of these, from the bottom
  std::array<unsigned, 64> numbers{};  // valgrind's, of those
  unsigned taken = 0;
  slab* next = nullptr;
  slab** here = nullptr;  // what points to this one

  std::byte* begin() const noexcept { return static_cast<std::byte*>(memory.data()); }
  bool room() const noexcept { return taken < count; }
  void enter(slab*& list) noexcept {
    next = list;
    here = &list;
    if (next != nullptr) {
      next->here = &next;
    }
    list = this;
  }
  void leave() const noexcept {
    *here = next;
    if (next != nullptr) {
      next->here = here;
    }
  }
};

namespace {

std::size_t page_size() noexcept { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }

/// Returns half of the mappings that the process may have. The first thread reads the limit, perhaps two threads do: if
/// a lock guarded its initialisation, it could stay locked in the child of a fork().
std::size_t most_maps() noexcept {
  static std::atomic<long long> known{-1};
  long long allowed = known.load(std::memory_order_relaxed);
  if (allowed < 0) {
    allowed = 65530;
    if (std::FILE* const file = std::fopen("/proc/sys/vm/max_map_count", "re")) {
      if (std::fscanf(file, "%lld", &allowed) != 1 || allowed < 0) {  // NOLINT(cert-err34-c): checked
        allowed = 65530;
      }
      std::fclose(file);
    }
    known.store(allowed, std::memory_order_relaxed);
  }
  return static_cast<std::size_t>(allowed / 2);
}

std::atomic<std::size_t> maps{0};  // of all slabs in the process
std::atomic<bool> guards_refused{false};

/// Whether madvise reports advice that it does not know. qemu-user accepts all such advice, also that for guards.
bool heeds_advice() noexcept { return madvise(nullptr, 0, -1) != 0; }

bool count_maps(std::size_t more, bool needed) noexcept {
  if (maps.fetch_add(more, std::memory_order_relaxed) + more > most_maps() && !needed) {
    maps.fetch_sub(more, std::memory_order_relaxed);
    return false;
  }
  return true;
}

unsigned fit_together(std::size_t stack) noexcept {
  constexpr std::size_t largest = std::size_t{256} << 20;
  return static_cast<unsigned>(std::clamp<std::size_t>(largest / stack, 1, 64));
}

}  // namespace

// A guard has several pages: a frame that skips one page is not rare, a frame that skips sixteen is.
stack_slabs::stack_slabs(std::size_t stack_size)
    : size_((stack_size + page_size() - 1) / page_size() * page_size()),
      guard_(16 * page_size()),
      together_(fit_together(size_ + guard_)) {
  most_maps();  // read now, so that no worker reads it during a fork()
  if (!heeds_advice()) {
    guards_refused.store(true, std::memory_order_relaxed);
  }
}

stack_slabs::~stack_slabs() {
  for (slab** list : {&open_, &full_}) {
    while (slab* const gone = *list) {
      gone->leave();
      unmap(gone);
    }
  }
}

std::byte* stack_slabs::at(const slab& in, unsigned index) const noexcept {
  return in.begin() + index * (guard_ + size_) + guard_;
}

void stack_slabs::bound(std::size_t stacks) noexcept {
  const std::lock_guard hold(mutex_);
  most_ = std::min(stacks, most_stacks);
}

stack_slabs::slab* stack_slabs::map(bool needed) noexcept {
  if (!count_maps(2, needed)) {
    return nullptr;
  }
  slab* const made = new (std::nothrow) slab;
  if (made != nullptr) {
    for (unsigned count : {together_, 1u}) {
      const std::size_t bytes = count * (guard_ + size_);
      if (made->memory.map(bytes, PROT_NONE, MAP_NORESERVE | MAP_STACK)) {
        // A huge page would hold several stacks, including their unused pages.
        madvise(made->memory.data(), bytes, MADV_NOHUGEPAGE);
        made->count = count;
        made->maps = 2;
        made->enter(open_);
        return made;
      }
    }
    delete made;
  }
  maps.fetch_sub(2, std::memory_order_relaxed);
  return nullptr;
}

/// Prepares the first use of a stack's memory. The writable part grows from the bottom of the slab and stays one
/// mapping, unless guards have to be mappings.
bool stack_slabs::prepare(slab& in, unsigned index, bool needed) noexcept {
  std::byte* const stack = at(in, index);
  if (!guards_refused.load(std::memory_order_relaxed)) {
    if (mprotect(stack - guard_, guard_ + size_, PROT_READ | PROT_WRITE) != 0) {
      return false;
    }
    if (madvise(stack - guard_, guard_, MADV_GUARD_INSTALL) == 0) {
      return true;
    }
    if (errno != ENOMEM) {
      guards_refused.store(true, std::memory_order_relaxed);
    }
  }
  if (!count_maps(2, needed)) {
    mprotect(stack - guard_, guard_ + size_, PROT_NONE);
    return false;
  }
  if (mprotect(stack - guard_, guard_, PROT_NONE) == 0 && mprotect(stack, size_, PROT_READ | PROT_WRITE) == 0) {
    in.maps += 2;
    return true;
  }
  mprotect(stack - guard_, guard_ + size_, PROT_NONE);
  maps.fetch_sub(2, std::memory_order_relaxed);
  return false;
}

stack_slabs::stack stack_slabs::take(bool needed) noexcept {
  const std::lock_guard hold(mutex_);
  if (taken_ >= (needed ? most_stacks : most_)) {
    return {};
  }
  slab* const in = open_ != nullptr ? open_ : map(needed);
  if (in == nullptr) {
    return {};
  }
  unsigned index = in->prepared;
  if (in->free != 0) {
    index = static_cast<unsigned>(std::countr_zero(in->free));
    in->free &= in->free - 1;
  } else if (prepare(*in, index, needed)) {
    in->numbers[in->prepared++] = announce_stack(at(*in, index), size_);  // without the guard
  } else {
    return {};  // an empty slab stays for the next call
  }
  ++taken_;
  ++in->taken;
  if (!in->room()) {
    in->leave();
    in->enter(full_);
  }
  return {at(*in, index), in};
}

void stack_slabs::give(const stack& unused) noexcept {
  slab* const in = unused.of;
  forget_memory(unused.lowest, size_);
  madvise(unused.lowest, size_, MADV_DONTNEED);  // before another thread can have it
  {
    const std::lock_guard hold(mutex_);
    const bool was_full = !in->room();
    in->free |= std::uint64_t{1} << static_cast<std::size_t>(unused.lowest - in->begin()) / (guard_ + size_);
    --in->taken;
    --taken_;
    if (in->taken != 0 && !was_full) {
      return;
    }
    in->leave();
    if (in->taken != 0) {
      in->enter(open_);
      return;
    }
  }
  unmap(in);
}

void stack_slabs::unmap(slab* gone) const noexcept {
  forget_memory(gone->begin(), gone->memory.bytes());
  for (unsigned index = 0; index < gone->prepared; ++index) {
    retract_stack(at(*gone, index), size_, gone->numbers[index]);
  }
  if (gone->memory.unmap()) {
    maps.fetch_sub(gone->maps, std::memory_order_relaxed);
  }
  delete gone;
}

}  // namespace jackdaw::detail
