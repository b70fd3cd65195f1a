#include <zlib.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "base/worker_count.hpp"
#include "jackdaw/error.hpp"
#include "trace/trace_file.hpp"
#include "trace/tree_builder.hpp"

namespace jackdaw::trace {
namespace {

/// A mistake in a line. The reader knows which line.
struct malformed {
  std::string expected;
};

constexpr const char* truncated = "the file is truncated, expected more up to a line 'end ...'";

/// The lines of a file, plain or compressed, one after another.
class line_source {
 public:
  explicit line_source(const std::filesystem::path& path) : path_(path) {
    errno = 0;
    file_.reset(gzopen(path.c_str(), "rb"));
    if (!file_) refuse(errno != 0 ? errno : ENOMEM);
    gzbuffer(file_.get(), 1 << 18);
    buffer_.resize(std::size_t{1} << 20);
  }

  /// False at the end of the file. The line, without its end, stays valid until the next call.
  bool next(std::string_view& line) {
    for (;;) {
      const char* const first = buffer_.data() + begin_;
      if (const void* const newline = std::memchr(first, '\n', end_ - begin_)) {
        const auto size = static_cast<std::size_t>(static_cast<const char*>(newline) - first);
        line = {first, size};
        begin_ += size + 1;
        ++number_;
        return true;
      }
      if (!fill()) {
        if (begin_ == end_) return false;
        ++number_;
        begin_ = end_;
        throw malformed{truncated};
      }
    }
  }

  std::size_t number() const noexcept { return number_; }

 private:
  struct closer {
    void operator()(gzFile file) const noexcept { gzclose(file); }
  };

  bool fill() {
    if (begin_ == 0 && end_ == buffer_.size()) {
      ++number_;
      throw malformed{"expected a line of at most 1048576 characters"};
    }
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
    errno = 0;
    const int got = gzread(file_.get(), buffer_.data() + end_, static_cast<unsigned>(buffer_.size() - end_));
    int status = Z_OK;
    gzerror(file_.get(), &status);
    if (status == Z_BUF_ERROR) {
      ++number_;
      throw malformed{truncated};
    }
    if (got < 0) {
      if (status == Z_ERRNO) refuse(errno);
      ++number_;
      throw malformed{"expected undamaged gzip data"};
    }
    end_ += static_cast<std::size_t>(got);
    return got != 0;
  }

  [[noreturn]] void refuse(int why) const {
    throw error(path_.string() + ": cannot be read: " + std::generic_category().message(why));
  }

  const std::filesystem::path& path_;
  std::unique_ptr<gzFile_s, closer> file_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0, end_ = 0;
  std::size_t number_ = 0;
};

/// The words of a line after the first, all of them numbers.
class words {
 public:
  explicit words(std::string_view rest, const char* form) : at_(rest.data()), end_(at_ + rest.size()), form_(form) {}

  bool more() const noexcept { return at_ != end_; }

  template <class Number>
  Number number(Number least, Number most, int base = 10) {
    Number value{};
    blank();
    std::from_chars_result read{};
    if constexpr (std::is_floating_point_v<Number>) {
      read = std::from_chars(at_, end_, value);
    } else {
      read = std::from_chars(at_, end_, value, base);
    }
    if (read.ec == std::errc::invalid_argument) refuse();
    if (read.ec == std::errc::result_out_of_range || !(value >= least && value <= most)) [[unlikely]] {
      throw malformed{"a number is out of range, expected '" + std::string(form_) + "' with numbers from " +
                      text_of(least) + " to " + text_of(most)};
    }
    at_ = read.ptr;
    return value;
  }

  /// A time in ns: at most eleven days.
  double time() { return number(0.0, 1e15); }
  /// An amount >= 0, or "-" for none.
  double hint() {
    if (end_ - at_ >= 2 && at_[0] == ' ' && at_[1] == '-' && (end_ - at_ == 2 || at_[2] == ' ')) {
      at_ += 2;
      return -1;
    }
    return number(0.0, std::numeric_limits<double>::max());
  }

  void end() const {
    if (at_ != end_) refuse();
  }
  /// What follows the numbers, at least a character.
  std::string text() {
    blank();
    if (at_ == end_) refuse();
    return {std::exchange(at_, end_), end_};
  }

  [[noreturn]] void refuse() const { throw malformed{"expected '" + std::string(form_) + "'"}; }

 private:
  template <class Number>
  static std::string text_of(Number of) {
    std::array<char, 32> text{};
    return {text.data(), std::to_chars(text.data(), text.data() + text.size(), of).ptr};
  }

  void blank() {
    if (at_ == end_ || *at_ != ' ') refuse();
    ++at_;
  }

  const char* at_;
  const char* end_;
  const char* form_;
};

class trace_reader {
 public:
  explicit trace_reader(const std::filesystem::path& file) : lines_(file) {}

