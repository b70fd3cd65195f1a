"""`jackdaw doctor`, on this computer and on described ones."""

import json
import os
import subprocess
import unittest

from program import PROGRAM, ProgramTest


class Doctor(ProgramTest):
    def test_this_computer(self):
        told = self.succeed_json("doctor")
        self.assertEqual(told["machine"]["source"], "this computer")
        usable = {cpu["os_index"] for cpu in told["machine"]["cpus"] if cpu["usable"]}
        self.assertEqual(usable, os.sched_getaffinity(0))
        self.assertEqual(len(told["workers"]["places"]), told["workers"]["count"])
        self.assertEqual([check["name"] for check in told["system"]],
                         ["membarrier", "hardware counters", "move_pages", "mbind", "weighted interleaving",
                          "memory placement", "first touches", "address samples", "page hotness",
                          "transparent huge pages", "NUMA balancing"])
        for check in told["system"]:
            self.assertIn(check["state"], ("good", "notice", "missing"))
            self.assertNotEqual(check["found"], "")

    def test_a_computer_that_does_not_show_sys(self):
        hidden = ("unshare", "--mount", "sh", "-c", 'mount -t tmpfs none /sys && exec "$@"', "sh")
        if subprocess.run((*hidden, "true"), capture_output=True, check=False).returncode != 0:
            self.skipTest("/sys cannot be hidden here")
        ended = subprocess.run((*hidden, PROGRAM, "doctor", "--json"), capture_output=True, text=True, check=False)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        told = json.loads(ended.stdout)
        self.assertGreaterEqual(told["workers"]["count"], 1)
        self.assertEqual({cpu["os_index"] for cpu in told["machine"]["cpus"] if cpu["usable"]}, os.sched_getaffinity(0))

    def test_counters_work_or_give_a_reason(self):
        told = self.succeed_json("doctor")
        counters = told["counters"]
        check = next(check for check in told["system"] if check["name"] == "hardware counters")
        self.assertEqual(check["state"], "good" if counters["available"] else "missing")
        self.assertEqual(counters["because"] == "", counters["available"])
        self.assertEqual(check["fix"], counters["fix"])
        self.assertIn(counters["because"], check["found"])
        self.assertEqual(counters["pmu"] is None, counters["miss_events"] == [])
        if not counters["available"]:
            self.assertIn(f"hardware counters: {counters['fix']}" if counters["fix"] else "missing  hardware counters",
                          self.succeed("doctor").stdout)

    @unittest.skipUnless(os.uname().machine == "x86_64", "libpfm4 knows other processors here")
    def test_counters_of_other_processors(self):
        nehalem = self.succeed_json("doctor", LIBPFM_FORCE_PMU="nhm_ex")["counters"]
        self.assertEqual((nehalem["pmu"], nehalem["cache"]), ("nhm_ex", "L2"))
        self.assertEqual(nehalem["miss_events"], [{"name": "L2_LINES_IN:ANY", "type": 4, "config": "0x7f1"}])
        zen = self.succeed_json("doctor", LIBPFM_FORCE_PMU="amd64_fam19h_zen3")["counters"]
        self.assertEqual([event["config"] for event in zen["miss_events"]], ["0x964", "0xff71", "0xff72"])

    @unittest.skipUnless(os.uname().machine == "x86_64", "libpfm4 knows other processors here")
    def test_an_unknown_processor_gets_no_substitute_event(self):
        shared_l2 = self.succeed_json("doctor", LIBPFM_FORCE_PMU="knl")["counters"]
        self.assertEqual((shared_l2["available"], shared_l2["pmu"], shared_l2["miss_events"]), (False, None, []))
        self.assertIn("(libpfm4: knl)", shared_l2["because"])
        unknown = self.succeed("doctor", LIBPFM_FORCE_PMU="no_such_processor").stdout
        self.assertIn("missing  hardware counters      libpfm4 does not know this processor", unknown)
        self.assertIn("hardware counters: build jackdaw with a newer libpfm4", unknown)

    def test_text_names_every_part(self):
        text = self.succeed("doctor").stdout
        for part in ("machine", "caches", "memory", "CPUs", "workers", "membarrier", "mbind", "NUMA balancing"):
            self.assertIn(part, text)
        self.assertLessEqual(max(map(len, text.splitlines())), 200)

    def test_memory_that_can_be_placed(self):
        told = self.succeed_json("doctor")
        checks = {check["name"]: check for check in told["system"]}
        if checks["mbind"]["state"] == "good":
            allowed = [node["os_index"] for node in told["machine"]["nodes"] if node["capacity_bytes"] > 0]
            self.assertIn("by mbind on nodes", checks["memory placement"]["found"])
            self.assertIn(str(allowed[0]), checks["memory placement"]["found"])
        else:
            self.assertIn("by pinned first touch on nodes", checks["memory placement"]["found"])
            self.assertNotEqual(checks["memory placement"]["fix"], "")
        described = self.succeed_json("doctor", HWLOC_SYNTHETIC="package:2 numa:1 core:1 pu:1")
        reach = next(check for check in described["system"] if check["name"] == "memory placement")
        self.assertEqual((reach["state"], reach["found"]),
                         ("notice", "this machine exists only as a description: nothing can be placed"))

    def test_affinity_is_the_reason(self):
        allowed = os.sched_getaffinity(0)
        if len(allowed) < 2:
            self.skipTest("there is one CPU only")
        kept = min(allowed)
        os.sched_setaffinity(0, {kept})
        try:
            told = self.succeed_json("doctor", JACKDAW_PIN="1")
        finally:
            os.sched_setaffinity(0, allowed)
        why = {cpu["os_index"]: cpu["why"] for cpu in told["machine"]["cpus"]}
        self.assertEqual(why[kept], "usable")
        for cpu in allowed - {kept}:
            self.assertEqual(why[cpu], "left out by the affinity mask")
        self.assertEqual([place["os_cpu"] for place in told["workers"]["places"]], [kept])

    def test_eight_packages_on_a_laptop(self):
        told = self.succeed_json("doctor", HWLOC_SYNTHETIC="package:8 l3:1 core:2 pu:2")
        self.assertEqual(len(told["machine"]["packages"]), 8)
        self.assertEqual([place["package"] for place in told["workers"]["places"]],
                         [package for package in range(8) for _ in range(2)])
        self.assertFalse(told["workers"]["pinned"])
        self.assertEqual(told["workers"]["not_pinned_because"], "the machine is described by HWLOC_SYNTHETIC")

    def test_cpu_less_memory(self):
        file = os.path.join(os.path.dirname(__file__), "../machine/data/four-sockets-with-hbm.xml")
        told = self.succeed_json("doctor", HWLOC_XMLFILE=os.path.abspath(file))
        nodes = told["machine"]["nodes"]
        self.assertEqual([node["cpu_less"] for node in nodes], [False] * 4 + [True] * 4)
        self.assertEqual(nodes[4]["bandwidth_mib_per_s"], 115000)
        self.assertEqual(told["machine"]["distances"][0][4], 31)
        self.assertEqual(told["machine"]["distances_source"], "firmware")
        text = self.succeed("doctor", HWLOC_XMLFILE=os.path.abspath(file)).stdout
        self.assertIn("node 4: 512 MiB, no CPU, nearest to CPUs 0-1, 115000 MiB/s, 155 ns", text)
        self.assertIn("from node   0:  10  21  26  21  31  41  41  41", text)

    def test_types_of_cores(self):
        file = os.path.abspath(os.path.join(os.path.dirname(__file__), "../machine/data/two-kinds-of-cores.xml"))
        machine = self.succeed_json("doctor", HWLOC_XMLFILE=file)["machine"]
        self.assertEqual([kind["name"] for kind in machine["core_types"]], ["IntelAtom", "IntelCore"])
        self.assertEqual([core["type"] for core in machine["cores"]], [1, 1, 0, 0, 0, 0])
        text = self.succeed("doctor", HWLOC_XMLFILE=file).stdout
        self.assertIn("0 (IntelAtom): cores 2-5", text)
        self.assertIn("1 (IntelCore): cores 0-1", text)
        self.assertNotIn("core types", self.succeed("doctor", HWLOC_SYNTHETIC="package:2 core:2 pu:1").stdout)

    def test_reports_what_determined_the_number_of_workers(self):
        many = len(os.sched_getaffinity(0)) + 1
        told = self.succeed_json("doctor", JACKDAW_WORKERS=str(many))
        self.assertEqual(told["workers"]["count"], many)
        self.assertEqual(told["workers"]["because"], f"JACKDAW_WORKERS={many}")
        self.assertEqual(told["workers"]["not_pinned_because"], "more workers than usable CPUs")


if __name__ == "__main__":
    unittest.main()
