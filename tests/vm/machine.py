"""A virtual machine's description: QEMU's arguments for it, and the machine that a program inside must find."""

import pathlib
import tomllib


class Machine:
    def __init__(self, path):
        described = tomllib.loads(pathlib.Path(path).read_text())
        self.name = pathlib.Path(path).stem
        self.sockets = described["sockets"]
        self.cores = described["cores"]
        self.nodes = described["node"]
        self.distance = described["firmware"]["distance"]
        self.latency_ns = described["firmware"]["latency_ns"]
        self.bandwidth_mib = described["firmware"]["bandwidth_mib"]

    def initiator(self, node):
        """The node whose processors are nearest to this one."""
        return self.nodes[node].get("initiator", node)

    def cpus(self, node):
        """First and last processor of a node, or None."""
        socket = self.nodes[node].get("socket")
        return None if socket is None else (socket * self.cores, (socket + 1) * self.cores - 1)

    def qemu_arguments(self):
        cpus = self.sockets * self.cores
        arguments = ["-machine", "q35,hmat=on", "-m", f"{sum(node['mib'] for node in self.nodes)}M",
                     "-smp", f"{cpus},sockets={self.sockets},cores={self.cores},threads=1"]
        for i, node in enumerate(self.nodes):
            arguments += ["-object", f"memory-backend-ram,id=m{i},size={node['mib']}M"]
            own = "" if self.cpus(i) is None else ",cpus={}-{}".format(*self.cpus(i))
            arguments += ["-numa", f"node,nodeid={i},memdev=m{i}{own},initiator={self.initiator(i)}"]
        for i, row in enumerate(self.distance):
            for j, value in enumerate(row):
                arguments += ["-numa", f"dist,src={i},dst={j},val={value}"]
        for what, rows, unit in (("latency", self.latency_ns, ""), ("bandwidth", self.bandwidth_mib, "M")):
            for i, row in enumerate(rows):
                for j, value in enumerate(row):
                    arguments += ["-numa", f"hmat-lb,initiator={i},target={j},hierarchy=memory,"
                                           f"data-type=access-{what},{what}={value}{unit}"]
        return arguments

    def expected(self):
        """The file that $JACKDAW_VM_MACHINE names inside; expected_machine.cpp reads it."""
        lines = [f"packages {self.sockets}", f"cores {self.sockets * self.cores}"]
        for i, node in enumerate(self.nodes):
            near = self.initiator(i)
            lines.append(f"node {node['mib']} {near} {int(self.cpus(i) is None)} "
                         f"{self.bandwidth_mib[near][i]} {self.latency_ns[near][i]}")
        lines += ["distances " + " ".join(map(str, row)) for row in self.distance]
        return "\n".join(lines) + "\n"
