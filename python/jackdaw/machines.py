"""What a prediction needs to know of a described machine."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Dict, List, Optional

from jackdaw import program


@dataclass(frozen=True)
class Machine:
    """Latencies in ns, rates in GB/s; latencies and rates of a core are means over its pairs of socket and node of the
    same kind of memory as the socket's own."""
    name: str
    sockets: int
    cores: int
    compute_rate: float     # of one core; the reference core is 1
    vector_rate: float
    local_latency: float
    remote_latency: float   # the local one where there is one socket
    core_rate: float        # one core from its own socket's memory
    bandwidth: float        # of all nodes of the fastest kind together
    steal_local: float      # ns
    steal_remote: float
    node_bandwidths: List[float] = field(default_factory=list)
    r_numa: Optional[float] = None  # the prediction paper's Eq. 1, by `jackdaw measure numa`; None: in older models

    def streaming(self, workers: int) -> float:
        """GB/s that this many workers, spread over the sockets, get at most from local memory."""
        return min(self.bandwidth, workers * self.core_rate)

    def remote_victims(self, workers: int) -> float:
        """Part of a thief's victims that are on other sockets, for workers spread evenly and random victims."""
        used = min(workers, self.sockets)
        return (workers - workers / used) / (workers - 1) if workers > 1 and used > 1 else 0.0

    def json(self) -> Dict:
        return asdict(self)


def read(name: str) -> Machine:
    """The machine of a file, or of a name from `jackdaw machine list`. Raises Mistake for one that does not exist."""
    said = program.run_json("machine", "check", name, "--json")
    return of_json(said, program.run_json("measure", "numa", "--machine", name, "--json")["r_numa"])


def ratio_text(machine: Machine) -> str:
    return "not known" if machine.r_numa is None else f"{machine.r_numa:.3g}"


def of_json(said, r_numa=None) -> Machine:
    """From what `jackdaw machine check --json` prints."""
    local, remote, rates, by_kind = [], [], [], {}
    for node in said["nodes"]:
        by_kind.setdefault(node["kind"], []).append(node["bandwidth"])
    main = "dram" if "dram" in by_kind else next(iter(by_kind))
    for node in said["nodes"]:
        if node["kind"] != main:
            continue
        for socket, latency in enumerate(node["latency_ns"]):
            (local if socket == node["socket"] else remote).append(latency)
        rates.append(node["core_rate"][node["socket"]])
    near = sum(local) / len(local)
    return Machine(
        name=said["name"], sockets=said["sockets"], cores=said["sockets"] * said["cores_per_socket"],
        compute_rate=said["compute_rate"], vector_rate=said["vector_rate"], local_latency=near,
        remote_latency=sum(remote) / len(remote) if remote else near, core_rate=sum(rates) / len(rates),
        bandwidth=max(sum(each) for each in by_kind.values()), steal_local=said["cost_ns"]["steal_local"],
        steal_remote=said["cost_ns"]["steal_remote"], node_bandwidths=[node["bandwidth"] for node in said["nodes"]],
        r_numa=r_numa)
