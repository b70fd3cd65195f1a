#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>

#include "machine/probe/kernels.hpp"
#include "machine/probe/memory.hpp"
#include "machine/probe/sockets.hpp"

namespace jackdaw::probe {
namespace {

constexpr std::size_t mib = 1 << 20;

// The data that all measurements of memory share.
struct bench {
  const machine& found;
  const std::vector<socket>& sockets;
  report& to;
  double ns;  // for each measurement

  std::size_t private_bytes() const { return to.model.private_cache.size; }
  std::size_t shared_bytes() const { return to.model.shared_cache.size * sockets.front().sharing_cache; }
  // Too large for any cache, so that nearly all steps of a chain through it miss; a power of two.
  std::size_t beyond_caches() const {
    return std::bit_ceil(std::clamp<std::size_t>(8 * shared_bytes(), 64 * mib, 512 * mib));
  }

  // A chain of a power of two of bytes that a core of `home` has touched first.
  buffer chain_near(const socket& home, std::size_t bytes) const {
    buffer made(std::bit_floor(bytes));
    on_cpu(home.os_cpus.front(), [&] { make_chain(made.data(), std::bit_floor(bytes) / line); });
    return made;
  }
  double one_core(const socket& reader, const buffer& from) const {
    return stream_rate({{reader.os_cpus.front(), from.data(), from.words()}}, ns);
  }
  // All cores of the readers, each with its part of the buffer.
  double all_cores(const std::vector<const socket*>& readers, const buffer& from,
                   stream_of what = stream_of::reads) const {
    std::vector<unsigned> cpus;
    for (const socket* const reader : readers) cpus.insert(cpus.end(), reader->os_cpus.begin(), reader->os_cpus.end());
    return each_its_part(cpus, from, what);
  }
  double each_its_part(const std::vector<unsigned>& os_cpus, const buffer& from,
                       stream_of what = stream_of::reads) const {
    std::vector<stream_job> jobs;
    const std::size_t part = from.words() / os_cpus.size();
    for (std::size_t i = 0; i < os_cpus.size(); ++i) jobs.push_back({os_cpus[i], from.data() + i * part, part});
    return stream_rate(jobs, ns, what);
  }
  double latency(const socket& reader, const buffer& chain) const {
    return chase_latency(reader.os_cpus.front(), chain, ns);
  }
};

void probe_private_cache(const bench& with) {
  machine_model& model = with.to.model;
  if (model.private_cache.size == 0) return;
  const socket& first = with.sockets.front();
  const buffer half = with.chain_near(first, std::max<std::size_t>(with.private_bytes() / 2, 8192));
  with.to.measured("private_cache.rate", model.private_cache.rate, with.one_core(first, half),
                   "one core reads half of it again and again");
  with.to.measured("private_cache.latency", model.private_cache.latency, with.latency(first, half),
                   "a chain through half of it");
}

void probe_shared_cache(const bench& with) {
  machine_model& model = with.to.model;
  if (model.shared_cache.size == 0) return;
  const socket& first = with.sockets.front();
  // Too large for the private cache and at most half of the shared one. As small as that allows, because the rest of
  // the computer uses the shared cache meanwhile.
  const std::size_t own = with.private_bytes() != 0 ? 4 * with.private_bytes() : with.shared_bytes() / 4;
  const std::size_t bytes = std::bit_floor(std::min(own, with.shared_bytes() / 2));
  const buffer within = with.chain_near(first, bytes);
  with.to.measured("shared_cache.rate", model.shared_cache.rate, with.one_core(first, within),
                   fmt::format("one core reads {} MiB again and again", bytes / mib));
  with.to.measured("shared_cache.latency", model.shared_cache.latency, with.latency(first, within),
                   fmt::format("a chain through {} MiB", bytes / mib));

  const std::vector<unsigned>& readers = first.caches.front().os_cpus;
  const std::size_t cores = readers.size();
  const std::size_t part = std::max(2 * with.private_bytes(), with.shared_bytes() / (2 * cores * first.sharing_cache));
  const buffer all = with.chain_near(first, std::bit_ceil(cores * part));
  with.to.measured("shared_cache.total_rate", model.shared_cache_total,
                   std::max(with.each_its_part(readers, all), model.shared_cache.rate),
                   fmt::format("{} cores read {} MiB each", cores, all.words() * sizeof(std::uint64_t) / cores / mib));
}

// How much of the shared cache a core gets, and how it fails when data are larger. A core reads data of growing size
// again and again: the part that misses is known from the rate. If the least recently used lines leave, that goes from
// 0 to 1 at the cache's size C. If any lines do, a part m of data of size s misses for which m = 1 - exp(-m s / C).
void probe_shared_size(const bench& with) {
  machine_model& model = with.to.model;
  if (model.shared_cache.size == 0 || model.local_rate > 0.9 * model.shared_cache.rate) return;
  const socket& first = with.sockets.front();
  const std::uint64_t said = model.shared_cache.size;
  const std::uint64_t above = model.fill == machine_model::fill_policy::exclusive ? with.private_bytes() : 0;
  const double near = 1 / model.shared_cache.rate, far = 1 / model.local_rate;
  const buffer data = with.chain_near(first, 2 * std::bit_ceil(with.shared_bytes() + above));
  const bench briefly{with.found, with.sockets, with.to, with.ns / 4};
  const auto misses = [&](double bytes) {
    const std::size_t words = static_cast<std::size_t>(bytes) / mib * mib / sizeof(std::uint64_t);
    return (1 / stream_rate({{first.os_cpus.front(), data.data(), words}}, briefly.ns) - near) / (far - near);
  };
  // The sizes at which a fifth, a half and four fifths miss, between two of those tried.
  constexpr std::array<double, 3> parts{0.2, 0.5, 0.8};
  std::array<double, 3> sizes{};
  double size = static_cast<double>(std::max<std::size_t>(2 * with.private_bytes(), 2 * mib)), before = 0;
  const double step = std::pow(2, 0.25);
  std::size_t found = 0;
  for (; found < parts.size() && size <= static_cast<double>(2 * (with.shared_bytes() + above)); size *= step) {
    const double now = misses(size);
    for (; found < parts.size() && now >= parts[found]; ++found)
      sizes[found] = size * std::pow(step, (parts[found] - now) / (now - std::min(before, parts[found] - 0.01)));
    before = now;
  }
  if (found < parts.size()) return;
  const bool any = sizes[2] > 1.25 * sizes[0];
  // m = 1/2 where s = 2 ln 2 C.
  const double whole = any ? sizes[1] / (2 * std::log(2)) : sizes[1];
  const double mine = whole / first.sharing_cache - static_cast<double>(above);
  if (mine >= static_cast<double>(said) || mine < static_cast<double>(with.private_bytes())) return;
  double bytes = 0;
  with.to.measured("shared_cache.size", bytes, std::round(mine / (mib / 4)) * (mib / 4),
                   fmt::format("half of {:.1f} MiB that a core reads again and again miss; by hwloc it has {:.1f} MiB",
                               sizes[1] / mib, static_cast<double>(said) / mib));
  model.shared_cache.size = static_cast<std::uint64_t>(std::round(mine / (mib / 4))) * (mib / 4);
  model.drops = any ? machine_model::replacement::any : machine_model::replacement::oldest;
  put(model, "shared_cache.replacement", machine_model::origin::measured,
      fmt::format("{}: a fifth misses at {:.1f} MiB, four fifths at {:.1f} MiB", with.to.date, sizes[0] / mib,
                  sizes[2] / mib));
}

// Measures how the cores of `reader` see another socket's memory; `local` is the latency of their own.
double probe_link(const bench& with, machine_model::link& link, const socket& reader, const buffer& far, double local) {
  const std::string key = fmt::format("link.{}-{}.", link.from, link.to);
  with.to.measured(key + "latency", link.latency, std::max(0.0, with.latency(reader, far) - local),
                   "a chain through the other socket's memory, less what its own cores see");
  const double alone = with.one_core(reader, far);
  with.to.measured(key + "bandwidth", link.bandwidth, std::max(with.all_cores({&reader}, far), alone),
                   "all cores of one socket read the other's memory");
  return alone;
}

void probe_nodes(const bench& with) {
  machine_model& model = with.to.model;
  std::map<unsigned, std::vector<std::size_t>> of_node;
  for (std::size_t i = 0; i < with.sockets.size(); ++i) of_node[with.sockets[i].node].push_back(i);

  double near = 0, remote = 0;
  std::size_t pairs = 0;
  for (const auto& [node, members] : of_node) {
    const socket& home = with.sockets[members.front()];
    const buffer far = with.chain_near(home, with.beyond_caches());
    const double alone = with.one_core(home, far);
    near += alone;
    const double latency = with.latency(home, far);
    std::vector<const socket*> readers;
    for (const std::size_t i : members) readers.push_back(&with.sockets[i]);
    // Few cores do not exhaust a node by reading: what they write comes on top. At least the rate that one core
    // reached, whatever else ran meanwhile.
    const double bandwidth =
        std::max({with.all_cores(readers, far), 2 * with.all_cores(readers, far, stream_of::updates), alone});
    for (const std::size_t i : members) {
      const std::string part = members.size() > 1 ? fmt::format(", 1/{} of it", members.size()) : "";
      with.to.measured(fmt::format("node.{}.bandwidth", i), model.nodes[i].bandwidth,
                       bandwidth / static_cast<double>(members.size()),
                       "all its cores read, or read and write: the more of both" + part);
      with.to.measured(fmt::format("node.{}.latency", i), model.nodes[i].latency, latency,
                       fmt::format("a chain through {} MiB", with.beyond_caches() / mib));
    }
    // A link's direction is the data's: from the memory to its reader.
    for (machine_model::link& link : model.links) {
      const socket& reader = with.sockets[link.to];
      if (with.sockets[link.from].node != node || reader.node == node) continue;
      remote += probe_link(with, link, reader, far, latency);
      ++pairs;
    }
  }
  with.to.measured("local_rate", model.local_rate, near / static_cast<double>(of_node.size()),
                   "one core reads its own node's memory");
  if (pairs != 0) {
    with.to.measured("remote_rate", model.remote_rate, remote / static_cast<double>(pairs),
                     "one core reads another socket's memory, mean of all pairs");
  } else {
    with.to.derived("remote_rate", model.remote_rate, model.local_rate, "one memory node: as the local rate");
  }
}

// No thread can run on a node without processors and touch its memory first, so the kernel must be asked for it.
void probe_lone_nodes(const bench& with) {
  machine_model& model = with.to.model;
  std::size_t i = with.sockets.size();
  for (const machine::node& node : with.found.nodes) {
    if (!node.cpu_less || node.capacity == 0) continue;
    const std::size_t at = i++;
    const socket& reader = with.sockets[model.nodes[at].socket];
    const auto bound = buffer::on_node(with.beyond_caches(), node.os_index);
    if (!bound) continue;
    on_cpu(reader.os_cpus.front(), [&] { make_chain(bound->data(), with.beyond_caches() / line); });
    const auto key = [&](const char* figure) { return fmt::format("node.{}.{}", at, figure); };
    with.to.measured(key("rate"), model.nodes[at].rate, with.one_core(reader, *bound),
                     "one core of its socket reads it");
    with.to.measured(key("bandwidth"), model.nodes[at].bandwidth,
                     std::max({with.all_cores({&reader}, *bound),
                               2 * with.all_cores({&reader}, *bound, stream_of::updates), model.nodes[at].rate}),
                     "all cores of its socket read it, or read and write it: the more of both");
    with.to.measured(key("latency"), model.nodes[at].latency, with.latency(reader, *bound), "a chain through it");
  }
}

}  // namespace

void probe_memory(const machine& found, const std::vector<socket>& sockets, report& to, double ns) {
  const std::size_t measurements = 5 + 4 * to.model.nodes.size() + 3 * to.model.links.size();
  constexpr double shortest = 2e6, longest = 2e8;
  const bench with{found, sockets, to, std::clamp(ns / static_cast<double>(measurements), shortest, longest)};
  probe_private_cache(with);
  probe_shared_cache(with);
  probe_nodes(with);
  probe_lone_nodes(with);
  probe_shared_size(with);
}

}  // namespace jackdaw::probe
