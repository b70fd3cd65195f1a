#include <algorithm>
#include <vector>

#include "model/memory.hpp"

namespace jackdaw::model {
namespace {

bool releases(std::memory_order how) noexcept {
  return how == std::memory_order_release || how == std::memory_order_acq_rel || how == std::memory_order_seq_cst;
}

/// Store buffers. Loads happen in program order, so acquire needs nothing.
///
/// A store goes into its buffer as soon as the thread has nothing else to do before it, although it could come later.
/// Only a heavy fence could notice the difference, and it waits only for stores that have certainly been made: those
/// `settled`, because the thread has taken a step since, or a later store has left the buffer.
class buffered final : public memory {
 public:
  explicit buffered(machine kind) : kind_(kind) {}

  void clear() override {
    values_.clear();
    settled_ = {};
    for (auto& each : buffers_) {
      each.clear();
    }
  }
  void threads(unsigned) override {}
  location add(word initial) override {
    values_.push_back(initial);
    return static_cast<location>(values_.size() - 1);
  }
  word& direct(location at) override { return values_[at]; }

  word own(unsigned thread, location at) const override {
    const auto& buffer = buffers_[thread];
    for (auto each = buffer.rbegin(); each != buffer.rend(); ++each) {
      if (each->at == at) {
        return each->value;
      }
    }
    return values_[at];
  }
  void store_unseen(unsigned, location at, word value) override { values_[at] = value; }

  void store(unsigned thread, location at, word value, order how) override {
    if (kind_ == machine::sequential) {
      values_[at] = value;
    } else {
      buffers_[thread].push_back({at, kind_ == machine::tso || releases(how), value});
    }
  }
  unsigned load_choices(unsigned, location, order) override { return 1; }
  word load(unsigned thread, location at, order, unsigned) override { return own(thread, at); }

  unsigned update_choices(unsigned thread, location at, const update&, order how, order) override {
    if (kind_ == machine::tso || releases(how)) {
      return buffers_[thread].empty() ? 1 : 0;
    }
    for (const pending& each : buffers_[thread]) {
      if (each.at == at) {
        return 0;
      }
    }
    return 1;
  }
  word change(unsigned, location at, const update& what, order, order, unsigned) override {
    const word old = values_[at];
    if (what.writes(old)) {
      values_[at] = what.apply(old);
    }
    return old;
  }
  bool fence_possible(unsigned thread) const override { return buffers_[thread].empty(); }
  void fence(unsigned) override {}
  bool news(unsigned thread, location at, word seen) const override { return own(thread, at) != seen; }
  void expect_news(unsigned, location, word) override {}
  bool race_free(unsigned, location) const override { return true; }

  unsigned flushes(unsigned thread) const override {
    const auto& buffer = buffers_[thread];
    if (buffer.empty() || kind_ == machine::tso) {
      return buffer.empty() ? 0 : 1;
    }
    unsigned count = 0;
    for (std::size_t i = 0; i < buffer.size(); ++i) {
      count += may_leave(buffer, i) ? 1 : 0;
    }
    return count;
  }
  void flush(unsigned thread, unsigned which) override {
    auto& buffer = buffers_[thread];
    for (std::size_t i = 0; i < buffer.size(); ++i) {
      if (may_leave(buffer, i) && which-- == 0) {
        values_[buffer[i].at] = buffer[i].value;
        buffer.erase(buffer.begin() + static_cast<std::ptrdiff_t>(i));
        settled_[thread] = std::max(settled_[thread], i + 1) - 1;
        return;
      }
    }
  }
  void settle(unsigned thread) override { settled_[thread] = buffers_[thread].size(); }
  bool quiet(unsigned thread) const override { return settled_[thread] == 0; }
  bool store_is_step(bool) const override { return kind_ == machine::sequential; }

  void sum(digest& into) const override {
    for (const word each : values_) {
      into.add(each);
    }
    for (unsigned thread = 0; thread < most_threads; ++thread) {
      const auto& buffer = buffers_[thread];
      into.add(buffer.size() << 8 | settled_[thread]);
      for (const pending& each : buffer) {
        into.add(each.value);
        into.add(static_cast<std::uint64_t>(each.at) << 1 | (each.last ? 1 : 0));
      }
    }
  }

 private:
  struct pending {
    location at;
    bool last;  // leaves after everything before it
    word value;
  };

  static bool may_leave(const std::vector<pending>& buffer, std::size_t i) noexcept {
    for (std::size_t before = 0; before < i; ++before) {
      if (buffer[i].last || buffer[before].at == buffer[i].at) {
        return false;
      }
    }
    return true;
  }

  const machine kind_;
  std::vector<word> values_;
  std::array<std::vector<pending>, most_threads> buffers_;
  std::array<std::size_t, most_threads> settled_{};  // how many at the front of each buffer
};

}  // namespace

std::unique_ptr<memory> make_views();

std::unique_ptr<memory> make_memory(machine kind) {
  return kind == machine::views ? make_views() : std::make_unique<buffered>(kind);
}

}  // namespace jackdaw::model
