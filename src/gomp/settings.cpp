// What the environment says. Wrong values: one line each, and the usual value stays.
#include "gomp/settings.hpp"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <climits>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/environment.hpp"
#include "base/immortal.hpp"
#include "gomp/fail.hpp"
#include "gomp/places.hpp"
#include "gomp/start.hpp"
#include "jackdaw/error.hpp"

namespace jackdaw::gomp {
namespace {

/// Without blanks, but for one where they stand between two words: "1 2" is not 12.
std::string plain(std::string_view text) {
  const auto in_word = [](char each) { return std::isalnum(static_cast<unsigned char>(each)) != 0; };
  std::string found;
  bool blank = false;
  for (const char each : text) {
    if (std::isspace(static_cast<unsigned char>(each)) != 0) {
      blank = true;
      continue;
    }
    if (blank && !found.empty() && in_word(found.back()) && in_word(each)) found += ' ';
    blank = false;
    found += static_cast<char>(std::tolower(static_cast<unsigned char>(each)));
  }
  return found;
}

[[noreturn]] void expected(const char* name, const char* text, const char* what) {
  throw error(std::string(name) + ": '" + detail::shown(text) + "', expected " + what);
}

/// Splits at commas; an empty part is an error.
std::vector<std::string> parts(const char* name, const char* text, const char* what) {
  std::vector<std::string> found(1);
  for (const char each : plain(text)) {
    if (each == ',') {
      found.emplace_back();
    } else {
      found.back() += each;
    }
  }
  if (std::any_of(found.begin(), found.end(), [](const std::string& each) { return each.empty(); })) {
    expected(name, text, what);
  }
  return found;
}

long whole(const char* name, const char* text, std::string_view digits, long least, long most, const char* what) {
  long found = 0;
  for (const char each : digits) {
    if (each < '0' || each > '9' || found > (LONG_MAX - 9) / 10) expected(name, text, what);
    found = found * 10 + (each - '0');
  }
  if (digits.empty() || found < least || found > most) expected(name, text, what);
  return found;
}

template <long least, long most = INT_MAX>
long read_number(const char* text, const char* name) {
  static const std::string what = "a whole number from " + std::to_string(least) + " to " + std::to_string(most);
  return whole(name, text, plain(text), least, most, what.c_str());
}

bool read_switch(const char* text, const char* name) {
  const std::string word = plain(text);
  if (word != "true" && word != "false") expected(name, text, "true or false");
  return word == "true";
}

std::vector<unsigned> read_threads(const char* text, const char* name) {
  constexpr const char* what = "whole numbers of threads above 0, with commas between";
  std::vector<unsigned> found;
  for (const std::string& each : parts(name, text, what)) {
    found.push_back(static_cast<unsigned>(whole(name, text, each, 1, INT_MAX, what)));
  }
  return found;
}

std::vector<binding> read_bindings(const char* text, const char* name) {
  constexpr const char* what = "true, false, or a list of primary, master, close and spread";
  std::vector<binding> found;
  for (const std::string& each : parts(name, text, what)) {
    if (each == "false" || each == "true") {
      found.push_back(each == "true" ? binding::on : binding::off);
    } else if (each == "primary" || each == "master") {
      found.push_back(binding::primary);
    } else if (each == "close") {
      found.push_back(binding::close);
    } else if (each == "spread") {
      found.push_back(binding::spread);
    } else {
      expected(name, text, what);
    }
  }
  if (found.size() > 1 && std::any_of(found.begin(), found.end(),
                                      [](binding each) { return each == binding::on || each == binding::off; })) {
    expected(name, text, what);
  }
  return found;
}

struct division_text {
  schedule kind = schedule::dynamic;
  int chunk = 1;
  bool monotonic = false;
};
division_text read_schedule(const char* text, const char* name) {
  constexpr const char* what =
      "static, dynamic, guided or auto, with monotonic: or nonmonotonic: before it, and a chunk behind a comma";
  const std::string all = plain(text);
  std::string_view rest = all;
  division_text found;
  for (const bool monotonic : {true, false}) {
    const std::string_view word = monotonic ? "monotonic:" : "nonmonotonic:";
    if (rest.substr(0, word.size()) == word) {
      rest.remove_prefix(word.size());
      found.monotonic = monotonic;
      break;
    }
  }
  const std::string_view kind = rest.substr(0, rest.find(','));
  if (kind == "static") {
    found.kind = schedule::fixed;
  } else if (kind == "dynamic") {
    found.kind = schedule::dynamic;
  } else if (kind == "guided") {
    found.kind = schedule::guided;
  } else if (kind == "auto") {
    found.kind = schedule::automatic;
  } else {
    expected(name, text, what);
  }
  found.monotonic = found.monotonic || (kind.data() == all.data() && found.kind == schedule::fixed);
  found.chunk = found.kind == schedule::fixed ? 0 : 1;
  if (kind.size() < rest.size()) {
    found.chunk = static_cast<int>(whole(name, text, rest.substr(kind.size() + 1), 0, INT_MAX, what));
    if (found.chunk == 0 && found.kind != schedule::fixed) found.chunk = 1;
  }
  return found;
}

/// In kilobytes, unless a letter says otherwise.
std::size_t read_stack_size(const char* text, const char* name) {
  constexpr const char* what = "a size of at least 16 kilobytes, as 512, 64k, 2M or 1G";
  std::string all = plain(text);
  unsigned shift = 10;
  if (!all.empty()) {
    const std::size_t letter = std::string_view("bkmg").find(all.back());
    if (letter != std::string_view::npos) {
      shift = static_cast<unsigned>(letter) * 10;
      all.pop_back();
    }
  }
  const long most = static_cast<long>((std::size_t{1} << 40) >> shift);
  const auto bytes = static_cast<std::size_t>(whole(name, text, all, 1, most, what)) << shift;
  if (bytes < (std::size_t{16} << 10)) expected(name, text, what);
  return bytes;
}

int read_wait_policy(const char* text, const char* name) {
  const std::string word = plain(text);
  if (word != "active" && word != "passive") expected(name, text, "active or passive");
  return word == "active" ? 1 : 0;
}

/// Returns what the variable says; `otherwise` if it is not set, or says nothing that can be used.
template <class T, class Read>
T read_variable(const char* name, T otherwise, const Read& read) {
  const char* const text = detail::from_environment(name);
  if (text == nullptr) return otherwise;
  try {
    return read(text, name);
  } catch (const error& why) {
    if (!libgomp_is_loaded()) warn((std::string(why.what()) + "; the variable is ignored").c_str());
  }
  return otherwise;
}

enum class display : unsigned char { no, yes, verbose };
display read_display(const char* text, const char* name) {
  const std::string word = plain(text);
  if (word == "verbose") return display::verbose;
  if (word != "true" && word != "false") expected(name, text, "true, false or verbose");
  return word == "true" ? display::yes : display::no;
}

/// How many pauses take that long here.
unsigned looks_in(std::chrono::nanoseconds time) {
  using clock = std::chrono::steady_clock;
  constexpr int tries = 200;
  auto best = std::chrono::nanoseconds::max();
  for (int i = 0; i < 3; ++i) {
    const clock::time_point begin = clock::now();
    for (int j = 0; j < tries; ++j) pause();
    best = std::min<std::chrono::nanoseconds>(best, clock::now() - begin);
  }
  return static_cast<unsigned>(std::clamp<long>(time.count() * tries / std::max<long>(best.count(), 1), 100, 1000000));
}

}  // namespace

constinit thread_local bool settings::are_being_read = false;

settings& settings::of_process() noexcept {
  static detail::immortal<settings> one;  // static objects' destructors may open regions
  return one.it;
}

settings::settings() {
  are_being_read = true;
  if (detail::from_environment("OMP_PROC_BIND") != nullptr || detail::from_environment("OMP_PLACES") != nullptr ||
      detail::from_environment("GOMP_CPU_AFFINITY") != nullptr) {
    restore_affinity();
  }
  const std::vector<unsigned> usable = usable_processors();
  processors = static_cast<unsigned>(usable.size());
  threads = read_variable("OMP_NUM_THREADS", std::vector<unsigned>(), read_threads);
  initial.threads = threads.empty() ? processors : threads.front();
  initial.thread_limit = static_cast<unsigned>(read_variable("OMP_THREAD_LIMIT", long{INT_MAX}, read_number<1>));
  const division_text how = read_variable("OMP_SCHEDULE", division_text(), read_schedule);
  initial.kind = how.kind;
  initial.chunk = how.chunk;
  initial.monotonic = how.monotonic;
  initial.adjusts = read_variable("OMP_DYNAMIC", false, read_switch);
  bindings = read_variable("OMP_PROC_BIND", std::vector<binding>(), read_bindings);
  const bool nests = read_variable("OMP_NESTED", threads.size() > 1 || bindings.size() > 1, read_switch);
  initial.max_levels = static_cast<unsigned char>(std::min<long>(
      read_variable("OMP_MAX_ACTIVE_LEVELS", long{nests ? most_levels : 1}, read_number<0>), most_levels));
  cancellation = read_variable("OMP_CANCELLATION", false, read_switch);
  stack_size = read_variable("OMP_STACKSIZE", std::size_t{0}, read_stack_size);
  wait_policy = read_variable("OMP_WAIT_POLICY", -1, read_wait_policy);
  most_priority = static_cast<int>(read_variable("OMP_MAX_TASK_PRIORITY", 0l, read_number<0>));
  default_device = static_cast<int>(read_variable("OMP_DEFAULT_DEVICE", 0l, read_number<0>));
  teams = static_cast<int>(read_variable("OMP_NUM_TEAMS", 0l, read_number<1>));
  teams_thread_limit = static_cast<int>(read_variable("OMP_TEAMS_THREAD_LIMIT", 0l, read_number<1>));
  shows_affinity = read_variable("OMP_DISPLAY_AFFINITY", false, read_switch);
  if (const char* const format = detail::from_environment("OMP_AFFINITY_FORMAT")) affinity_format = format;

  places = read_variable("OMP_PLACES", places, [&usable](const char* text, const char* name) {
    try {
      return parse_places(text, usable);
    } catch (const error& why) {
      throw error(std::string(name) + ": '" + detail::shown(text) + "', " + why.what());
    }
  });
  if (bindings.empty()) {
    bindings.push_back(places.empty() ? binding::off : binding::on);
  } else if (bindings.front() != binding::off && places.empty()) {
    for (const unsigned each : usable) places.push_back({each});
  }
  if (bindings.front() == binding::off) places.clear();

  // As long as a thread that sleeps takes to come back, a few times; long enough for the serial part between loops.
  using namespace std::chrono_literals;
  looks = wait_policy == 0 ? 0 : looks_in(wait_policy == 1 ? 10ms : 200us);
  looks_when_crowded = wait_policy == 1 ? looks_in(20us) : 0;
  are_being_read = false;
}

void settings::show_if_asked() {
  switch (read_variable("OMP_DISPLAY_ENV", display::no, read_display)) {
    case display::no:
      return;
    case display::yes:
      return show_settings(false);
    case display::verbose:
      return show_settings(true);
  }
}

unsigned settings::team_size(unsigned wanted, const control& vars, unsigned active_level) const noexcept {
  if (active_level >= vars.max_levels) return 1;
  unsigned n = wanted != 0 ? wanted : vars.threads;
  if (vars.adjusts) n = std::min(n, processors);
  return std::max(std::min(n, vars.thread_limit), 1u);
}

binding settings::binding_at(unsigned level) const noexcept {
  return bindings[std::min<std::size_t>(level, bindings.size() - 1)];
}

}  // namespace jackdaw::gomp
