#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "model/memory.hpp"

namespace jackdaw::model {
namespace {

bool releases(std::memory_order how) noexcept {
  return how == std::memory_order_release || how == std::memory_order_acq_rel || how == std::memory_order_seq_cst;
}
bool acquires(std::memory_order how) noexcept {
  return how == std::memory_order_acquire || how == std::memory_order_acq_rel || how == std::memory_order_seq_cst;
}

/// For each location the oldest value that may still be read.
struct view {
  std::array<std::uint8_t, most_locations> from{};

  void join(const view& other) noexcept {
    for (unsigned i = 0; i < most_locations; ++i) {
      from[i] = std::max(from[i], other.from[i]);
    }
  }
};

/// Every value ever stored stays readable until the reader is known to have seen a later one. After Kang et al., "A
/// promising semantics for relaxed-memory concurrency" (POPL 2017), without promises; stores to one location are
/// ordered as they are executed.
class viewed final : public memory {
 public:
  void clear() override {
    places_ = 0;
    current_ = {};
    unordered_ = {};
    released_ = {};
    total_ = {};
  }
  void threads(unsigned count) override { threads_ = count; }
  location add(word initial) override {
    const auto at = static_cast<location>(places_++);
    if (history_.size() < places_) {
      history_.emplace_back();
    }
    history_[at].clear();
    history_[at].push_back({initial, {}});
    return at;
  }
  word& direct(location at) override { return history_[at].back().value; }

  word own(unsigned, location at) const override { return history_[at].back().value; }
  void store_unseen(unsigned, location at, word value) override { history_[at].back().value = value; }

  void store(unsigned thread, location at, word value, order how) override {
    append(thread, at, value, how, releases(how) ? current_[thread] : released_[thread]);
  }
  unsigned load_choices(unsigned thread, location at, order how) override {
    return static_cast<unsigned>(history_[at].size()) - oldest(thread, at, how);
  }
  word load(unsigned thread, location at, order how, unsigned choice) override {
    // Choice 0 is the newest.
    const auto which = static_cast<unsigned>(history_[at].size()) - 1 - choice;
    take(thread, at, which, how);
    return history_[at][which].value;
  }

  unsigned update_choices(unsigned thread, location at, const update& what, order, order failing) override {
    unsigned count = 1;
    if (what.kind == update::how::compare_exchange) {
      const auto& all = history_[at];
      for (std::size_t i = oldest(thread, at, failing); i + 1 < all.size(); ++i) {
        count += all[i].value != what.expected ? 1 : 0;
      }
    }
    return count;
  }
  word change(unsigned thread, location at, const update& what, order how, order failing, unsigned choice) override {
    auto& all = history_[at];
    if (choice != 0) {
      for (std::size_t i = all.size() - 1; i-- > 0;) {
        if (all[i].value != what.expected && --choice == 0) {
          take(thread, at, static_cast<unsigned>(i), failing);
          return all[i].value;
        }
      }
    }
    const word old = all.back().value;
    if (!what.writes(old)) {
      take(thread, at, static_cast<unsigned>(all.size() - 1), failing);
      return old;
    }
    take(thread, at, static_cast<unsigned>(all.size() - 1), how);
    // Part of the release sequence of what it read.
    view carried = all.back().seen;
    carried.join(releases(how) ? current_[thread] : released_[thread]);
    append(thread, at, what.apply(old), how, carried);
    return old;
  }
  bool fence_possible(unsigned) const override { return true; }
  void fence(unsigned thread) override {
    current_[thread].join(unordered_[thread]);
    current_[thread].join(total_);
    total_.join(current_[thread]);
    released_[thread] = current_[thread];
  }
  bool news(unsigned thread, location at, word seen) const override {
    const auto& all = history_[at];
    for (std::size_t i = current_[thread].from[at]; i < all.size(); ++i) {
      if (all[i].value != seen) {
        return true;
      }
    }
    return false;
  }
  void expect_news(unsigned thread, location at, word seen) override {
    auto& from = current_[thread].from[at];
    while (history_[at][from].value == seen) {
      ++from;
    }
  }
  bool race_free(unsigned thread, location at) const override {
    return current_[thread].from[at] + 1u == history_[at].size();
  }

  unsigned flushes(unsigned) const override { return 0; }
  void flush(unsigned, unsigned) override {}
  void settle(unsigned) override {}
  bool quiet(unsigned) const override { return false; }
  bool store_is_step(bool alone) const override { return !alone; }

  void sum(digest& into) const override {
    // Values that no thread can read any more do not count, and places are counted from the oldest readable value.
    view base = current_[0];
    for (unsigned i = 0; i < most_locations; ++i) {
      for (unsigned thread = 1; thread < threads_; ++thread) {
        base.from[i] = std::min(base.from[i], current_[thread].from[i]);
      }
    }
    const auto add = [&](const view& what) {
      std::uint64_t packed = 0;
      for (unsigned i = 0; i < places_; ++i) {
        packed = packed << 8 | static_cast<std::uint8_t>(std::max(what.from[i], base.from[i]) - base.from[i]);
        if (i % 8 == 7) {
          into.add(packed);
          packed = 0;
        }
      }
      into.add(packed);
    };
    for (unsigned i = 0; i < places_; ++i) {
      into.add(history_[i].size() - base.from[i]);
      for (std::size_t m = base.from[i]; m < history_[i].size(); ++m) {
        into.add(history_[i][m].value);
        add(history_[i][m].seen);
      }
    }
    for (unsigned thread = 0; thread < threads_; ++thread) {
      add(current_[thread]);
      add(unordered_[thread]);
      add(released_[thread]);
    }
    add(total_);
  }

 private:
  struct message {
    word value;
    view seen;  // what its reader is known to have seen, if it acquires
  };

  unsigned oldest(unsigned thread, location at, order how) const noexcept {
    const unsigned from = current_[thread].from[at];
    // A sequentially consistent load comes after the last sequentially consistent store in their common order.
    return how == std::memory_order_seq_cst ? std::max<unsigned>(from, total_.from[at]) : from;
  }
  void take(unsigned thread, location at, unsigned which, order how) noexcept {
    const view& seen = history_[at][which].seen;
    current_[thread].from[at] = std::max(current_[thread].from[at], static_cast<std::uint8_t>(which));
    (acquires(how) ? current_ : unordered_)[thread].join(seen);
  }
  void append(unsigned thread, location at, word value, order how, const view& seen) {
    if (history_[at].size() > 255) {
      std::fputs("a scenario stores too often to one location\n", stderr);
      std::abort();
    }
    const auto place = static_cast<std::uint8_t>(history_[at].size());
    current_[thread].from[at] = place;
    history_[at].push_back({value, seen});
    history_[at].back().seen.from[at] = place;
    if (how == std::memory_order_seq_cst) {
      total_.from[at] = place;
    }
  }

  unsigned threads_ = 0;
  std::size_t places_ = 0;
  std::vector<std::vector<message>> history_;
  std::array<view, most_threads> current_{};    // known to have been seen
  std::array<view, most_threads> unordered_{};  // by relaxed loads: known once a fence follows
  std::array<view, most_threads> released_{};   // at the last fence: what relaxed stores pass on
  view total_{};                                // the common order of all that is sequentially consistent
};

}  // namespace

std::unique_ptr<memory> make_views();
std::unique_ptr<memory> make_views() { return std::make_unique<viewed>(); }

}  // namespace jackdaw::model
