#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace jackdaw::cilk {

/// A source text and what replaces parts of it. A replacement may contain others: it asks for the text of ranges
/// inside its own, with theirs applied.
class text {
 public:
  explicit text(std::string source) : source_(std::move(source)) {}

  using writer = std::function<std::string()>;
  void replace(unsigned begin, unsigned end, writer with);
  void replace(unsigned begin, unsigned end, std::string with) {
    replace(begin, end, [with = std::move(with)] { return with; });
  }
  void insert(unsigned at, std::string what) { replace(at, at, std::move(what)); }
  void insert(unsigned at, writer what) { replace(at, at, std::move(what)); }

  /// [begin, end) after all replacements that lie in it. `whole`: also after one of exactly this range; else whoever
  /// replaces it may ask.
  std::string render(unsigned begin, unsigned end, bool whole = false) const;
  const std::string& source() const { return source_; }
  unsigned size() const { return static_cast<unsigned>(source_.size()); }
  /// 1 for the first line.
  unsigned line(unsigned offset) const;
  void sort();

 private:
  struct edit {
    unsigned begin, end, order;
    writer with;
  };

  std::string source_;
  std::vector<edit> edits_;
};

/// Adds newlines until there are as many as in `before`, so that later lines keep their numbers.
std::string with_lines_of(std::string after, std::string_view before);

}  // namespace jackdaw::cilk
