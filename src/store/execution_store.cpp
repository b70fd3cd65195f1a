#include "store/execution_store.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "checks/symbol.hpp"

namespace jackdaw::store {
namespace {

using value = database::value;

value known(std::int64_t number) { return number != execution::no_number ? value(number) : value(); }
value known(double number) { return std::isnan(number) ? value() : value(number); }

/// Returns the name of a function without its parameters. In place of a template of the library it names the function
/// whose lambda that runs. Empty: not known.
std::string short_name(const checks::symbol& of) {
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(of.name.c_str(), nullptr, nullptr, nullptr), &std::free);
  std::string_view whole = text != nullptr ? text.get() : std::string_view(of.name);
  if (const std::size_t lambda = whole.find("::{lambda"); lambda != std::string_view::npos) {
    std::size_t begin = lambda;
    for (int depth = 0; begin > 0; --begin) {
      const char before = whole[begin - 1];
      depth += before == ')' || before == '>' ? 1 : before == '(' || before == '<' ? -1 : 0;
      if (depth < 0 || (depth == 0 && (before == ',' || before == ' '))) break;
    }
    whole = whole.substr(begin, lambda - begin);
  } else if (of.of_library()) {
    return {};
  }
  constexpr std::string_view unnamed = "(anonymous namespace)::";
  std::string name(whole);
  for (std::size_t at = name.find(unnamed); at != std::string::npos; at = name.find(unnamed)) {
    name.erase(at, unnamed.size());
  }
  return name.substr(0, std::min(name.find('('), std::size_t{100}));
}

/// Names what the program has not named by the function that an address is in.
class names {
 public:
  const std::string& of(std::uintptr_t at) {
    std::string& name = known_[at];
    if (name.empty()) {
      const checks::symbol found = checks::find_symbol(reinterpret_cast<const void*>(at));
      const std::string function = short_name(found);
      name = function.empty() ? found.place : function + " (" + found.place + ")";
    }
    return name;
  }

 private:
  std::map<std::uintptr_t, std::string> known_;
};

void insert_workers(const database& into, std::int64_t id, const execution& what) {
  const auto insert = into.inserter(
      "INSERT INTO execution_worker VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
      "?, ?, ?, ?, ?, ?, ?)");
  for (const execution::worker& each : what.workers) {
    insert({id,
            each.id,
            known(each.os_cpu),
            each.core,
            each.cache,
            each.package,
            each.node,
            each.tasks,
            each.roots,
            each.steals_core,
            each.steals_cache,
            each.steals_package,
            each.steals_remote,
            each.failed_local,
            each.failed_remote,
            each.at_home,
            each.away,
            each.migrations,
            each.suspensions,
            each.sleeps,
            each.rescues,
            each.busy_ns,
            each.search_ns,
            each.sleep_ns,
            known(each.overhead_ns),
            known(each.memory_ns),
            each.local_bytes,
            each.remote_bytes,
            known(each.awake_ns),
            known(each.cpu_ns),
            known(each.ready_ns),
            known(each.preemptions)});
  }
  const auto insert_steal = into.inserter("INSERT INTO execution_steal VALUES (?, ?, ?, ?, ?)");
  for (const execution::steal& each : what.steals) {
    insert_steal({id, each.thief, each.victim, each.steals, each.failed});
  }
  const auto insert_node = into.inserter("INSERT INTO execution_node VALUES (?, ?, ?, ?, ?, ?)");
  for (const execution::node& each : what.nodes) {
    insert_node({id, each.index, each.kind, known(each.package), known(each.capacity), known(each.bandwidth)});
  }
}

void insert_arrays(const database& into, std::int64_t id, const execution& what, names& named) {
  const auto insert = into.inserter("INSERT INTO execution_array VALUES (?, ?, ?, ?, ?, ?, ?)");
  std::map<std::string, int> used;
  std::int64_t number = 0;
  for (const execution::array& each : what.arrays) {
    std::string name = each.name;
    if (name.empty()) name = each.used_at != 0 ? "used in " + named.of(each.used_at) : "memory that no task named";
    if (const int before = used[name]++; before != 0) name += " #" + std::to_string(before + 1);
    insert({id, number++, std::string_view(name), std::string_view(each.source), each.bytes,
            known(each.first_touched_by), known(each.first_touched_bytes)});
  }
  const auto insert_traffic = into.inserter("INSERT INTO execution_traffic VALUES (?, ?, ?, ?, ?)");
  for (const execution::traffic& each : what.traffics) {
    insert_traffic({id, each.array, each.worker, each.node, each.bytes});
  }
  const auto insert_place = into.inserter("INSERT INTO execution_place VALUES (?, ?, ?, ?)");
  for (const execution::place& each : what.places) insert_place({id, each.array, each.node, each.bytes});
  const auto insert_share = into.inserter("INSERT INTO execution_share VALUES (?, ?, ?, ?, ?, ?, ?)");
  for (const execution::share& each : what.shares) {
    insert_share({id, each.array, each.part, each.parts, each.worker, each.bytes, each.written});
  }
}

void insert_course(const database& into, std::int64_t id, const execution& what, names& named) {
  const auto insert = into.inserter("INSERT INTO execution_iteration VALUES (?, ?, ?, ?, ?)");
  std::int64_t number = 0;
  for (const execution::iteration& each : what.iterations) {
    std::string_view region = each.region;
    if (region.empty()) region = each.site != 0 ? std::string_view(named.of(each.site)) : "root";
    insert({id, ++number, region, each.begin_ns, each.duration_ns});
  }
  const auto insert_decision = into.inserter("INSERT INTO execution_decision VALUES (?, ?, ?, ?, ?, ?)");
  for (const execution::decision& each : what.decisions) {
    insert_decision({id, each.at_ns, each.worker, each.name, each.value, each.says});
  }
  const auto insert_task = into.inserter("INSERT INTO execution_task VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)");
  for (const execution::task& each : what.tasks) {
    insert_task({id, each.id, each.parent, each.worker, each.begin_ns, each.end_ns, each.depth, known(each.span_begin),
                 known(each.span_end)});
  }
}

}  // namespace

std::int64_t insert_execution(const database& into, const execution& what) {
  const std::int64_t id =
      into.insert("INSERT INTO execution VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                  {what.started,
                   JACKDAW_VERSION,
                   what.kind,
                   what.program,
                   what.scheduler,
                   static_cast<std::int64_t>(what.workers.count),
                   what.machine,
                   what.machine_source,
                   what.placement,
                   what.seconds,
                   known(what.work_ns),
                   known(what.span_ns),
                   known(what.burdened_span_ns),
                   known(what.bench),
                   known(what.position),
                   known(what.round),
                   known(what.simulated_run),
                   *what.process != '\0' ? value(what.process) : value(),
                   known(what.process_seconds),
                   known(what.process_cpu_seconds)});
  names named;
  insert_workers(into, id, what);
  insert_arrays(into, id, what, named);
  insert_course(into, id, what, named);
  return id;
}

}  // namespace jackdaw::store
