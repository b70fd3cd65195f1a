#include "trace/timeline_file.hpp"

#include <array>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <string>
#include <string_view>
#include <vector>

#include <protozero/pbf_writer.hpp>

#include "base/replacement.hpp"
#include "trace/timeline_tracks.hpp"

namespace jackdaw::trace {
namespace {

using protozero::pbf_writer;
using type = mark::type;
using label = mark::label;
using source = worker_event::source;

// The numbers of messages' fields, from Perfetto's protos/perfetto/trace.
constexpr int trace_packet = 1;
namespace packet {
constexpr int clock_snapshot = 6, timestamp = 8, sequence = 10, track_event = 11, sequence_flags = 13, clock = 58,
              track_descriptor = 60;
}
namespace clock_snapshot {
constexpr int clocks = 1, primary = 2, id = 1, value = 2;
}
namespace track {
constexpr int uuid = 1, name = 2, process = 3, thread = 4, parent = 5, child_ordering = 11, rank = 12;
constexpr int in_given_order = 3;
}  // namespace track
namespace process {
constexpr int pid = 1, name = 6;
}
namespace thread {
constexpr int pid = 1, tid = 2, name = 5;
}
namespace track_event {
constexpr int annotation = 4, type = 9, track = 11, category = 22, name = 23, flow = 47, ending_flow = 48;
constexpr int slice_begin = 1, slice_end = 2, instant = 3;
}  // namespace track_event
namespace annotation {
constexpr int unsigned_value = 3, signed_value = 4, real_value = 5, text = 6, pointer = 7, name = 10;
}

constexpr std::uint32_t monotonic = 3;  // Perfetto's number of CLOCK_MONOTONIC, which steady_clock is

constexpr std::uint64_t mixed(std::uint64_t seed) noexcept {
  seed = (seed ^ seed >> 30) * 0xbf58476d1ce4e5b9;
  seed = (seed ^ seed >> 27) * 0x94d049bb133111eb;
  return seed ^ seed >> 31;
}

std::string hexadecimal(std::uint64_t number) {
  std::array<char, 20> text{};
  std::snprintf(text.data(), text.size(), "0x%llx", static_cast<unsigned long long>(number));
  return text.data();
}

std::string name_of(const mark& of) {
  switch (of.what) {
    case label::root:
      return "root";
    case label::placed:
      return "placed task";
    case label::task:
      return "task";
    case label::resumed:
      return "task resumes";
    case label::search:
      return "search";
    case label::sleep:
      return "sleep";
    case label::stolen:
      return "stolen by worker " + std::to_string(of.of->worker);
    case label::ready:
      return "ready";
    case label::move:
      return "move data";
    case label::dropped:
      return "events dropped";
    case label::on_worker:
      return "on worker " + std::to_string(of.number);
    case label::waits:
      return "waits";
    case label::makes_way:
      return "makes way";
    case label::gives_way:
      return "gives way";
    case label::root_whole:
      return "root";
    case label::iteration:
      return of.of->name.empty() ? "iteration at " + hexadecimal(of.of->site)
                                 : "iteration of " + std::string(of.of->name);
    case label::region:
      return "region " + std::string(of.of->name);
    case label::decision:
      return std::string(of.of->name);
  }
  return {};
}

std::string_view category_of(label of) noexcept {
  switch (of) {
    case label::root:
    case label::placed:
    case label::task:
    case label::resumed:
    case label::on_worker:
      return "task";
    case label::search:
    case label::sleep:
      return "idle";
    case label::stolen:
    case label::ready:
      return "flow";
    case label::move:
      return "data";
    case label::dropped:
      return "dropped";
    case label::waits:
    case label::makes_way:
    case label::gives_way:
      return "suspended";
    case label::root_whole:
    case label::iteration:
    case label::region:
      return "iteration";
    case label::decision:
      return "decision";
  }
  return {};
}

/// Adds what is to be said of a slice or an instant.
class annotations {
 public:
  explicit annotations(pbf_writer& to) : to_(to) {}

  void add(const char* name, std::uint64_t value) {
    pbf_writer made = begin(name);
    made.add_uint64(annotation::unsigned_value, value);
  }
  void add(const char* name, std::int64_t value) {
    pbf_writer made = begin(name);
    made.add_int64(annotation::signed_value, value);
  }
  void add(const char* name, double value) {
    pbf_writer made = begin(name);
    made.add_double(annotation::real_value, value);
  }
  void add(const char* name, const std::string& value) {
    pbf_writer made = begin(name);
    made.add_string(annotation::text, value);
  }
  void add_pointer(const char* name, std::uint64_t value) {
    pbf_writer made = begin(name);
    made.add_uint64(annotation::pointer, value);
  }

