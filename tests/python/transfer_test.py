"""jackdaw predict apply: what carries a model to another machine, against calculations by hand."""

import json
import random
import unittest
from dataclasses import replace
from pathlib import Path

import databases
from jackdaw import machines, model, transfer
from predicting import PredictTest

SMALL = machines.Machine(name="small", sockets=2, cores=12, compute_rate=0.5, vector_rate=0.5, local_latency=80,
                         remote_latency=120, core_rate=10, bandwidth=80, steal_local=100, steal_remote=500,
                         node_bandwidths=[40, 40])
LARGE = machines.Machine(name="large", sockets=4, cores=64, compute_rate=1, vector_rate=1, local_latency=100,
                         remote_latency=200, core_rate=20, bandwidth=400, steal_local=50, steal_remote=1000,
                         node_bandwidths=[100] * 4)


class Scales(unittest.TestCase):
    def test_the_intercept_goes_by_what_the_workers_did(self):
        shares = {"computing": 0.6, "memory": 0.3, "overhead": 0.06, "idle": 0.04}
        scales = transfer.intercept_scales(SMALL, LARGE, 12, 64, shares)
        self.assertAlmostEqual(scales["computing"], 12 * 0.5 / 64)      # 0.09375
        self.assertAlmostEqual(scales["memory"], 80 / 400)              # 12 cores want 120 GB/s, 64 want 1280
        self.assertAlmostEqual(scales["used"], 0.66 * 0.09375 + 0.3 * 0.2 + 0.04 * 0.5)
        self.assertNotIn("idle", scales)
        wide = transfer.intercept_scales(SMALL, replace(LARGE, vector_rate=4), 12, 64, shares)
        self.assertAlmostEqual(wide["vector"], 12 * 0.5 / (64 * 4))
        self.assertEqual(wide["used"], scales["used"])
        scales = transfer.intercept_scales(SMALL, LARGE, 2, 4, dict(shares, memory=0.2, idle=0.14))
        self.assertAlmostEqual(scales["memory"], 20 / 80)               # too few workers to use the bandwidth
        self.assertAlmostEqual(scales["idle"], 0.5)
        scales = transfer.intercept_scales(SMALL, LARGE, 12, 64, None)
        self.assertEqual(scales["used"], scales["computing"])

    def test_the_part_of_victims_that_are_remote(self):
        self.assertAlmostEqual(SMALL.remote_victims(12), 6 / 11)
        self.assertAlmostEqual(LARGE.remote_victims(64), 48 / 63)
        self.assertEqual(LARGE.remote_victims(2), 1)
        self.assertEqual(LARGE.remote_victims(1), 0)
        self.assertEqual(replace(LARGE, sockets=1).remote_victims(64), 0)

    def test_latencies_are_of_the_nodes_of_the_main_kind(self):
        nodes = [{"socket": at, "kind": kind, "bandwidth": wide, "latency_ns": latencies, "core_rate": [9, 9]}
                 for at, kind, wide, latencies in ((0, "dram", 50, [80, 130]), (1, "dram", 50, [150, 100]),
                                                   (0, "hbm", 300, [120, 170]))]
        found = machines.of_json({"name": "m", "sockets": 2, "cores_per_socket": 3, "compute_rate": 1, "vector_rate": 2,
                                  "nodes": nodes, "links": [], "cost_ns": {"steal_local": 1, "steal_remote": 2}})
        self.assertEqual((found.local_latency, found.remote_latency), (90, 140))
        self.assertEqual((found.cores, found.bandwidth), (6, 300))


class Ratio(PredictTest):
    def test_r_numa_is_the_programs(self):
        """The mean of each socket's ratio, which is not the ratio of the means where sockets differ."""
        plain = Path(__file__).resolve().parents[2] / "machines" / "xeon-e5-2620.toml"
        text = plain.read_text(encoding="utf-8")
        node = text[text.index("[[node]]"):text.index("[[link]]")]
        (self.folder / "uneven.toml").write_text(text.replace(node, "".join(
            node.replace("socket = [0, 1]", f"socket = {socket}").replace("ns = 76,", f"ns = {ns},")
            for socket, ns in ((0, 60), (1, 120)))), encoding="utf-8")
        found = machines.read(str(self.folder / "uneven.toml"))
        self.assertAlmostEqual(found.r_numa, ((120 + 48) / 60 + (60 + 48) / 120) / 2)

    def test_models_of_older_versions_do_not_know_it(self):
        older = {name: value for name, value in SMALL.json().items() if name != "r_numa"}
        self.assertEqual(machines.ratio_text(machines.Machine(**older)), "not known")