  task_tree read() {
    read_version();
    builder_ = tree_builder(read_head());
    while (read_line(line_)) {
    }
    if (std::string_view more; lines_.next(more)) throw malformed{"expected nothing after the line 'end ...'"};
    return builder_.finish();
  }

  std::size_t line_number() const noexcept { return std::max<std::size_t>(1, lines_.number()); }

 private:
  static constexpr std::uint32_t most = std::numeric_limits<std::uint32_t>::max();
  static constexpr std::uint64_t most_bytes = std::uint64_t{1} << 48;  // of an address space
  static constexpr std::uint64_t any = std::numeric_limits<std::uint64_t>::max();

  /// Advances line_ to the next line.
  void advance() {
    if (!lines_.next(line_)) {
      throw malformed{truncated};
    }
  }

  void read_version() {
    constexpr const char* not_one = "not a trace, expected 'jackdaw-trace 1' in the first line";
    constexpr std::string_view magic = "jackdaw-trace ";
    if (!lines_.next(line_) || !line_.starts_with(magic)) throw malformed{not_one};
    const char* const last = line_.data() + line_.size();
    const auto [end, code] = std::from_chars(line_.data() + magic.size(), last, version_);
    if (code != std::errc() || end != last || version_ == 0) throw malformed{not_one};
    if (version_ > trace_version) {
      throw malformed{"version " + std::to_string(version_) + " of the format, expected at most " +
                      std::to_string(trace_version) + ", the newest that this jackdaw reads"};
    }
  }

  /// The rest of a line that begins with `word`.
  std::string_view after(std::string_view word, const char* form) {
    if (line_.substr(0, word.size()) == word) {
      if (line_.size() == word.size()) return {};
      if (line_[word.size()] == ' ') return line_.substr(word.size());
    }
    throw malformed{"expected '" + std::string(form) + "'"};
  }
  static std::string text(std::string_view rest) { return std::string(rest.substr(rest.empty() ? 0 : 1)); }

  /// Reads the head and leaves line_ at the first line after it.
  task_tree read_head() {
    task_tree head;
    advance();
    head.program = text(after("program", "program NAME"));
    advance();
    words workers(after("workers", "workers NUMBER"), "workers NUMBER");
    head.workers = workers.number(1u, max_workers);
    workers.end();
    advance();
    words rate(after("compute_rate", "compute_rate NUMBER"), "compute_rate NUMBER");
    head.compute_rate = rate.number(1e-3, 1e3);
    rate.end();
    advance();
    if (version_ >= trace_version_vectors) {
      read_optional("vector_rate", "vector_rate NUMBER", 1e-3, 1e3, head.vector_rate);
      read_optional("instructions", "instructions NUMBER", fewest_instructions, most_instructions, head.instructions);
    }
    if (version_ >= trace_version_lost) read_optional("lost", "lost NUMBER", 0, 1, head.lost);
    for (; line_.starts_with("site"); advance()) head.sites.push_back(text(after("site", "site NAME")));
    sites_ = static_cast<std::uint32_t>(head.sites.size());
    if (version_ >= trace_version_named) {
      for (; line_.starts_with("array"); advance()) head.named.push_back(read_named(head));
    }
    return head;
  }

  named_memory read_named(const task_tree& head) {
    constexpr const char* form = "array ADDRESS LENGTH NAME";
    words given(after("array", form), form);
    named_memory made;
    made.address = given.number(std::uint64_t{0}, any, 16);
    made.length = given.number(std::uint64_t{1}, most_bytes);
    made.name = given.text();
    if (made.address > any - made.length) throw malformed{"the array is out of range, expected it to end below 2^64"};
    if (!head.named.empty() && made.address < head.named.back().address + head.named.back().length) {
      throw malformed{"the array begins too early, expected it to follow the end of the one before"};
    }
    return made;
  }

  /// Reads line_ if it begins with `word`, and advances it then.
  void read_optional(std::string_view word, const char* form, double least, double most_of_it, double& into) {
    if (!line_.starts_with(word)) return;
    words given(after(word, form), form);
    into = given.number(least, most_of_it);
    given.end();
    advance();
  }

  /// Reads line_ and advances it to the next line. False: it was the last.
  bool read_line(std::string_view line) {
    if (builder_.depth() != 0) [[likely]] {
      if (line.empty()) unknown();
      read_step(line.front(), line.substr(1));
    } else if (line.starts_with("root")) {
      builder_.begin_root(text(after("root", "root LABEL")));
    } else if (line.starts_with("end")) {
      read_end();
      return false;
    } else {
      throw malformed{"expected 'root LABEL' or 'end TASKS GROUPS ACCESSES ROOTS'"};
    }
    advance();
    return true;
  }

  [[noreturn]] void unknown() const {
    throw malformed{version_ < trace_version_inter ? "expected a line that begins with c, r, w, s, g, f, h, j or e"
                    : version_ < trace_version_vectors
                        ? "expected a line that begins with c, r, w, s, g, f, h, F, H, j or e"
                        : "expected a line that begins with c, v, r, w, s, g, f, h, F, H, j or e"};
  }