 private:
  pbf_writer begin(const char* name) {
    pbf_writer made(to_, track_event::annotation);
    made.add_string(annotation::name, name);
    return made;
  }
  pbf_writer& to_;
};

std::string where_from(const worker_event& from) {
  if (from.what == worker_event::kind::steal) return "deque of worker " + std::to_string(from.other);
  switch (from.from) {
    case source::mailbox:
      return "mailbox of worker " + std::to_string(from.other);
    case source::pool:
      return "pool " + std::to_string(from.other);
    case source::queue:
      return "queue";
    case source::near:
      return "tasks near memory";
  }
  return {};
}

void annotate(const mark& of, annotations& to) {
  switch (of.what) {
    case label::root:
    case label::placed:
    case label::task:
    case label::resumed:
      to.add("stack", of.number);
      if (of.from != nullptr) to.add("from", where_from(*of.from));
      if (of.what == label::placed) {
        to.add("span begins", of.task->first);
        to.add("span ends", of.task->last);
      }
      break;
    case label::ready:
      to.add("stack", of.number);
      break;
    case label::move:
      to.add("bytes", of.of->value);
      to.add("node", std::uint64_t{of.of->other});
      break;
    case label::dropped:
      to.add("events", of.number);
      break;
    case label::iteration:
      to.add("iteration", of.number);
      to.add_pointer("site", of.of->site);
      break;
    case label::decision:
      to.add("value", of.of->value);
      to.add("worker", std::uint64_t{of.of->worker});
      break;
    default:
      break;
  }
}

class packet_writer {
 public:
  packet_writer(const timeline_view& what, detail::replacement& to)
      : to_(to), salt_(mixed(what.begin ^ mixed(static_cast<std::uint64_t>(what.process)))) {}

  /// Says when the clocks showed what, so that the picture can be laid beside one of the system.
  void write_clocks() {
    {
      pbf_writer made = begin();
      made.add_uint32(packet::sequence_flags, 1);  // nothing from before is needed
      pbf_writer shown(made, packet::clock_snapshot);
      for (const auto& [clock, number] :
           {std::pair{CLOCK_MONOTONIC, monotonic}, {CLOCK_BOOTTIME, 6U}, {CLOCK_REALTIME, 1U}}) {
        timespec time{};
        clock_gettime(clock, &time);
        pbf_writer one(shown, clock_snapshot::clocks);
        one.add_uint32(clock_snapshot::id, number);
        one.add_uint64(clock_snapshot::value, static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 +
                                                  static_cast<std::uint64_t>(time.tv_nsec));
      }
      shown.add_enum(clock_snapshot::primary, monotonic);
    }
    flush();
  }

  void write_process(const timeline_view& what) {
    pbf_writer made = begin();
    pbf_writer descriptor(made, packet::track_descriptor);
    descriptor.add_uint64(track::uuid, salt_);
    descriptor.add_enum(track::child_ordering, track::in_given_order);
    pbf_writer of(descriptor, track::process);
    of.add_int32(process::pid, static_cast<std::int32_t>(what.process));
    of.add_string(process::name, what.program);
  }

  /// `index`: of the track among all.
  void write_track(const timeline_track& one, std::size_t index, std::int64_t pid) {
    const std::uint64_t uuid = salt_ + 1 + index;
    {
      pbf_writer made = begin();
      pbf_writer descriptor(made, packet::track_descriptor);
      descriptor.add_uint64(track::uuid, uuid);
      descriptor.add_uint64(track::parent, salt_);
      descriptor.add_string(track::name, one.name);
      descriptor.add_int32(track::rank, static_cast<std::int32_t>(index));
      if (one.of == timeline_track::kind::worker && one.thread != 0) {
        pbf_writer of(descriptor, track::thread);
        of.add_int32(thread::pid, static_cast<std::int32_t>(pid));
        of.add_int64(thread::tid, one.thread);
        of.add_string(thread::name, one.name);
      }
    }
    for (const mark& each : one.marks) {
      write_mark(each, uuid);
      if (constexpr std::size_t enough = std::size_t{1} << 16; text_.size() > enough) flush();
    }
  }

  void flush() {
    to_.write(text_);
    text_.clear();
  }

 private:
  /// Ends with the writer that it returns.
  pbf_writer begin() {
    pbf_writer made(all_, trace_packet);
    made.add_uint32(packet::sequence, static_cast<std::uint32_t>(salt_) | 1);
    return made;
  }

  void write_mark(const mark& each, std::uint64_t uuid) {
    pbf_writer made = begin();
    made.add_uint64(packet::timestamp, each.at);
    made.add_uint32(packet::clock, monotonic);
    pbf_writer event(made, packet::track_event);
    event.add_enum(track_event::type, each.is == type::begin ? track_event::slice_begin
                                      : each.is == type::end ? track_event::slice_end
                                                             : track_event::instant);
    event.add_uint64(track_event::track, uuid);
    annotations said(event);
    if (each.is == type::end) {
      if (each.cut) said.add("did not end", std::string("the file was written before"));
      return;
    }
    event.add_string(track_event::category, category_of(each.what).data(), category_of(each.what).size());
    event.add_string(track_event::name, name_of(each));
    for (const std::uint64_t flow : {each.in, each.woken}) {
      if (flow != 0) event.add_fixed64(track_event::ending_flow, salt_ + flow);
    }
    if (each.out != 0) event.add_fixed64(track_event::flow, salt_ + each.out);
    annotate(each, said);
  }

  detail::replacement& to_;
  const std::uint64_t salt_;  // tells the numbers of tracks and flows apart from those of other files
  std::string text_;
  pbf_writer all_{text_};
};

}  // namespace

void write_timeline(const timeline_view& what, const std::filesystem::path& file) {
  detail::replacement made(file);
  packet_writer to(what, made);
  to.write_clocks();
  to.write_process(what);
  std::size_t index = 0;
  for_each_track(what, [&](const timeline_track& each) { to.write_track(each, index++, what.process); });
  to.flush();
  made.keep();
}

}  // namespace jackdaw::trace
