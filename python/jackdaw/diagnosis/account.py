"""Where the workers' time went, and what their bytes cost: the quantities that all rules share.

All shares are of the capacity: workers times wall time. What was not observed is estimated with the constants below,
which are those of a server of about 2020 (`machines/*.toml` has the figures of single ones); `memory_is_estimated` and
`overhead_is_estimated` tell.
"""

from collections import defaultdict
from typing import Dict, Optional, Set, Tuple

from ..execution import Array, Execution

CORE_RATE = 10.0           # bytes in a ns that one core can read from its own node
REMOTE_FACTOR = 1.6        # how much longer a byte from another node takes
NODE_BANDWIDTH = 40e9      # bytes in a second, where a node's bandwidth is not known
CACHED = 1 << 20           # an array up to here stays in a core's own caches; no file has the size of a machine's
IMPOSSIBLE = 1.1           # a node's bytes in the time, to its bandwidth: more cannot have come from it
CACHE_RATE = 200.0         # bytes in a ns that no core exceeds, not even from its first cache
STEAL_NS = {"steals_core": 200, "steals_cache": 300, "steals_package": 500, "steals_remote": 800}
DESCRIBED_PROCESSORS = 2   # that run the workers of a machine which is only described; its time is not that machine's
PLACED_NS = 500            # to make a task of the upper tier and to hand it over
LINE = 64
WAKE_NS = 100e3           # to wake a worker takes up to that; the kernel counts it as being without a processor