  void read_step(char what, std::string_view rest) {
    switch (what) {
      case 'v':
        if (version_ < trace_version_vectors) unknown();
        [[fallthrough]];
      case 'c': {
        words given(rest, what == 'v' ? "v NS" : "c NS");
        const double ns = given.time();
        given.end();
        builder_.compute(ns, what == 'v');
        break;
      }
      case 'r':
      case 'w':
        read_access(rest, what == 'w');
        break;
      case 's':
      case 'g':
        read_group(rest, what == 's');
        break;
      case 'f':
      case 'h':
        read_fork(rest, what, what == 'h', false);
        break;
      case 'F':
      case 'H':
        if (version_ < trace_version_inter) unknown();
        read_fork(rest, what, what == 'H', true);
        break;
      case 'j': {
        words given(rest, "j BACK");
        const std::uint32_t back = given.more() ? given.number(std::uint32_t{0}, most) : 0;
        given.end();
        builder_.wait(builder_.group_opened(back));
        break;
      }
      case 'e':
        words(rest, "e").end();
        builder_.depth() == 1 ? builder_.end_root() : builder_.end_task();
        break;
      default:
        unknown();
    }
  }

  void read_access(std::string_view rest, bool write) {
    words given(rest, write ? "w ADDRESS LENGTH ROWS STRIDE" : "r ADDRESS LENGTH ROWS STRIDE");
    access made;
    made.write = write;
    made.address = given.number(std::uint64_t{0}, any, 16);
    made.length = given.number(std::uint64_t{1}, any);
    if (given.more()) {
      made.rows = given.number(std::uint32_t{1}, most);
      made.stride = given.number(std::uint64_t{0}, any);
    }
    given.end();
    std::uint64_t last = 0;
    if (__builtin_mul_overflow(std::uint64_t{made.rows - 1}, made.stride, &last) ||
        __builtin_add_overflow(last, made.length, &last) || __builtin_add_overflow(last, made.address, &last)) {
      throw malformed{"the access is out of range, expected it to end below 2^64"};
    }
    if (last - made.address > most_bytes) {
      throw malformed{"the access is out of range, expected it to end at most 2^48 bytes after its first one"};
    }
    builder_.touch(made);
  }

  void read_group(std::string_view rest, bool structured) {
    words given(rest, structured ? "s TOTAL SITE" : "g TOTAL SITE");
    const double total = given.hint();
    const std::uint32_t site = given.more() ? given.number(std::uint32_t{0}, most) : 0;
    given.end();
    if (site != 0 && site >= sites_) {
      throw malformed{"site " + std::to_string(site) + " is out of range, expected one of the " +
                      std::to_string(sites_) + " that the head names"};
    }
    builder_.open_group(total, structured, site);
  }

  void read_fork(std::string_view rest, char what, bool help_first, bool inter) {
    const std::string form = what + std::string(" HINT BACK");
    words given(rest, form.c_str());
    const double hint = given.more() ? given.hint() : -1;
    const std::uint32_t back = given.more() ? given.number(std::uint32_t{0}, most) : 0;
    given.end();
    builder_.fork(builder_.group_opened(back), hint, help_first, inter);
  }

  void read_end() {
    constexpr const char* form = "end TASKS GROUPS ACCESSES ROOTS";
    words given(after("end", form), form);
    std::array<std::uint64_t, 4> counts{};
    for (std::uint64_t& each : counts) each = given.number(std::uint64_t{0}, any);
    given.end();
    const task_tree& tree = builder_.tree();
    if (counts !=
        std::array<std::uint64_t, 4>{tree.tasks.size(), tree.groups.size(), tree.accesses.size(), tree.roots.size()}) {
      throw malformed{"lines are missing, expected 'end " + std::to_string(tree.tasks.size()) + ' ' +
                      std::to_string(tree.groups.size()) + ' ' + std::to_string(tree.accesses.size()) + ' ' +
                      std::to_string(tree.roots.size()) + "', which is what the lines above come to"};
    }
  }

  line_source lines_;
  tree_builder builder_;
  std::string_view line_;
  std::uint32_t sites_ = 0;
  unsigned version_ = 0;
};

}  // namespace

task_tree read_trace(const std::filesystem::path& file) {
  trace_reader reader(file);
  const auto located = [&](const std::string& what) {
    return error(file.string() + ':' + std::to_string(reader.line_number()) + ": " + what);
  };
  try {
    return reader.read();
  } catch (const malformed& line) {
    throw located(line.expected);
  } catch (const error& what) {
    // An error about an unreadable file names the file; all others come from the builder and name no place.
    const std::string text = what.what();
    throw text.starts_with(file.string() + ": ") ? what : located(text);
  }
}

}  // namespace jackdaw::trace
