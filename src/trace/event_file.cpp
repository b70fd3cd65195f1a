#include "trace/event_file.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <string>
#include <type_traits>
#include <utility>

#include "base/replacement.hpp"

namespace jackdaw::trace {
namespace {

using sched::event;

constexpr std::array<std::string_view, 13> kinds = {"root", "fork", "start", "open", "wait",   "close", "end",
                                                    "look", "pop",  "steal", "take", "rescue", "decide"};
constexpr std::array<std::string_view, 4> places = {"here", "mailbox", "pool", "anyone"};

/// The fields, separated by blanks.
class line {
 public:
  line& add(std::string_view field) {
    if (!text_.empty()) text_ += ' ';
    text_ += field;
    return *this;
  }
  template <class Number>
    requires std::is_integral_v<Number>
  line& add(Number number, int base = 10) {
    std::array<char, 24> digits{};
    const auto [end, code] = std::to_chars(digits.data(), digits.data() + digits.size(), number, base);
    return add(std::string_view(digits.data(), static_cast<std::size_t>(end - digits.data())));
  }
  line& add(const sched::destination& at) {
    add(places.at(static_cast<std::size_t>(at.where)));
    if (at.where == sched::destination::how::mailbox) add(at.worker);
    if (at.where == sched::destination::how::pool) add(at.pool);
    return add(at.as == sched::tier::upper ? "upper" : "lower");
  }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

}  // namespace

std::string event_text(const event& what) {
  line text;
  text.add(what.order).add(std::llround(what.at)).add(what.worker).add(kinds.at(static_cast<std::size_t>(what.what)));
  switch (what.what) {
    case event::kind::look:
    case event::kind::rescue:
      break;
    case event::kind::pop:
    case event::kind::steal:
    case event::kind::take:
      text.add(what.other).add(what.found ? "found" : "nothing");
      break;
    case event::kind::decide:
      text.add(what.decided->name).add(what.value);
      break;
    case event::kind::root:
    case event::kind::fork:
      text.add(what.task).add(what.parent).add(what.where);
      if (what.packed) text.add("packed");
      if (what.inter) text.add("inter");
      break;
    case event::kind::open:
    case event::kind::wait:
      text.add(what.task).add(what.parent).add(what.site, 16);
      break;
    case event::kind::close:
      text.add(what.task).add(what.parent).add(what.site, 16).add(what.where);
      break;
    case event::kind::start:
    case event::kind::end:
      text.add(what.task).add(what.parent);
      break;
  }
  return text.take();
}

void write_events(const std::vector<event>& events, const std::filesystem::path& file) {
  detail::replacement made(file);
  std::string text = "jackdaw-events 1\n";
  for (const event& each : events) {
    text += event_text(each);
    text += '\n';
    if (constexpr std::size_t enough = std::size_t{1} << 16; text.size() > enough) {
      made.write(text);
      text.clear();
    }
  }
  made.write(text);
  made.keep();
}

}  // namespace jackdaw::trace