class Account:
    def __init__(self, one: Execution):
        self.of = one
        workers = one.workers
        self.count = max(len(workers), 1)
        self.wall = max(one.seconds * 1e9, 1.0)
        self.busy_ns = sum(each.busy_ns for each in workers)
        self.idle_ns = sum(each.search_ns + each.sleep_ns for each in workers)
        self.capacity = max(self.count * self.wall, self.busy_ns + self.idle_ns, 1.0)
        self.busy = self.busy_ns / self.capacity
        timed = bool(workers) and all(None not in (each.awake_ns, each.cpu_ns, each.ready_ns) for each in workers)
        # Of the workers' threads, also while no root was under way. None: not known.
        self.awake_ns = sum(each.awake_ns for each in workers) if timed else None
        self.cpu_ns = sum(each.cpu_ns for each in workers) if timed else None
        self.lost_ns = sum(each.ready_ns for each in workers) if timed else None  # awake without a processor
        # Of these: other threads had it, at least. And what tasks spent without computing or being kept from one.
        self.kept_ns = max(self.lost_ns - WAKE_NS * sum(each.sleeps for each in workers), 0.0) if timed else 0.0
        self.blocked_ns = max(self.awake_ns - self.cpu_ns - self.lost_ns, 0.0) if timed else 0.0
        self.idle = self.idle_ns / self.capacity
        self.home = {each.worker: each.node for each in workers}
        self.package = {each.worker: each.package for each in workers}
        self.cache = {each.worker: each.cache for each in workers}
        self.core = {each.worker: each.core for each in workers}
        self.homes = sorted(set(self.home.values()))
        self.packages = sorted(set(self.package.values()))
        self.node_package = {each.node: each.package for each in one.nodes}
        for each in workers:
            if self.node_package.get(each.node) is None:
                self.node_package[each.node] = each.package
        self.steals = sum(each.steals() for each in workers)
        self.pieces = sum(each.tasks + each.roots for each in workers)
        self.local = sum(each.local_bytes for each in workers)
        self.remote = sum(each.remote_bytes for each in workers)
        self.arrays = {each.array: each for each in one.arrays}
        # A burdened path counts each fork on it as stolen: above the time, most were not.
        burdened = one.burdened_span_ns
        self.burdened_span_ns = burdened if burdened is not None and burdened <= self.wall else None
        self.lies_nowhere = self._lying_nowhere()
        self.traffic = [each for each in one.traffic if each.array not in self.lies_nowhere]
        self.whole_packages = self._counted_by_packages()
        self._sum_traffic()
        self._sum_shares()
        self.is_plausible = all(each.local_bytes + each.remote_bytes <= CACHE_RATE * max(each.busy_ns, 1.0)
                                for each in workers)  # else the busy times are wrong, and no rule may rest on them
        self._charge()

    def is_local(self, worker: int, node: int) -> bool:
        """Whether the node counts as the worker's own: its home; a node of its package without workers (HBM); and any
        node of its package, if that is how the workers' own counts were made."""
        if self.home.get(worker) == node:
            return True
        return ((self.whole_packages or node not in self.homes)
                and self.node_package.get(node) == self.package.get(worker))

    def _counted_by_packages(self) -> bool:
        """Whether `local_bytes` agrees better with traffic within packages than with traffic to the home node."""
        near = {}
        for self.whole_packages in (False, True):
            near[self.whole_packages] = sum(each.bytes for each in self.traffic
                                            if self.is_local(each.worker, each.node))
        return abs(near[True] - self.local) < abs(near[False] - self.local)

    def bandwidth(self, node: int) -> float:
        """Bytes in a second."""
        return next((each.bandwidth for each in self.of.nodes if each.node == node and each.bandwidth), NODE_BANDWIDTH)

    def knows_bandwidths(self) -> bool:
        return bool(self.of.nodes) and all(each.bandwidth for each in self.of.nodes)

    def _sum_traffic(self) -> None:
        self.by_array: Dict[int, int] = defaultdict(int)
        self.remote_by_array: Dict[int, int] = defaultdict(int)
        self.by_array_node: Dict[Tuple[int, int], int] = defaultdict(int)
        self.by_array_worker: Dict[Tuple[int, int], int] = defaultdict(int)
        self.by_worker_node: Dict[Tuple[int, int], int] = defaultdict(int)
        self.by_node: Dict[int, int] = defaultdict(int)
        self.used: Dict[int, int] = defaultdict(int)  # as by_array, with those that lie nowhere
        for each in self.of.traffic:
            self.used[each.array] += each.bytes
        self.crosses_packages = True
        for each in self.traffic:
            self.by_array[each.array] += each.bytes
            self.by_array_node[each.array, each.node] += each.bytes
            self.by_array_worker[each.array, each.worker] += each.bytes
            self.by_worker_node[each.worker, each.node] += each.bytes
            self.by_node[each.node] += each.bytes
            if not self.is_local(each.worker, each.node):
                self.remote_by_array[each.array] += each.bytes
                if self.node_package.get(each.node) == self.package.get(each.worker):
                    self.crosses_packages = False
        if self.local + self.remote == 0 and self.by_array:
            self.remote = sum(self.remote_by_array.values())
            self.local = sum(self.by_array.values()) - self.remote
        self.bytes = self.local + self.remote
        if self.lies_nowhere:  # the workers' own counts take them for local or remote
            self.remote = sum(self.remote_by_array.values())
            self.local = sum(self.by_array.values()) - self.remote
        located = self.local + self.remote
        self.remote_share = self.remote / located if located else 0.0
        self.elsewhere = "another socket" if self.crosses_packages else "another memory node"

    def _sum_shares(self) -> None:
        self.written: Dict[int, int] = defaultdict(int)
        self.used_parts: Dict[int, Dict[int, Dict[int, int]]] = defaultdict(dict)  # array, part, worker: bytes
        for each in self.of.shares:
            self.written[each.array] += each.written
            self.used_parts[each.array].setdefault(each.part, {})[each.worker] = each.bytes

    def is_described(self) -> bool:
        """Whether real threads ran as if on a machine that is only described (HWLOC_SYNTHETIC, HWLOC_XMLFILE)."""
        return not self.of.is_simulated() and self.of.machine_source.startswith("HWLOC_")

    def _lying_nowhere(self) -> Set[int]:
        """Arrays of a machine that is only described of which no first touch is known, as of placed containers: no page
        is on its nodes, and nothing tells where one would be."""
        if not self.is_described():
            return set()
        return {each.array for each in self.of.arrays if each.first_touched_by is None}

    def shares_processors(self) -> bool:
        """Whether several workers may have run on one processor, so that a busy one may have waited for its turn."""
        known = [each.os_cpu for each in self.of.workers if each.os_cpu is not None]
        return not self.of.is_simulated() and self.count > 1 and (self.is_described() or len(set(known)) < len(known))

    def spread(self, array: int) -> Dict[int, float]:
        """Which share of its pages lies on each node; {} if that is not known."""
        if array in self.lies_nowhere:
            return {}
        places = {each.node: each.bytes for each in self.of.places if each.array == array and each.bytes > 0}
        if not places:
            places = {node: count for (which, node), count in self.by_array_node.items() if which == array and count}
        total = sum(places.values())
        return {node: count / total for node, count in places.items()} if total else {}

    def users(self, array: int) -> Dict[int, float]:
        """Which share of its bytes each package uses."""
        sums: Dict[int, float] = defaultdict(float)
        for (which, worker), count in self.by_array_worker.items():
            if which == array and worker in self.package:
                sums[self.package[worker]] += count
        total = sum(sums.values())
        return {package: count / total for package, count in sums.items() if count} if total else {}

    def keeps_to_nodes(self, array: int) -> Optional[float]:
        """The share of its bytes that would be local if each part lay where most of its users are; None: not known."""
        best = total = 0
        for workers in self.used_parts.get(array, {}).values():
            nodes: Dict[int, int] = defaultdict(int)
            for worker, count in workers.items():
                nodes[self.home.get(worker, -1)] += count
            best += max(nodes.values())
            total += sum(nodes.values())
        return best / total if total else None

    def is_cached(self, array: Optional[Array]) -> bool:
        return (not self.of.is_simulated() and array is not None and 0 < array.bytes <= CACHED)

    def from_caches(self) -> bool:
        """Whether a node would have had to give more bytes than it can: most came from caches, and how many did not
        is not known."""
        return self.memory_is_estimated and self.pressure > IMPOSSIBLE

    def undeclared(self) -> Optional[Array]:
        """The largest array that no task declared, if all others together are smaller."""
        unknown = max((each for each in self.of.arrays if each.source == "anonymous"), key=lambda each: each.bytes,
                      default=None)
        declared = sum(each.bytes for each in self.of.arrays if each.source != "anonymous")
        return unknown if unknown is not None and unknown.bytes > declared else None

    def _charge(self) -> None:
        """Estimates what bytes and the runtime's own work take, unless both were observed."""
        workers = self.of.workers
        from_memory: Dict[Tuple[int, int], float] = defaultdict(float)
        for each in self.traffic:
            array = self.arrays.get(each.array)
            count = min(each.bytes, array.bytes) if self.is_cached(array) else each.bytes
            from_memory[each.worker, each.node] += count
        self.node_time: Dict[int, float] = defaultdict(float)  # ns that a node needs for its bytes
        core_ns = 0.0
        for (worker, node), count in from_memory.items():
            factor = 1.0 if self.is_local(worker, node) else REMOTE_FACTOR
            core_ns += count / CORE_RATE * factor
            self.node_time[node] += count / self.bandwidth(node) * 1e9
        self.moved: Dict[int, float] = {  # bytes read from each node and written back to it
            node: count * (1 + self.of.written_back.get(node, 0.0)) for node, count in self.by_node.items()}
        for node, back in self.of.written_back.items():
            if node in self.node_time:
                self.node_time[node] *= 1 + back
        if not from_memory:
            core_ns = (self.local + REMOTE_FACTOR * self.remote) / CORE_RATE
        self.pressure = max(self.node_time.values(), default=0.0) / self.wall  # of the node that is used most

        self.busiest = max(self.node_time, key=self.node_time.get, default=None)
        self.memory_is_estimated = not workers or any(each.memory_ns is None for each in workers)
        if not self.memory_is_estimated:
            self.memory: Optional[float] = sum(each.memory_ns for each in workers) / self.capacity
        elif self.from_caches():
            self.memory = None
        elif self.bytes:
            processors = min(self.count, DESCRIBED_PROCESSORS) if self.is_described() else self.count
            of_time = core_ns / self.wall / processors
            self.memory = min(self.busy if self.is_plausible else 1.0, max(of_time, self.pressure * self.busy))
        else:
            self.memory = None

        self.overhead_is_estimated = not workers or any(each.overhead_ns is None for each in workers)
        if not self.overhead_is_estimated:
            overhead = sum(each.overhead_ns for each in workers)
        else:
            overhead = sum(getattr(each, name) * ns for each in workers for name, ns in STEAL_NS.items())
            overhead += PLACED_NS * max(sum(each.tasks for each in workers) - self.steals, 0)
        self.overhead = min(overhead / self.capacity, self.busy)
