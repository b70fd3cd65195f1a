"""JACKDAW_TRACE writes a Perfetto trace: read back with the definitions of PyPI's perfetto."""

import collections
import glob
import os
import re
import stat
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.path[:0] = glob.glob(os.environ["PERFETTO_FOLDER"] + "/lib/python3*/site-packages")
try:
    from perfetto.protos.perfetto.trace import perfetto_trace_pb2 as perfetto
except ImportError as missing:
    print(f"skipped: {missing}; scripts/setup.sh test installs it")
    sys.exit(0)

PROGRAM = os.environ["TRACED_PROGRAM"]
EVENT = perfetto.TrackEvent


class Slice:
    def __init__(self, packet):
        event = packet.track_event
        self.name = event.name
        self.category = event.categories[0]
        self.begin = packet.timestamp
        self.end = None
        self.depth = 0
        self.cut = False
        self.values = {each.name: getattr(each, each.WhichOneof("value")) for each in event.debug_annotations}


class Timeline:
    """A file's tracks. Reading it checks what holds for every file."""

    def __init__(self, test, path):
        self.trace = perfetto.Trace()
        self.trace.ParseFromString(path.read_bytes())
        self.tracks = {}
        self.slices = collections.defaultdict(list)
        self.instants = collections.defaultdict(list)
        begins, ends, open_slices, last = {}, {}, collections.defaultdict(list), {}
        clocks = [packet.clock_snapshot for packet in self.trace.packet if packet.HasField("clock_snapshot")]
        test.assertEqual(len(clocks), 1)
        test.assertEqual(clocks[0].primary_trace_clock, perfetto.BUILTIN_CLOCK_MONOTONIC)
        written = next(each.timestamp for each in clocks[0].clocks
                       if each.clock_id == perfetto.BUILTIN_CLOCK_MONOTONIC)
        for packet in self.trace.packet:
            test.assertNotEqual(packet.trusted_packet_sequence_id, 0)
            if packet.HasField("track_descriptor"):
                test.assertNotIn(packet.track_descriptor.uuid, self.tracks)
                self.tracks[packet.track_descriptor.uuid] = packet.track_descriptor
            if not packet.HasField("track_event"):
                continue
            event, uuid = packet.track_event, packet.track_event.track_uuid
            test.assertIn(uuid, self.tracks, "a track is described before its events")
            test.assertEqual(packet.timestamp_clock_id, perfetto.BUILTIN_CLOCK_MONOTONIC)
            test.assertGreaterEqual(packet.timestamp, last.get(uuid, 0), self.tracks[uuid].name)
            test.assertLessEqual(packet.timestamp, written)
            last[uuid] = packet.timestamp
            for flow in event.flow_ids:
                test.assertNotIn(flow, begins)
                begins[flow] = packet
            for flow in event.terminating_flow_ids:
                test.assertNotIn(flow, ends)
                ends[flow] = packet
            if event.type == EVENT.TYPE_SLICE_BEGIN:
                begun = Slice(packet)
                begun.depth = len(open_slices[uuid])
                open_slices[uuid].append(begun)
                self.slices[uuid].append(begun)
            elif event.type == EVENT.TYPE_SLICE_END:
                ended = open_slices[uuid].pop()  # fails if there is none
                ended.end = packet.timestamp
                ended.cut = len(event.debug_annotations) > 0
            else:
                test.assertEqual(event.type, EVENT.TYPE_INSTANT)
                self.instants[uuid].append(Slice(packet))
        test.assertFalse(any(open_slices.values()), "each slice has an end")
        test.assertEqual(set(begins), set(ends), "each flow has two ends")
        for flow, packet in begins.items():
            test.assertLessEqual(packet.timestamp, ends[flow].timestamp)
        self.flows = [(begins[flow], ends[flow]) for flow in begins]
        self.check_stacks(test)

    def check_stacks(self, test):
        """A task that runs on a worker is within something that the worker runs."""
        workers = {int(re.match(r"worker (\d+)", self.tracks[uuid].name)[1]): uuid for uuid in self.workers()}
        for uuid in self.named("stack "):
            for each in self.slices[uuid]:
                test.assertEqual(each.depth, 0)
                if each.category != "task":
                    continue
                runs = [one for one in self.slices[workers[int(each.name.split()[-1])]] if one.category == "task"]
                test.assertTrue(any(one.begin <= each.begin and each.end <= one.end for one in runs), each.name)

    def named(self, begins):
        return [uuid for uuid, track in self.tracks.items() if track.name.startswith(begins)]

    def workers(self):
        return [uuid for uuid, track in self.tracks.items() if track.HasField("thread")]

    def of_workers(self, category):
        return [each for uuid in self.workers() for each in self.slices[uuid] + self.instants[uuid]
                if each.category == category]


class TimelineTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def start(self, how, **environment):
        inherited = {name: value for name, value in os.environ.items() if not name.startswith(("JACKDAW_", "HWLOC_"))}
        return subprocess.run([PROGRAM, how], cwd=self.folder, env=inherited | environment, capture_output=True,
                              text=True, check=False, timeout=100)

    def succeed(self, how, **environment):
        ended = self.start(how, **environment)
        self.assertEqual((ended.returncode, ended.stderr), (0, ""))
        return ended.stdout

    def names(self):
        return sorted(path.name for path in self.folder.iterdir())

    def read(self, name="a.trace"):
        return Timeline(self, self.folder / name)


class Tracks(TimelineTest):
    def counted(self, how):
        said = self.succeed(how, JACKDAW_TRACE="a.trace", JACKDAW_SCHEDULER="random",
                            HWLOC_SYNTHETIC="pack:2 core:2 pu:1")
        found = re.fullmatch(r"workers (\d+) steals (\d+) suspensions (\d+)\n", said)
        return tuple(int(each) for each in found.groups())

    def test_steals_and_suspensions_are_those_that_the_runtime_counts(self):
        for how in ("steals", "many"):
            with self.subTest(how):
                workers, steals, suspensions = self.counted(how)
                shown = self.read()
                self.assertEqual(len(shown.workers()), workers)
                stolen = [each for each in shown.of_workers("flow") if each.name.startswith("stolen by worker ")]
                self.assertEqual(len(stolen), steals)
                waits = [each for uuid in shown.named("stack ") for each in shown.slices[uuid] if each.name == "waits"]
                self.assertEqual(len(waits), suspensions)
                self.assertGreater(suspensions, 0)

    def test_a_flow_leads_from_the_victim_to_the_thief(self):
        self.counted("steals")
        shown = self.read()
        names = {uuid: shown.tracks[uuid].name.split(" (")[0] for uuid in shown.workers()}
        thefts = [(a, b) for a, b in shown.flows if a.track_event.name.startswith("stolen by ")]
        self.assertGreaterEqual(len(thefts), 20)
        for victim, thief in thefts:
            self.assertEqual(victim.track_event.name, "stolen by " + names[thief.track_event.track_uuid])
            origin = [each.string_value for each in thief.track_event.debug_annotations if each.name == "from"]
            self.assertEqual(origin, ["deque of " + names[victim.track_event.track_uuid]])

    def test_a_flow_leads_to_where_a_waiting_task_resumes(self):
        self.counted("steals")
        shown = self.read()
        resumptions = [(a, b) for a, b in shown.flows if a.track_event.name == "ready"]
        self.assertGreater(len(resumptions), 0)
        for ready, resumed in resumptions:
            self.assertEqual(resumed.track_event.name, "task resumes")
            stacks = [each.uint_value for event in (ready, resumed) for each in event.track_event.debug_annotations
                      if each.name == "stack"]
            self.assertEqual(stacks[0], stacks[1])

    def test_roots_and_threads(self):
        self.counted("steals")
        shown = self.read()
        roots = [each for uuid in shown.named("roots") for each in shown.slices[uuid] if each.name == "root"]
        self.assertEqual(len(roots) % 20, 0)
        self.assertGreater(len(roots), 0)
        self.assertEqual(len([each for each in shown.of_workers("task") if each.name == "root"]), len(roots))
        threads = [shown.tracks[uuid].thread for uuid in shown.workers()]
        self.assertEqual(len({each.tid for each in threads}), 2)
        self.assertEqual(len({each.pid for each in threads}), 1)
        process = [track for track in shown.tracks.values() if track.HasField("process")]
        self.assertEqual([(each.process.pid, each.process.process_name) for each in process],
                         [(threads[0].pid, Path(PROGRAM).name[:15])])

    def test_sleep_is_within_a_search(self):
        self.counted("steals")
        for uuid in (shown := self.read()).workers():
            for each in shown.slices[uuid]:
                self.assertEqual(each.depth, 1 if each.name == "sleep" else 0)

    def test_iterations_are_within_regions_within_roots(self):
        self.succeed("regions", JACKDAW_TRACE="a.trace")
        shown = self.read()
        seen = [(each.name, each.depth, each.values.get("iteration")) for uuid in shown.named("roots")
                for each in shown.slices[uuid]]
        expected = [("root", 0, None)]
        for number in (1, 2, 3):
            expected += [("region sweep", 1, None), ("iteration of sweep", 2, number)]
        self.assertEqual(seen, expected)

    def test_decisions_have_their_values(self):
        # CAB notes an iteration's boundary when the next one begins.
        self.succeed("decisions", JACKDAW_TRACE="a.trace", JACKDAW_EVENTS="events",
                     HWLOC_SYNTHETIC="pack:2 core:2 pu:1")
        noted = [line.split()[-2:] for line in (self.folder / "events").read_text().splitlines() if " decide " in line]
        self.assertGreater(len(noted), 0)
        shown = self.read()
        marked = [[each.name, str(each.values["value"])] for uuid in shown.named("scheduler cab")
                  for each in shown.instants[uuid]]
        self.assertEqual(marked, noted)


