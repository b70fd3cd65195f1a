#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <vector>

#include "base/replacement.hpp"
#include "jackdaw/error.hpp"
#include "trace/trace_file.hpp"
#include "trace/tree_builder.hpp"

namespace jackdaw::trace {
namespace {

class writer {
 public:
  writer(const task_tree& tree, detail::replacement& out)
      : tree_(tree), out_(out), opened_(tree.groups.size(), false) {}

  void write() {
    text("jackdaw-trace ").number(version()).text("\nprogram ").text(on_a_line(tree_.program));
    text("\nworkers ").number(tree_.workers).text("\ncompute_rate ").number(tree_.compute_rate).text("\n");
    if (tree_.vector_rate > 0) text("vector_rate ").number(tree_.vector_rate).text("\n");
    if (tree_.instructions > 0) text("instructions ").number(tree_.instructions).text("\n");
    if (tree_.lost > 0) text("lost ").number(tree_.lost).text("\n");
    for (const std::string& site : tree_.sites) {
      text("site ").text(on_a_line(site)).text("\n");
    }
    for (const named_memory& each : tree_.named) {
      text("array ").number(each.address, 16).text(" ").number(each.length).text(" ").text(on_a_line(each.name));
      text("\n");
    }
    for (const root& each : tree_.roots) {
      text("root ").text(on_a_line(each.label)).text("\n");
      write_task(each.task);
    }
    text("end ").number(tree_.tasks.size()).text(" ").number(tree_.groups.size()).text(" ");
    number(tree_.accesses.size()).text(" ").number(tree_.roots.size()).text("\n");
    flush();
  }

 private:
  unsigned version() const {
    const auto any = [this](bool op::* what) {
      return std::any_of(tree_.ops.begin(), tree_.ops.end(), [what](const op& each) { return each.*what; });
    };
    if (tree_.lost > 0) return trace_version_lost;
    if (!tree_.named.empty()) return trace_version_named;
    if (tree_.vector_rate > 0 || tree_.instructions > 0 || any(&op::vector)) return trace_version_vectors;
    return any(&op::inter) ? trace_version_inter : 1;
  }

  struct frame {
    std::uint64_t next, last;           // steps
    std::vector<std::uint32_t> groups;  // opened, and not waited for yet
  };

  void write_task(std::uint32_t first) {
    enter(first);
    while (!frames_.empty()) {
      frame& running = frames_.back();
      if (running.next == running.last) {
        frames_.pop_back();
        text("e\n");
        continue;
      }
      write_step(running, tree_.ops[running.next++]);
      if (text_.size() > flush_at) flush();
    }
  }

  void enter(std::uint32_t index) {
    const task& it = tree_.tasks[index];
    frames_.push_back({it.first_op, it.first_op + it.ops, {}});
  }

  void write_step(frame& running, const op& step) {
    switch (step.what) {
      case op::kind::compute:
        for (std::uint32_t i = 0; i < step.count; ++i) write_access(tree_.accesses[step.first + i]);
        text(step.vector ? "v " : "c ").number(step.amount).text("\n");
        break;
      case op::kind::fork:
        if (!opened_[step.count]) write_group(running, step.count);
        text(step.inter ? (step.help_first ? "H" : "F") : step.help_first ? "h" : "f");
        if (step.amount >= 0 || running.groups.back() != step.count) text(" ").hint(step.amount);
        back_to(running, step.count);
        enter(step.first);  // `running` may have moved
        break;
      case op::kind::wait:
        text("j");
        back_to(running, step.count);
        running.groups.erase(std::find(running.groups.begin(), running.groups.end(), step.count));
        break;
    }
  }

  void write_group(frame& running, std::uint32_t index) {
    const group& it = tree_.groups[index];
    text(it.structured ? "s " : "g ").hint(it.total);
    if (it.site != 0) text(" ").number(it.site);
    text("\n");
    opened_[index] = true;
    running.groups.push_back(index);
  }

  /// The number of groups that the task has opened since and not waited for; left out if 0.
  void back_to(const frame& running, std::uint32_t group) {
    const auto at = std::find(running.groups.rbegin(), running.groups.rend(), group);
    if (at != running.groups.rbegin()) text(" ").number(at - running.groups.rbegin());
    text("\n");
  }

  void write_access(const access& it) {
    text(it.write ? "w " : "r ").number(it.address, 16).text(" ").number(it.length);
    if (it.rows != 1) text(" ").number(it.rows).text(" ").number(it.stride);
    text("\n");
  }

  writer& hint(double amount) { return amount < 0 ? text("-") : number(amount); }
  writer& text(std::string_view more) {
    text_ += more;
    return *this;
  }
  template <class Number, class... Base>
  writer& number(Number value, Base... base) {
    std::array<char, 32> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value, base...).ptr;
    return text({digits.data(), static_cast<std::size_t>(end - digits.data())});
  }

  static std::string on_a_line(std::string name) {
    std::replace_if(name.begin(), name.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
    return name;
  }

  void flush() {
    out_.write(text_);
    text_.clear();
  }

  static constexpr std::size_t flush_at = std::size_t{1} << 20;
  const task_tree& tree_;
  detail::replacement& out_;
  std::string text_;
  std::vector<bool> opened_;
  std::vector<frame> frames_;
};

}  // namespace

void write_trace(const task_tree& tree, const std::filesystem::path& file) {
  detail::replacement made(file);
  writer(tree, made).write();
  made.keep();
}

}  // namespace jackdaw::trace
