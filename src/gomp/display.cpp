// What is written on demand: the settings, and where threads are.
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <string>

#include "gomp/fail.hpp"
#include "gomp/places.hpp"
#include "gomp/settings.hpp"
#include "gomp/team.hpp"
#include "gomp/teams.hpp"

namespace jackdaw::gomp {
namespace {

const char* name_of(schedule kind) noexcept {
  constexpr const char* names[] = {"RUNTIME", "STATIC", "DYNAMIC", "GUIDED", "AUTO"};
  return names[static_cast<unsigned>(kind)];
}

const char* name_of(binding how) noexcept {
  constexpr const char* names[] = {"FALSE", "TRUE", "PRIMARY", "CLOSE", "SPREAD"};
  return names[static_cast<unsigned>(how)];
}

/// Several texts with commas between.
template <class List, class F>
std::string joined(const List& all, const F& text_of) {
  std::string text;
  for (const auto& each : all) {
    if (!text.empty()) text += ',';
    text += text_of(each);
  }
  return text;
}

/// 0,2-5
std::string ranges(const std::vector<unsigned>& numbers) {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t last = i;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    std::string& text = all.emplace_back(std::to_string(numbers[i]));
    if (last > i) text.append("-").append(std::to_string(numbers[last]));
    i = last + 1;
  }
  return joined(all, [](const std::string& each) { return each; });
}

/// What a letter or a name in braces of an affinity format stands for; null: nothing.
std::string field(const std::string& name, const member& self, bool& known) {
  const team& in = *self.in;
  char host[256] = "";
  known = true;
  if (name == "t" || name == "team_num") return std::to_string(host_teams.number);
  if (name == "T" || name == "num_teams") return std::to_string(host_teams.count);
  if (name == "L" || name == "nesting_level") return std::to_string(in.level);
  if (name == "n" || name == "thread_num") return std::to_string(self.id);
  if (name == "N" || name == "num_threads") return std::to_string(in.size);
  if (name == "a" || name == "ancestor_tnum") {
    return std::to_string(in.opener != nullptr ? static_cast<int>(in.opener->id) : 0);
  }
  if (name == "H" || name == "host") {
    gethostname(host, sizeof host - 1);
    return host;
  }
  if (name == "P" || name == "process_id") return std::to_string(getpid());
  if (name == "i" || name == "native_thread_id") return std::to_string(gettid());
  if (name == "A" || name == "thread_affinity") return ranges(usable_processors());
  known = false;
  return {};
}

/// %[[0].]width]letter or %[...]{name}
std::string expand(const std::string& format, const member& self) {
  std::string text;
  for (std::size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%' || i + 1 == format.size()) {
      text += format[i];
      continue;
    }
    std::size_t at = i + 1;
    if (format[at] == '%') {
      text += '%';
      i = at;
      continue;
    }
    const bool zeros = format[at] == '0';
    if (zeros) ++at;
    const bool right = at < format.size() && format[at] == '.';
    if (right) ++at;
    std::size_t width = 0;
    for (; at < format.size() && format[at] >= '0' && format[at] <= '9' && width < 1000; ++at) {
      width = width * 10 + static_cast<std::size_t>(format[at] - '0');
    }
    std::string name;
    if (at < format.size() && format[at] == '{') {
      const std::size_t end = format.find('}', at);
      if (end == std::string::npos) return text + format.substr(i);
      name = format.substr(at + 1, end - at - 1);
      at = end;
    } else if (at < format.size()) {
      name = format[at];
    }
    bool known = false;
    std::string found = field(name, self, known);
    if (!known) found = "undefined";
    if (found.size() < width) {
      const std::size_t more = width - found.size();
      found = right ? std::string(more, zeros ? '0' : ' ') + found : found + std::string(more, ' ');
    }
    text += found;
    i = at;
  }
  return text;
}

std::string format_or(const char* format) {
  return format != nullptr && *format != '\0' ? format : settings::of_process().affinity_format;
}

std::size_t copy_out(const std::string& text, char* into, std::size_t size, bool ends_with_zero) noexcept {
  if (into != nullptr && size != 0) {
    const std::size_t most = ends_with_zero ? size - 1 : size;
    const std::size_t length = text.size() < most ? text.size() : most;
    std::memcpy(into, text.data(), length);
    if (ends_with_zero) {
      into[length] = '\0';
    } else {
      std::memset(into + length, ' ', size - length);
    }
  }
  return text.size();
}

/// Fortran's texts have a length and blanks at their ends.
std::string text_of(const char* text, std::size_t length) {
  while (length > 0 && text[length - 1] == ' ') --length;
  return {text, length};
}

