#pragma once

#include <atomic>

#include "runtime/client.hpp"

namespace jackdaw::detail {

/// Brings one worker's thread of the host to an arena: what is tied to it goes on there and nowhere else. It is a task
/// of the host, in that worker's `returns`. README-arena.md.
struct guest : entry {
  explicit guest(threads& arena) noexcept
      : entry([](entry* self) noexcept -> fiber* {
          static_cast<guest*>(self)->come();
          return nullptr;
        }),
        who(arena, waits_for, client::unlisted()) {}
  void come() noexcept;

  /// Never ends.
  struct nobodys_root final : root {
    void run() override {}
  } waits_for;
  client who;
  queued turn;                      ///< in the worker's `returns`
  std::atomic<bool> called{false};  ///< the worker has it to run, and has not looked into who.returns yet
};

}  // namespace jackdaw::detail
