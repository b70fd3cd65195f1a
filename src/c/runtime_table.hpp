#pragma once

#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

#include "jackdaw/jackdaw.h"
#include "jackdaw/runtime.hpp"

namespace jackdaw::c_api {

/// A runtime of the C API, and how many calls are using it.
struct known_runtime {
  explicit known_runtime(const options& how) : it(std::make_unique<runtime>(how)) {}

  std::unique_ptr<runtime> it;
  unsigned users = 0;         // in `process`, with the table's lock held
  std::uint32_t process = 0;  // users of the parent process never leave in the child
};

/// The runtimes by their handles, which are no addresses and never used again.
class runtime_table {
 public:
  static runtime_table& all();

  jackdaw_runtime* add(std::unique_ptr<known_runtime> made);
  /// Waits until no call uses the runtime, and returns it. No call finds it any more. Throws misuse.
  std::unique_ptr<known_runtime> take(jackdaw_runtime* handle);

  std::mutex mutex;  // locked while the process forks

 private:
  friend class user;
  known_runtime& find(jackdaw_runtime* handle);

  std::map<std::uintptr_t, std::unique_ptr<known_runtime>> known_;
  std::condition_variable left_;
  std::uintptr_t last_ = 0;
};

/// A call that uses a runtime, which stays meanwhile. Null: the default one, which starts if need be.
class user {
 public:
  explicit user(jackdaw_runtime* handle);
  ~user();
  user(const user&) = delete;
  user& operator=(const user&) = delete;

  runtime& of() const noexcept { return *of_; }

 private:
  known_runtime* known_ = nullptr;
  runtime* of_;
  std::uint32_t process_ = 0;
};

}  // namespace jackdaw::c_api