/// What an `error` directive says.
std::string directive(const char* how, const char* text, std::size_t length) {
  std::string line = how;
  line.append("error directive encountered");
  if (text != nullptr) line.append(": ").append(text, length);
  return line;
}

}  // namespace

void show_settings(bool verbose) {
  const settings& set = settings::of_process();
  const control& vars = set.initial;
  const auto number = [](auto each) { return std::to_string(each); };
  const auto yes = [](bool is) { return is ? "TRUE" : "FALSE"; };
  std::string text = "\nOPENMP DISPLAY ENVIRONMENT BEGIN\n  _OPENMP = '201511'\n";
  const auto add = [&text](const char* name, const std::string& value) {
    text.append("  [host] ").append(name).append(" = '").append(value).append("'\n");
  };
  add("OMP_DYNAMIC", yes(vars.adjusts));
  add("OMP_NESTED", yes(vars.max_levels > 1));
  add("OMP_NUM_THREADS", set.threads.empty() ? number(vars.threads) : joined(set.threads, number));
  std::string how = name_of(vars.kind);
  if (vars.chunk > 0) how.append(",").append(number(vars.chunk));
  add("OMP_SCHEDULE", how);
  add("OMP_PROC_BIND", joined(set.bindings, [](binding each) { return std::string(name_of(each)); }));
  add("OMP_PLACES",
      joined(set.places, [](const auto& each) { return std::string("{").append(ranges(each)).append("}"); }));
  add("OMP_STACKSIZE", number(set.stack_size));
  add("OMP_WAIT_POLICY", set.wait_policy == 1 ? "ACTIVE" : "PASSIVE");
  add("OMP_THREAD_LIMIT", number(vars.thread_limit));
  add("OMP_MAX_ACTIVE_LEVELS", number(unsigned{vars.max_levels}));
  add("OMP_NUM_TEAMS", number(set.teams.load(std::memory_order_relaxed)));
  add("OMP_TEAMS_THREAD_LIMIT", number(set.teams_thread_limit.load(std::memory_order_relaxed)));
  add("OMP_CANCELLATION", yes(set.cancellation));
  add("OMP_DEFAULT_DEVICE", number(set.default_device.load(std::memory_order_relaxed)));
  add("OMP_MAX_TASK_PRIORITY", number(set.most_priority));
  add("OMP_DISPLAY_AFFINITY", yes(set.shows_affinity));
  add("OMP_AFFINITY_FORMAT", set.affinity_format);
  if (verbose) add("jackdaw: looks before a thread sleeps", number(set.looks));
  text += "OPENMP DISPLAY ENVIRONMENT END\n";
  std::fputs(text.c_str(), stderr);
}

void show_affinity(const member& self) {
  std::fputs(expand(settings::of_process().affinity_format, self).append("\n").c_str(), stderr);
}

}  // namespace jackdaw::gomp

using namespace jackdaw::gomp;

extern "C" {

void omp_display_env(int verbose) { show_settings(verbose != 0); }
void omp_display_env_(const int* verbose) { show_settings(*verbose != 0); }
void omp_display_env_8_(const long* verbose) { show_settings(*verbose != 0); }

void omp_set_affinity_format(const char* format) { settings::of_process().affinity_format = format; }
void omp_set_affinity_format_(const char* format, std::size_t length) {
  settings::of_process().affinity_format = text_of(format, length);
}
std::size_t omp_get_affinity_format(char* into, std::size_t size) {
  return copy_out(settings::of_process().affinity_format, into, size, true);
}
int omp_get_affinity_format_(char* into, std::size_t size) {
  return static_cast<int>(copy_out(settings::of_process().affinity_format, into, size, false));
}
void omp_display_affinity(const char* format) {
  std::fputs(expand(format_or(format), here()).append("\n").c_str(), stderr);
}
void omp_display_affinity_(const char* format, std::size_t length) {
  omp_display_affinity(text_of(format, length).c_str());
}
std::size_t omp_capture_affinity(char* into, std::size_t size, const char* format) {
  return copy_out(expand(format_or(format), here()), into, size, true);
}
int omp_capture_affinity_(char* into, const char* format, std::size_t size, std::size_t length) {
  return static_cast<int>(copy_out(expand(format_or(text_of(format, length).c_str()), here()), into, size, false));
}

void GOMP_warning(const char* text, std::size_t length) { warn(directive("", text, length).c_str()); }
void GOMP_error(const char* text, std::size_t length) { fail(directive("fatal ", text, length).c_str()); }
}