class Apply(PredictTest):
    def fitted(self, *arguments, slope=20, noise=0.0, **of):
        chance = random.Random(1)
        remote = [chance.randrange(20, 60) for _ in range(40)]
        self.simulated([1000 + slope * each + chance.gauss(0, noise) for each in remote], remote, **of)
        self.succeed("fit", self.path, "-o", self.folder / "m.json", *arguments)
        return self.folder / "m.json", sum(remote) / len(remote)

    def ask(self, *arguments):
        return json.loads(self.succeed("apply", *arguments, "--json"))

    def test_its_own_machine_gets_the_mean(self):
        path, mean = self.fitted(noise=5)
        found = self.ask(path, "--machine", "xeon-e5-2620", "--no-simulate")
        self.assertEqual(found["intercept_scales"]["computing"], 1)
        self.assertAlmostEqual(found["regressors"]["remote_steals"], mean)
        self.assertAlmostEqual(found["predicted"]["paper"]["ns"], 1000 + 20 * mean, delta=5)
        self.assertTrue(5 < found["predicted"]["paper"]["high"] - found["predicted"]["paper"]["ns"] < 15)

    def test_another_machine_by_hand(self):
        path, mean = self.fitted()
        trained, there = machines.read("xeon-e5-2620"), machines.read("xeon-gold-6130")
        self.assertEqual((trained.sockets, trained.cores, there.sockets, there.cores), (2, 12, 4, 64))
        found = self.ask(path, "--machine", "xeon-gold-6130", "--no-simulate")
        steals = mean * (64 / 12) * (48 / 63) / (6 / 11)
        self.assertAlmostEqual(found["regressors"]["remote_steals"], steals)
        computing = 12 * trained.compute_rate / (64 * there.compute_rate)
        vector = 12 * trained.vector_rate / (64 * there.vector_rate)
        memory = min(trained.bandwidth, 12 * trained.core_rate) / min(there.bandwidth, 64 * there.core_rate)
        intercept = 0.66 * computing + 0.3 * memory + 0.04 * trained.compute_rate / there.compute_rate
        latency = there.remote_latency / trained.remote_latency
        predicted = found["predicted"]["paper"]
        self.assertAlmostEqual(predicted["ns"], 1000 * intercept + 20 * latency * steals, places=3)
        costs = there.steal_remote / trained.steal_remote
        for bound, of in (("low", min), ("high", max)):
            self.assertAlmostEqual(predicted[bound], 1000 * of(computing, vector, memory)
                                   + 20 * of(latency, costs) * steals, 3)
        self.assertIn("outside of", " ".join(found["doubts"]))
        text = self.succeed("apply", path, "--machine", "xeon-gold-6130", "--no-simulate")
        self.assertIn("assumed:", text)
        self.assertIn("remote latency of 124 to 145 ns", text)

    def test_the_simulator_stands_beside_it_and_gives_the_steals(self):
        path, _ = self.fitted()
        found = self.ask(path, "--machine", "epyc-nps4", "--workers", 16, "--seeds", 3)
        self.assertEqual(found["simulated"]["seeds"], 3)
        self.assertTrue(0 < found["simulated"]["min_ns"] <= found["simulated"]["ns"] <= found["simulated"]["max_ns"])
        self.assertEqual(found["regressors_from"], "the simulator's means")
        self.assertIn("paper", found["predicted"])

    def test_runs_there_are_used_and_shown(self):
        path, _ = self.fitted()
        there = self.folder / "there.db"
        self.path = there
        self.simulated([500.0, 600.0, 700.0], [30, 40, 50], machine="epyc-nps4")
        databases.execute(there, "UPDATE simulated_run SET workers = 64")
        found = self.ask(path, "--machine", "epyc-nps4", "--no-simulate", "--runs", there)
        self.assertEqual((found["regressors"]["remote_steals"], found["measured_ns"]), (40, 600))
        self.refuse("apply", path, "--machine", "xeon-max-9480", "--no-simulate", "--runs", there,
                    says="no runs with --machine xeon-max-9480")

    def test_a_program_that_cannot_be_simulated_is_told(self):
        path, _ = self.fitted(program="mine", trace="/no/such.trace")
        found = self.ask(path, "--machine", "epyc-nps4")
        self.assertIsNone(found["simulated"])
        self.assertIn("/no/such.trace", found["not_simulated"])
        self.refuse("apply", path, "--machine", "epyc-nps4", "--trace", "/not/here", says="/not/here")

    def executed(self, program):
        """A model of 20 recorded executions of a program with this name."""
        chance = random.Random(5)
        databases.create(self.path)
        for at in range(20):
            steals = chance.randrange(20, 60)
            databases.insert(self.path, "execution", id=at + 1, kind="measured", program=program, machine="here",
                             workers=2, scheduler="random", seconds=1e-6 * (100 + steals), jackdaw_version="0.1.0")
            databases.insert(self.path, "execution_worker", execution=at + 1, worker=0, steals_remote=steals,
                             steals_cache=at % 5)
        self.succeed("fit", self.path, "-o", self.folder / "own.json")
        return self.folder / "own.json"

    def test_a_program_with_the_name_of_a_kernel_is_not_that_kernel(self):
        path = self.executed("fib")
        found = self.ask(path, "--machine", "epyc-nps4", "--trained-on", "xeon-e5-2620")
        self.assertIsNone(found["simulated"])
        self.assertIn("--trace FILE", found["not_simulated"])
        told = json.loads(path.read_text(encoding="utf-8"))
        del told["of_kernel"]  # a model that an older version wrote
        path.write_text(json.dumps(told), encoding="utf-8")
        self.assertIsNone(self.ask(path, "--machine", "epyc-nps4", "--trained-on", "xeon-e5-2620")["simulated"])

    def test_names_that_a_shell_would_not_read(self):
        path, _ = self.fitted(program="it's")
        found = self.ask(path, "--machine", "epyc-nps4")
        self.assertIsNone(found["simulated"])
        self.assertIn("it's: no closing quotation", found["not_simulated"])

    def test_a_slope_beyond_a_steals_cost_is_told(self):
        path, _ = self.fitted(slope=50000)
        self.assertIn("more than a steal between sockets costs", " ".join(
            self.ask(path, "--machine", "epyc-nps4", "--no-simulate")["doubts"]))

    def test_a_negative_time_is_told(self):
        path, _ = self.fitted(slope=-15)
        found = self.ask(path, "--machine", "xeon-gold-6130", "--no-simulate")
        self.assertLess(found["predicted"]["paper"]["ns"], 0)
        self.assertIn("the regression predicts less than no time: it does not hold there.", found["doubts"])

    def test_a_swept_machine_is_not_the_files(self):
        path, _ = self.fitted(sweep_key="link.bandwidth")
        self.refuse("apply", path, "--machine", "epyc-nps4", says="no description; expected --trained-on FILE")
        self.ask(path, "--machine", "epyc-nps4", "--no-simulate", "--trained-on", "xeon-e5-2620")

    def test_bad_input_is_one_line(self):
        path, _ = self.fitted()
        self.refuse("apply", path, "--machine", "nosuch", says="unknown machine 'nosuch', expected")
        self.refuse("apply", path, says="--machine")
        self.refuse("apply", path, "--machine", "epyc-nps4", "--workers", 65, says="--workers: 65, expected at most 64")
        self.refuse("apply", path, "--machine", "epyc-nps4", "--workers", 0, says="--workers")
        self.refuse("apply", self.folder / "no.json", "--machine", "epyc-nps4", says="no.json: No such file")
        for text, says in (("", "bad.json:1: not JSON"), ("[1]", "bad.json: not a model"), ("{}", "not a model"),
                           ('{"format": "jackdaw-model", "version": 2}', "a model of version 2, expected version 1"),
                           ('{"format": "jackdaw-model", "version": 1}', "bad.json: a model without 'paper'")):
            (self.folder / "bad.json").write_text(text, encoding="utf-8")
            self.refuse("apply", self.folder / "bad.json", "--machine", "epyc-nps4", says=says)
        whole = json.loads(path.read_text(encoding="utf-8"))
        for key in whole:
            if key not in ("format", "version", "machine", "paper", "extended", "shares"):
                part = {name: value for name, value in whole.items() if name != key}
                (self.folder / "bad.json").write_text(json.dumps(part), encoding="utf-8")
                if key in ("runs", "source", "same", "notes", "means", "doubts", "trace"):
                    self.refuse("apply", self.folder / "bad.json", "--machine", "epyc-nps4", says=f"'{key}'")

    def test_a_model_is_read_as_it_was_written(self):
        path, _ = self.fitted(noise=9)
        again = model.read(str(path))
        self.assertEqual(again.text(), path.read_text(encoding="utf-8"))


if __name__ == "__main__":
    unittest.main()
