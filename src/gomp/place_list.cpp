// OMP_PLACES: names of a machine's parts, or lists of processors.
#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "gomp/places.hpp"
#include "jackdaw/error.hpp"
#include "jackdaw/machine.hpp"

namespace jackdaw::gomp {
namespace {

using place = std::vector<unsigned>;

/// Reads what is left of a text.
class reader {
 public:
  explicit reader(std::string_view text) noexcept : rest_(text) {}

  bool accept(char wanted) noexcept {
    skip();
    if (rest_.empty() || rest_.front() != wanted) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void expect(char wanted) {
    if (!accept(wanted)) fail(std::string("'") + wanted + "'");
  }
  bool at_end() noexcept {
    skip();
    return rest_.empty();
  }
  std::string word() {
    skip();
    std::string found;
    while (!rest_.empty() && (std::isalpha(static_cast<unsigned char>(rest_.front())) != 0 || rest_.front() == '_')) {
      found += static_cast<char>(std::tolower(static_cast<unsigned char>(rest_.front())));
      rest_.remove_prefix(1);
    }
    return found;
  }
  long number(bool may_be_negative = false) {
    skip();
    const bool negative = may_be_negative && accept('-');
    long found = 0;
    if (rest_.empty() || std::isdigit(static_cast<unsigned char>(rest_.front())) == 0) fail("a number");
    for (; !rest_.empty() && std::isdigit(static_cast<unsigned char>(rest_.front())) != 0; rest_.remove_prefix(1)) {
      found = found * 10 + (rest_.front() - '0');
      if (found > 1000000) fail("a smaller number");
    }
    return negative ? -found : found;
  }
  [[noreturn]] void fail(const std::string& expected) const {
    throw error("expected " + expected + (rest_.empty() ? " at the end" : " before '" + std::string(rest_) + "'"));
  }

 private:
  void skip() noexcept {
    while (!rest_.empty() && std::isspace(static_cast<unsigned char>(rest_.front())) != 0) rest_.remove_prefix(1);
  }
  std::string_view rest_;
};

/// first[:length[:stride]]
struct interval {
  long length = 1;
  long stride = 1;
};
interval read_interval(reader& from) {
  interval found;
  if (from.accept(':')) {
    found.length = from.number();
    if (from.accept(':')) found.stride = from.number(true);
    if (found.length == 0) from.fail("a length that is not 0");
  }
  return found;
}

place read_place(reader& from) {
  std::set<unsigned> found;
  if (!from.accept('{')) {
    return {static_cast<unsigned>(from.number())};
  }
  do {
    const bool without = from.accept('!');
    const long first = from.number();
    const interval all = read_interval(from);
    for (long i = 0; i < all.length; ++i) {
      const long each = first + i * all.stride;
      if (each < 0) from.fail("processors that are not negative");
      if (without) {
        if (found.erase(static_cast<unsigned>(each)) == 0) from.fail("'!' behind what it takes away");
      } else {
        found.insert(static_cast<unsigned>(each));
      }
    }
  } while (from.accept(','));
  from.expect('}');
  return {found.begin(), found.end()};
}

std::vector<place> read_list(reader& from) {
  std::vector<place> found;
  do {
    const bool without = from.accept('!');
    const place first = read_place(from);
    const interval all = without ? interval() : read_interval(from);
    for (long i = 0; i < all.length; ++i) {
      place next;
      for (const unsigned each : first) {
        const long moved = each + i * all.stride;
        if (moved < 0) from.fail("places that are not negative");
        next.push_back(static_cast<unsigned>(moved));
      }
      if (without) {
        if (std::erase(found, next) == 0) from.fail("'!' behind what it takes away");
      } else {
        found.push_back(next);
      }
    }
  } while (from.accept(','));
  if (!from.at_end()) from.fail("',' or the end");
  return found;
}

/// All parts of the machine of that kind, as lists of processors.
std::vector<place> parts_of_machine(const std::string& kind, const std::vector<unsigned>& usable, reader& from) {
  if (kind == "threads") {
    std::vector<place> found;
    for (const unsigned each : usable) found.push_back({each});
    return found;
  }
  const machine here = machine::detect();
  std::map<unsigned, place> found;
  for (const machine::core& core : here.cores) {
    unsigned key = core.index;
    if (kind == "sockets") {
      key = core.package;
    } else if (kind == "ll_caches") {
      key = core.l3_group;
    } else if (kind == "numa_domains") {
      key = core.numa_node;
    } else if (kind != "cores") {
      from.fail("threads, cores, sockets, ll_caches, numa_domains or a list of places");
    }
    place& into = found[key];
    into.insert(into.end(), core.os_cpus.begin(), core.os_cpus.end());
  }
  std::vector<place> all;
  for (auto& [key, each] : found) all.push_back(each);
  return all;
}

}  // namespace

std::vector<std::vector<unsigned>> parse_places(const char* text, const std::vector<unsigned>& usable) {
  reader from(text);
  std::vector<place> found;
  if (const std::string kind = from.word(); !kind.empty()) {
    found = parts_of_machine(kind, usable, from);
    if (from.accept('(')) {
      const long most = from.number();
      if (most == 0) from.fail("a number of places that is not 0");
      from.expect(')');
      if (found.size() > static_cast<std::size_t>(most)) found.resize(static_cast<std::size_t>(most));
    }
    if (!from.at_end()) from.fail("the end");
  } else {
    found = read_list(from);
  }
  for (place& each : found) {
    std::erase_if(each, [&](unsigned one) { return !std::binary_search(usable.begin(), usable.end(), one); });
  }
  std::erase_if(found, [](const place& each) { return each.empty(); });
  if (found.empty()) throw error("expected a place with a processor that the process may use");
  return found;
}

}  // namespace jackdaw::gomp
