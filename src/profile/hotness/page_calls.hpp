#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace jackdaw::profile {

/// The kernel calls for accessed bits, and no others; tests replace them. Results are 0 or an errno.
class page_calls {
 public:
  virtual ~page_calls() = default;

  /// Makes whole pages a mapping of their own, so that the kernel reports them alone, or undoes that. Their contents
  /// and permissions stay.
  virtual int set_apart(std::uintptr_t at, std::size_t bytes, bool apart) = 0;
  /// Clears their accessed bits, including those in the processors' TLBs.
  virtual int forget(std::uintptr_t at, std::size_t bytes) = 0;
  /// The text of /proc/self/smaps.
  virtual int mappings(std::string& into) = 0;

 protected:
  page_calls() = default;
  page_calls(const page_calls&) = default;
  page_calls& operator=(const page_calls&) = default;
};

/// This computer's kernel. May be called by any thread.
page_calls& linux_pages();

}  // namespace jackdaw::profile