class Files(TimelineTest):
    def test_without_the_variable_nothing_is_written(self):
        self.succeed("default")
        self.assertEqual(self.names(), [])

    def test_the_default_runtime_is_written_at_exit(self):
        self.succeed("default", JACKDAW_TRACE="a.trace")
        self.assertEqual(self.names(), ["a.trace"])
        self.read()

    def test_each_runtime_has_a_file_and_they_can_be_joined(self):
        self.succeed("two", JACKDAW_TRACE="a.trace")
        self.assertEqual(self.names(), ["a.trace", "a.trace.2"])
        first, second = self.read(), self.read("a.trace.2")
        self.assertFalse(set(first.tracks) & set(second.tracks))

    def test_the_option_goes_first(self):
        self.succeed("option", JACKDAW_TRACE="a.trace")
        self.assertEqual(self.names(), ["by_option.trace"])

    def test_exit_in_a_task_writes_what_has_not_ended(self):
        self.succeed("inside", JACKDAW_TRACE="a.trace", JACKDAW_WORKERS="2")
        shown = self.read()
        self.assertTrue(any(each.cut for each in shown.of_workers("task")))

    def test_the_child_of_a_fork_writes_nothing(self):
        # The child leaves the parent's runtime as it is, which AddressSanitizer would call a leak.
        self.succeed("fork", JACKDAW_TRACE="a.trace", ASAN_OPTIONS="detect_leaks=0")
        self.assertEqual(self.names(), ["a.trace"])
        self.assertEqual(len([each for each in self.read().of_workers("task") if each.name == "root"]), 1)

    def test_a_child_that_is_forked_before_any_runtime_starts_has_a_file_of_its_own(self):
        child = int(self.succeed("early", JACKDAW_TRACE="a.trace"))
        self.assertEqual(self.names(), ["a.trace", f"a.trace.{child}"])
        self.assertEqual([int(self.read(name).trace.packet[1].track_descriptor.process.pid == child)
                          for name in self.names()], [0, 1])

    def test_a_pipe_without_a_reader(self):
        os.mkfifo(self.folder / "pipe")
        self.refused("pipe", "no process reads this pipe")

    def test_a_pipe_with_a_reader(self):
        os.mkfifo(self.folder / "pipe")
        with subprocess.Popen(["cat", "pipe"], cwd=self.folder, stdout=subprocess.PIPE) as reader:
            deadline = time.monotonic() + 30
            while self.start("default", JACKDAW_TRACE="pipe").stderr != "":  # it has not opened it yet
                self.assertLess(time.monotonic(), deadline)
            (self.folder / "a.trace").write_bytes(reader.communicate(timeout=30)[0])
        self.read()

    def test_two_records_in_one_file(self):
        (self.folder / "link").symlink_to("a.trace")
        for first in ("JACKDAW_STATS", "JACKDAW_EVENTS", "JACKDAW_RECORD"):
            with self.subTest(first):
                ended = self.start("default", JACKDAW_TRACE="a.trace", **{first: "./link"})
                self.assertEqual(ended.returncode, 0)
                said = {"JACKDAW_STATS", "JACKDAW_EVENTS", "JACKDAW_RECORD", "JACKDAW_TRACE"} & set(
                    re.findall(r"JACKDAW_[A-Z]+", ended.stderr))
                self.assertEqual(said, {first, "JACKDAW_TRACE"}, ended.stderr)
                self.assertEqual(ended.stderr.count("is the file of"), 1)
                if first != "JACKDAW_STATS":  # whose library this program does not find
                    self.assertEqual(ended.stderr.count("\n"), 1)

    def refused(self, path, said):
        ended = self.start("default", JACKDAW_TRACE=path)
        self.assertEqual(ended.returncode, 0)
        self.assertRegex(ended.stderr, r"\Ajackdaw: JACKDAW_TRACE: .*; the variable is ignored\n\Z")
        self.assertIn(said, ended.stderr)

    def test_a_path_that_cannot_be_written_is_ignored_with_a_line_at_the_start(self):
        (self.folder / "folder").mkdir()
        for path, said in (("none/a", "none"), ("folder", "folder"),
                           ("/proc/none", "cannot be written"), ("/proc/self/status", "cannot be written")):
            with self.subTest(path):
                self.refused(path, said)

    def test_a_file_that_is_there_stays_whole(self):
        (self.folder / "a.trace").write_text("before")
        self.succeed("default", JACKDAW_TRACE="a.trace")
        self.read()
        self.assertTrue(stat.S_ISREG((self.folder / "a.trace").stat().st_mode))


class Observers(TimelineTest):
    def test_a_programs_own_observer_sees_the_same(self):
        self.assertEqual(self.succeed("observer"), "region by hand\nwhole turns\n")

    def test_both_may_look(self):
        self.assertEqual(self.succeed("observer", JACKDAW_TRACE="a.trace"), "region by hand\nwhole turns\n")
        self.assertEqual(self.names(), ["a.trace"])
        self.read()


if __name__ == "__main__":
    unittest.main()
