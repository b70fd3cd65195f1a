#pragma once

#include <atomic>
#include <chrono>
#include <mutex>

#include "jackdaw/detail/root.hpp"
#include "runtime/run_queue.hpp"

namespace jackdaw::detail {

class worker;

/// A thread that waits for its root and has run a part of it in the place of a worker. Tasks of the root may have to
/// go on on this thread. README-stand-in.md, README-return.md.
class client {
 public:
  client(threads& home, root& task) noexcept;
  /// A thread of an arena's host that comes for what is to go on on it. The engine does not know it, nor wait for it.
  struct unlisted {};
  client(threads& home, root& task, unlisted) noexcept;
  /// A thread of an arena's host that waits for its isolated task, and is not asked back meanwhile.
  struct apart {};
  client(threads& home, root& task, apart) noexcept : client(home, task) { is_apart = true; }
  /// One that has joined an arena: it runs what any other thread in the arena runs until its own root has ended.
  struct member {};
  client(threads& home, root& task, member) noexcept : client(home, task, apart()) { is_member = true; }
  ~client();
  client(const client&) = delete;
  client& operator=(const client&) = delete;

  /// Waits for at most that time. Returns whether it is over. Runs what comes back to this thread meanwhile.
  [[nodiscard]] bool wait(std::chrono::milliseconds at_most);
  /// Whether the root has ended, and if the client lingers also what has been tied to its thread by way of it.
  bool is_over() const noexcept { return task.ended() && (!lingers || *ties == 0); }

  threads& home;
  root& task;
  const void* thread;  ///< this_thread(); null: unlisted
  bool is_apart = false;
  bool is_member = false;
  bool lingers = false;                 ///< its root has ended, and what is tied to the thread could not follow it
  int own_ties = 0;                     ///< what its thread has opened in its places and not closed; that thread's
  int* ties = &own_ties;                ///< what its thread counts in: this, or the guest's whose thread it is
  run_queue returns;                    ///< tasks that go on on this thread and nowhere else
  std::atomic<worker*> place{nullptr};  ///< that a worker has lent on demand

 private:
  friend class client_list;
  client* next_ = nullptr;
  client* next_waiting_ = nullptr;
};

/// The clients of an engine, and those of them that wait for a place. A lock, because a client comes and goes with its
/// root only, and wants a place only for what returns to it.
class client_list {
 public:
  void add(client& one) noexcept;
  void remove(client& one) noexcept;
  /// The same, unless something waits for it. True: it has been removed.
  bool remove_idle(client& one) noexcept;
  /// Sequentially consistent: the caller then looks for sleepers, and a worker that lies down looks at waiting() after
  /// it has set its bit.
  void want_place(client& one) noexcept;
  int waiting() const noexcept { return waiting_.load(std::memory_order_seq_cst); }
  /// Returns the client that has waited longest for a place, if any.
  client* take_waiting() noexcept;
  /// Calls does(client) if a client has that thread. It does not go meanwhile.
  template <class F>
  bool with(const void* thread, F does) noexcept {
    const std::lock_guard hold(mutex_);
    for (client* each = first_; each != nullptr; each = each->next_) {
      if (each->thread == thread) {
        does(*each);
        return true;
      }
    }
    return false;
  }

 private:
  std::mutex mutex_;
  client* first_ = nullptr;
  client* first_waiting_ = nullptr;
  std::atomic<int> waiting_{0};
};

}  // namespace jackdaw::detail
