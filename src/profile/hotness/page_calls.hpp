#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace jackdaw::profile {

/// What looking at accessed bits asks of the kernel, and nothing else: a test puts another one in its place. Results
/// are 0 or an errno.
class page_calls {
 public:
  virtual ~page_calls() = default;

  /// Makes whole pages a mapping of their own, so that the kernel tells of them alone; or not any more. What they hold
  /// and how they may be used stays.
  virtual int set_apart(std::uintptr_t at, std::size_t bytes, bool apart) = 0;
  /// Clears their accessed bits, in the processors' buffers as well.
  virtual int forget(std::uintptr_t at, std::size_t bytes) = 0;
  /// The text of /proc/self/smaps.
  virtual int mappings(std::string& into) = 0;

 protected:
  page_calls() = default;
  page_calls(const page_calls&) = default;
  page_calls& operator=(const page_calls&) = default;
};

/// This computer's. May be called by any thread.
page_calls& linux_pages();

}  // namespace jackdaw::profile
