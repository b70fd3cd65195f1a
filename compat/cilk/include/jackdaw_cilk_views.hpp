// Views of hyperobjects. compat/cilk/README.md argues why they are reduced in serial order.
#pragma once

/// 1 from before main() if the program has hyperobjects.
extern "C" unsigned char jackdaw_cilk_views_used;

namespace jackdaw::cilk {

/// One strand's views: a list, since a program has few hyperobjects. A null strand is the program's first one, whose
/// views are the variables themselves.
struct strand;

/// The calling strand. Not inlined: the caller may have changed its thread, and so the variable's address.
strand* this_strand() noexcept;
void set_strand(strand* now) noexcept;

/// The views of a task in serial order: those it began with, and those after each fork that was stolen.
class segments {
 public:
  segments() noexcept = default;
  segments(const segments&) = delete;
  segments& operator=(const segments&) = delete;

  [[nodiscard]] bool begun() const noexcept { return begun_; }
  void begin(strand* mine) noexcept {
    begun_ = true;
    home_ = mine;
  }
  /// A strand without views, right of all others.
  strand* add();
  /// Reduces all into the first, left to right; the caller continues on that one.
  void merge() noexcept;

 private:
  bool begun_ = false;
  strand* home_ = nullptr;
  strand* first_ = nullptr;
  strand* last_ = nullptr;
};

}  // namespace jackdaw::cilk
