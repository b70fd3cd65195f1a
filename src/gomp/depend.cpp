// `depend` clauses. A child waits for its parent's earlier children that have named the same address, unless both only
// read. mutexinoutset counts as inout: the order among such tasks is then that of their making.
#include <algorithm>
#include <cstdint>

#include "gomp/depend_table.hpp"
#include "gomp/tasks.hpp"

namespace jackdaw::gomp {
namespace {

/// GOMP_DEPEND_IN of libgomp's omp_depend_t; all others write.
constexpr std::uintptr_t kind_in = 1;

/// Calls of(address, writes) for each entry of the compiler's array. Two forms: {n, outputs, addresses...}, or
/// {0, n, outputs, mutexinoutsets, inputs, addresses..., omp_depend_t objects...}.
template <class F>
void for_each_dependence(void** depend, const F& of) {
  const auto number = [depend](std::size_t i) { return reinterpret_cast<std::uintptr_t>(depend[i]); };
  if (const std::size_t all = number(0); all != 0) {
    for (std::size_t i = 0; i < all; ++i) of(depend[2 + i], i < number(1));
    return;
  }
  const std::size_t all = number(1), writes = number(2) + number(3), direct = writes + number(4);
  for (std::size_t i = 0; i < all; ++i) {
    if (i < direct) {
      of(depend[5 + i], i < writes);
    } else {
      auto** const object = static_cast<void**>(depend[5 + i]);
      of(object[0], reinterpret_cast<std::uintptr_t>(object[1]) != kind_in);
    }
  }
}

/// Makes `later` wait for `earlier`, unless that has ended.
void put_after(task& earlier, task& later) {
  const holding hold(earlier.order);
  if (!earlier.has_ended) {
    earlier.successors.push_back(&later);
    later.awaits.fetch_add(1, std::memory_order_relaxed);
  }
}

bool has_ended(task& one) noexcept {
  const holding hold(one.order);
  return one.has_ended;
}

void name(task& one, task*& in) {
  one.users.fetch_add(1, std::memory_order_relaxed);
  in = &one;
}

/// Forgets readers that have ended once there are many.
void tidy(std::vector<task*>& readers) {
  if (readers.size() < 16 || readers.size() < readers.capacity()) return;
  const auto gone = std::remove_if(readers.begin(), readers.end(), [](task* each) {
    if (!has_ended(*each)) return false;
    release(each);
    return true;
  });
  readers.erase(gone, readers.end());
}

/// Puts `one` behind all that the array asks for. `stays`: later children may have to wait for it in turn.
void put_in_order(task& parent, task& one, void** depend, bool stays) {
  if (parent.table == nullptr) {
    parent.table = std::make_unique<depend_table>();
  }
  for_each_dependence(depend, [&](const void* address, bool writes) {
    depend_table::accesses& known = parent.table->at[address];
    // A task that names an address twice does not wait for itself.
    if (known.writer != nullptr && known.writer != &one) put_after(*known.writer, one);
    if (writes) {
      for (task* const each : known.readers) {
        if (each != &one) put_after(*each, one);
      }
    }
    if (!stays) return;
    if (writes && known.writer != &one) {
      for (task* const each : known.readers) release(each);
      known.readers.clear();
      if (known.writer != nullptr) release(known.writer);
      name(one, known.writer);
    } else if (!writes && known.writer != &one) {
      tidy(known.readers);
      name(one, known.readers.emplace_back());
    }
  });
}

}  // namespace

depend_table::~depend_table() {
  for (auto& [address, each] : at) {
    if (each.writer != nullptr) release(each.writer);
    for (task* const reader : each.readers) release(reader);
  }
}

void depend_on(member& self, task& one, void** depend) {
  one.is_ordered = true;
  one.awaits.store(1, std::memory_order_relaxed);  // until all its predecessors are known
  put_in_order(*self.now, one, depend, true);
  if (one.awaits.fetch_sub(1, std::memory_order_acq_rel) == 1) {
    offer(&self, one);
  }
}

void wait_for_dependences(member& self, void** depend) noexcept {
  if (self.now->table == nullptr) {
    return;  // no child has any
  }
  // Stands in the others' lists while the thread waits. It is in no queue: see end_dependences.
  task waits;
  waits.in = self.in;
  waits.as = task::kind::included;
  waits.awaits.store(1, std::memory_order_relaxed);
  put_in_order(*self.now, waits, depend, false);
  waits.awaits.fetch_sub(1, std::memory_order_relaxed);
  wait_in_task(self, [&] { return waits.awaits.load(std::memory_order_seq_cst) == 0; });
}

void end_dependences(task& one, member* by) noexcept {
  std::vector<task*> next;
  {
    const holding hold(one.order);
    one.has_ended = true;
    next.swap(one.successors);
  }
  for (task* const each : next) {
    const bool waits_on_a_stack = each->as == task::kind::included;
    team& in = *each->in;
    // Acquire and release: the task sees what all that it waited for have done. One that waits on a stack may be gone.
    if (each->awaits.fetch_sub(1, std::memory_order_seq_cst) != 1) continue;
    if (waits_on_a_stack) {
      in.changes.ring();
    } else {
      offer(by, *each);
    }
  }
}

}  // namespace jackdaw::gomp
