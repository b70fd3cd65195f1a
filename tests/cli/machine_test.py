"""`jackdaw machine`: check, list and here."""

import os
import unittest

from program import ProgramTest

PLATFORMS = {"opteron-8380": 16, "xeon-x7560": 32, "xeon-gold-6130": 64, "knl-snc4": 64, "knl-quadrant": 64,
             "knl-cache": 64, "xeon-e5-2620": 12, "epyc-nps4": 64, "epyc-nps1": 64, "xeon-max-9480": 112,
             "xeon-max-cache": 112, "xeon-cxl": 64}


class Machine(ProgramTest):
    def write(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return path

    def variant(self, name="variant.toml", change=""):
        return self.write(name, 'name = "variant"\ndescription = "what if"\nextends = "xeon-gold-6130"\n' + change)

    def test_list(self):
        text = self.succeed("machine", "list").stdout
        self.assertEqual({line.split()[0] for line in text.splitlines()}, set(PLATFORMS))

    def test_list_shows_the_users_folder(self):
        self.variant("mine.toml")
        text = self.succeed("machine", "list", JACKDAW_MACHINES=str(self.folder)).stdout
        self.assertIn("mine            what if", text)
        self.assertEqual(self.succeed("machine", "check", "mine", JACKDAW_MACHINES=str(self.folder)).stderr, "")

    def test_check_shows_every_shipped_machine_on_one_screen(self):
        for name, cores in PLATFORMS.items():
            text = self.succeed("machine", "check", name).stdout
            sockets, each = [int(line.split()[at]) for line in text.splitlines() if line.startswith("cores ")
                             for at in (1, 4)]
            self.assertEqual(sockets * each, cores, name)
            self.assertLessEqual(text.count("\n"), 24, name)
            self.assertRegex(text, r"figures +\d+ paper, \d+ datasheet, \d+ measured, \d+ assumed")

    def test_check_shows_what_a_variant_changes(self):
        self.variant(change='[set]\n"link.bandwidth" = { times = 0.5, from = "assumed", note = "half" }\n')
        text = self.succeed("machine", "check", "variant.toml", "xeon-gold-6130").stdout
        self.assertIn("0-1 0-2 0-3 1-2 1-3 2-3: 8.5 GB/s each way", text)
        self.assertIn("0-1 0-2 0-3 1-2 1-3 2-3: 17 GB/s each way", text)

    def test_check_prints_json_for_programs(self):
        found = self.succeed_json("machine", "check", "xeon-e5-2620")
        self.assertEqual((found["name"], found["sockets"], found["cores_per_socket"]), ("xeon-e5-2620", 2, 6))
        self.assertEqual([node["latency_ns"] for node in found["nodes"]], [[76, 124], [124, 76]])
        self.assertEqual([node["core_rate"] for node in found["nodes"]], [[11, 7], [7, 11]])
        self.assertEqual(found["cost_ns"]["steal_local"], 170)
        self.refuse("machine", "check", "xeon-e5-2620", "epyc-nps4", "--json", says="--json: several machines")
        self.refuse("machine", "check", "nosuch", "--json", says="unknown machine 'nosuch'")

    def test_check_shows_what_caches_hold_together(self):
        text = self.succeed("machine", "check", "epyc-nps1").stdout
        self.assertIn("; exclusive; one for 8 cores\nclean lines   from neighbours\n", text)
        self.variant(change='[shared_cache]\npolicy = { fill = "inclusive", from = "assumed", note = "what if" }\n')
        self.assertIn("260 GB/s in all; inclusive\nclean lines   from the shared cache",
                      self.succeed("machine", "check", "variant.toml").stdout)
        self.variant(change='[shared_cache]\npolicy = { fill = "victm", from = "assumed", note = "what if" }\n')
        self.refuse("machine", "check", "variant.toml",
                    says="variant.toml:5: shared_cache.policy: 'victm', expected one of victim inclusive exclusive")

    def test_check_refuses(self):
        self.refuse("machine", says="machine: no subcommand, expected one of check list here bandwidths")
        self.refuse("machine", "chek", says="chek")
        self.refuse("machine", "check", says="FILE is required")
        self.refuse("machine", "check", "abacus", says="unknown machine 'abacus', expected a file's path or one of "
                    + " ".join(sorted(PLATFORMS)))
        self.refuse("machine", "check", "none.toml", says="none.toml: cannot be read, expected a machine file")
        self.write("broken.toml", 'name = "x"\nsockets = \n')
        self.refuse("machine", "check", "broken.toml", says="broken.toml:2: ")
        self.variant(change='local_rate = { gb_per_s = 0, from = "assumed", note = "none" }\n')
        # Nothing about the good file is printed either.
        self.refuse("machine", "check", "xeon-cxl", "variant.toml",
                    says="variant.toml:4: local_rate: 0, expected a number from 0.001")
        self.write("a.toml", 'name = "a"\ndescription = "a"\nextends = "./b.toml"\n')
        self.write("b.toml", 'name = "b"\ndescription = "b"\nextends = "./a.toml"\n')
        self.refuse("machine", "check", "a.toml", says="b.toml:3: extends: a cycle a.toml -> ./b.toml -> a.toml")
        self.refuse("machine", "list", JACKDAW_MACHINES="nowhere",
                    says="JACKDAW_MACHINES: 'nowhere', expected a folder of machine files")

    def test_here_measures_and_writes_a_readable_file(self):
        self.succeed("machine", "here", "-o", "mine.toml")
        self.assertEqual(os.listdir(self.folder), ["mine.toml"])
        text = self.succeed("machine", "check", "mine.toml").stdout
        self.assertTrue(text.startswith("mine "))
        written = (self.folder / "mine.toml").read_text()
        for key in ("compute_rate", "local_rate", "spawn"):
            self.assertRegex(written, rf'\n{key} = {{ \w+ = [0-9.]+, from = "measured", note = "\d{{4}}-\d\d-\d\d: ')
        self.refuse("machine", "here", "-o", "mine.toml",
                    says="--output: mine.toml: exists, expected a new file (or --force)")

    def test_here_refuses_before_it_measures(self):
        self.refuse("machine", "here", "-o", "no/where.toml", says="--output: 'no/where.toml' cannot be written")
        self.refuse("machine", "here", "-o", ".", says="--output: '.' cannot be written: Is a directory")
        self.refuse("machine", "here", "-o", "mine.toml", HWLOC_SYNTHETIC="core:2 pu:1",
                    says="HWLOC_SYNTHETIC: describes another machine, expected this computer")

    def test_bandwidths_are_measured_and_kept(self):
        ended = self.run_program("machine", "bandwidths", XDG_CACHE_HOME=str(self.folder))
        if ended.returncode == 2:  # the system refuses to bind memory
            self.assertRegex(ended.stderr, r"^jackdaw: node \d+: the system refuses to bind memory to it")
            return
        self.assertRegex(ended.stdout, r"^node \d+ +\d+ MiB/s, measured\n")
        (kept,) = (self.folder / "jackdaw").iterdir()
        self.assertIn(f"kept in {kept}, ", ended.stdout)
        self.assertRegex(kept.read_text(), r"^jackdaw-bandwidths 1\n#.*\n(node \d+ [1-9]\d*\n)+$")

    def test_bandwidths_refuses(self):
        self.refuse("machine", "bandwidths", HWLOC_SYNTHETIC="core:2 pu:1",
                    says="HWLOC_SYNTHETIC: describes another machine, expected this computer")
        self.refuse("machine", "bandwidths", XDG_CACHE_HOME="", HOME="", says="expected one of them to name a folder")

    def test_help_shows_examples(self):
        self.assertIn("Examples:", self.succeed("machine", "--help").stdout)


if __name__ == "__main__":
    unittest.main()
