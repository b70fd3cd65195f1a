#pragma once

#include <atomic>
#include <stdexcept>
#include <string>

namespace jackdaw::test {

/// An element that owns memory, with a count of all such elements; a chosen construction throws.
struct counted {
  static inline std::atomic<int> alive{0};
  static inline std::atomic<int> until_throw{-1};  // constructions that still succeed; -1: all

  counted() : counted(7) {}
  explicit counted(int value)
      : text("a text that is not short enough to be kept in the string " + std::to_string(value)) {
    begin();
  }
  counted(const counted& other) : text(other.text) { begin(); }
  counted(counted&& other) noexcept(false) : text(std::move(other.text)) { begin(); }
  counted& operator=(const counted&) = default;
  ~counted() { --alive; }

  std::string text;

 private:
  static void begin() {
    if (until_throw >= 0) {
      if (until_throw.fetch_sub(1) == 0) throw std::runtime_error("this one");
    }
    ++alive;
  }
};

inline std::string text_of(int value) { return counted(value).text; }

}  // namespace jackdaw::test
