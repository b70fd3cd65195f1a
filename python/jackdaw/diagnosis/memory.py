"""Rules about where data are, and how they are used."""

from collections import defaultdict
from typing import Dict, List, Optional

from ..words import bytes_text, listed, rate_text, share_text
from .account import CORE_RATE, NODE_BANDWIDTH, REMOTE_FACTOR, Account
from .finding import Finding

MUCH_REMOTE = 0.1          # of the bytes
ONE_NODE = 0.8             # of an array's pages: it lies on one node
EVEN = 1.6                 # most pages on a node to least: the nodes have about as much each
MEMORY_BOUND = 0.15        # of the workers' time
CROWDED = 1.5              # the time that the most used node needs, to that of the nodes together
KEEPS_PARTS = ("adws", "laws", "bats", "auto")
OWN_PARTS = 0.75           # of an array's bytes: parts have one node each whose workers use them
CXL_FACTOR = 2.0           # how much longer a byte from CXL takes, where no bandwidth tells
READ_OFTEN = 20.0          # times as many bytes as it has: what fills it counts for little
IN_TURN = 0.5              # of an array's bytes: they are of parts that several workers used whole


def keeps_parts(scheduler: str) -> bool:
    return scheduler.startswith(KEEPS_PARTS)


def remote_bytes(account: Account) -> Optional[Finding]:
    """Bytes that came from another node, what causes that, and what it costs: their latency, and one node's bandwidth
    where all have to go there."""
    if account.memory is None or len(account.homes) < 2 or account.remote_share < MUCH_REMOTE or mostly_cxl(account):
        return None
    culprits = guilty_arrays(account)
    gain = max(latency_gain(account, culprits), crowding_gain(account))
    sentence = f"{share_text(account.remote_share)} of the bytes came from {account.elsewhere}"
    evidence = [f"{bytes_text(account.remote)} of {bytes_text(account.bytes)} came from {account.elsewhere}",
                memory_evidence(account)]
    if not culprits and account.of.is_simulated():  # what caches gave is of no node
        return Finding("remote", sentence + ", out of its caches: one socket uses what another one has just used",
                       account.memory * gain, "work on the same data on one socket (`jackdaw::near(range)`, or a task "
                       "for each part that does all steps of it) would mend it", evidence)
    if not culprits:
        return Finding("remote", sentence + ", of arrays that are not known", account.memory * gain,
                       "declare what leaves read and write (`jackdaw::reads`, `writes`), so that a report can name the "
                       "array; `numactl --interleave=all` spreads all data", evidence)
    cause = cause_of(account, culprits[0])
    named = listed(f"`{account.of.name_of(each)}`" for each in culprits[:3])
    portion = sum(account.remote_by_array[each] for each in culprits[:3]) / sum(account.remote_by_array.values())
    quantity = "nearly all" if portion >= 0.9 else share_text(portion)
    noun = "array" if len(culprits[:3]) == 1 else "arrays"
    if is_hot(account, culprits[0]) and cause.rule in ("first touch", "one node"):
        cause.rule = "hot array"
        noun = "the hot array" if len(culprits) == 1 else noun
        of = account.arrays[culprits[0]]
        share = account.by_array[of.array] / sum(account.by_array.values())
        evidence.append(f"{share_text(share)} of the bytes are of `{of.name}`, "
                        f"which has {share_text(of.bytes / data_size(account))} of the data")
    if account.of.is_simulated() and len(account.arrays) == 1:  # the simulator does not tell arrays apart
        sentence += f", of data {cause.says}"
    else:
        sentence += f", {quantity} of {noun} {named}, {cause.says}"
    for each in culprits[:3]:
        evidence.append(array_evidence(account, each))
    return Finding(cause.rule, sentence, account.memory * gain, cause.remedy, evidence)


def guilty_arrays(account: Account) -> List[int]:
    """The arrays that most of the remote bytes are of, the worst first: as few as have four fifths of them."""
    total = sum(account.remote_by_array.values())
    chosen, so_far = [], 0
    for array, count in sorted(account.remote_by_array.items(), key=lambda item: -item[1]):
        if total == 0 or so_far >= 0.8 * total or count == 0:
            break
        chosen.append(array)
        so_far += count
    return chosen


class Cause:
    def __init__(self, rule: str, says: str, remedy: str):
        self.rule, self.says, self.remedy = rule, says, remedy


def cause_of(account: Account, array: int) -> Cause:
    spread, users = account.spread(array), account.users(array)
    node, most = max(spread.items(), key=lambda item: item[1])
    on_homes = {each: share for each, share in spread.items() if share >= 0.02}
    if most >= ONE_NODE:
        return on_one_node(account, array, node, users)
    even = len(on_homes) >= len(account.homes) and max(on_homes.values()) <= EVEN * min(on_homes.values())
    kept = account.keeps_to_nodes(array)
    if kept is not None and kept < OWN_PARTS and not keeps_parts(account.of.scheduler):
        return wandering(account, array, even)
    asked = account.of.placement
    if kept is None and asked and "interleave" not in asked and not keeps_parts(account.of.scheduler):
        return wandering(account, array, False)
    if even and reads_all_nodes_alike(account, array, spread):
        if kept is not None and kept < OWN_PARTS:
            return used_by_all(account, array)
        unknown = ", if each part of it has one socket that uses it, which is not known" if kept is None else ""
        return Cause("interleaved", "whose pages lie on the nodes in turn",
                     "pages next to the workers that use them would mend it: a `jackdaw::placed_array` with "
                     f"`placement::first_touch()`{with_scheduler(account)}{unknown}")
    if kept is not None and kept < OWN_PARTS:
        return used_by_all(account, array)
    return Cause("misplaced", "whose parts lie on other nodes than the workers that use them",
                 "first touch by the loop that uses it later (`jackdaw::placed_array`), or tasks near their data "
                 "(`jackdaw::near(range)`), would mend it" + with_scheduler(account))


def with_scheduler(account: Account) -> str:
    """Words to add where the scheduler does not bring tasks back to their data."""
    if keeps_parts(account.of.scheduler):
        return ""
    return f", under `JACKDAW_SCHEDULER=adws`: `{account.of.scheduler}` does not bring tasks back to their data"


def on_one_node(account: Account, array: int, node: int, users: Dict[int, float]) -> Cause:
    of = account.arrays.get(array)
    package, most = max(users.items(), key=lambda item: item[1])
    if most >= 0.9 and account.node_package.get(node) != package:
        return Cause("misplaced", f"which lies on node {node} and is used by socket {package} alone",
                     f"tasks near their data (`jackdaw::near(range)`), or the data near them "
                     f"(`jackdaw::migrate(range, node)`), would mend it")
    if account.of.placement.startswith("bind"):
        return Cause("one node", f"whose pages are bound to node {node} (`{account.of.placement}`)",
                     "another placement would mend it: `placement::first_touch()`, or `placement::interleave()`")
    if of is not None and of.source == "placed" and of.first_touched_by is None:
        return Cause("one node", f"a placed container, all of it on node {node}: unless one thread touched it first, "
                     "the program has chosen that node", "another placement would mend it: `placement::first_touch()`, "
                     "or `placement::interleave()`")
    small = (of is not None and account.by_array[array] >= READ_OFTEN * max(of.bytes, 1)
             and read_everywhere(account, array))
    if small and of.bytes <= 64 << 20:
        return Cause("one node", f"which lies on node {node} alone and is only read",
                     "a copy on each node (`jackdaw::replicated<T>`) would mend it, or interleaving it "
                     "(`placement::interleave()`)")
    moved = ("" if keeps_parts(account.of.scheduler) and not account.of.scheduler.startswith("bats") else
             " (`adws` and `laws` may move such data themselves, once, after some iterations of a region, if leaves "
             "declare what they use and the program has not placed it)")
    remedy = ("first touch in parallel (a `jackdaw::placed_array`, or a `for_index` that writes it first) or "
              f"interleaving (`placement::interleave()`) would mend it{moved}")
    toucher = of.first_touched_by if of is not None else None
    if toucher is None:
        says = f"whose pages all lie on node {node}"
    else:
        name = "a thread outside the runtime" if toucher < 0 else f"worker {toucher}"
        says = f"whose pages {name} touched first, so that they lie on node {node}"
    if parts_wander(account, array):
        says += ", and whose parts wander: several sockets used each of them whole, in turn"
        remedy = ("first touch in parallel (a `jackdaw::placed_array`) with a division of the work that is the same in "
                  "all phases would mend it; interleaving (`placement::interleave()`) alone only spreads the load")
    return Cause("first touch", says, remedy)


def parts_wander(account: Account, array: int) -> bool:
    """Whether most of the array's bytes are of parts that workers of several nodes each used as a whole: phases that
    divide the data in other ways, or steals, and not writes to the same lines at the same time."""
    of = account.arrays.get(array)
    parts = next((each.parts for each in account.of.shares if each.array == array), 0)
    if of is None or parts == 0 or only_read(account, array):
        return False
    in_turn = total = 0
    for workers in account.used_parts[array].values():
        here = sum(workers.values())
        whole = {account.home.get(worker) for worker, count in workers.items()
                 if count >= max(of.bytes / parts, 0.05 * here)}
        total += here
        in_turn += here if len(whole) > 1 else 0
    return in_turn >= IN_TURN * total > 0


def reads_all_nodes_alike(account: Account, array: int, spread: Dict[int, float]) -> bool:
    """Whether each worker found its data on the nodes as the pages are spread, whichever they are."""
    by_worker: Dict[int, Dict[int, int]] = defaultdict(dict)
    for each in account.traffic:
        if each.array == array:
            by_worker[each.worker][each.node] = each.bytes
    apart = weight = 0.0
    for nodes in by_worker.values():
        total = sum(nodes.values())
        apart += sum(abs(nodes.get(node, 0) - share * total) for node, share in spread.items()) / 2
        weight += total
    return weight > 0 and apart / weight < 0.25


def wandering(account: Account, array: int, even: bool) -> Cause:
    lie = "lie on the nodes in turn" if even else "lie on several nodes"
    return Cause("wandering", f"whose pages {lie} and whose parts ran now on one socket, now on another, under "
                 f"`{account.of.scheduler}`",
                 "a scheduler that runs the same part on the same worker in each iteration "
                 "(`JACKDAW_SCHEDULER=adws`) with first touch in parallel (`jackdaw::placed_array`) would mend it"
                 + (", or a copy on each node (`jackdaw::replicated<T>`), for it is only read"
                    if read_everywhere(account, array) else ""))


def read_everywhere(account: Account, array: int) -> bool:
    """Whether workers of several nodes read the same parts of it, and nothing writes to it but what fills it."""
    kept = account.keeps_to_nodes(array)
    return kept is not None and kept < OWN_PARTS and only_read(account, array)


def only_read(account: Account, array: int) -> bool:
    of, written = account.arrays.get(array), account.written[array]
    return written == 0 or of is not None and written <= of.bytes and account.by_array[array] >= READ_OFTEN * of.bytes


def used_by_all(account: Account, array: int) -> Cause:
    if read_everywhere(account, array):
        return Cause("used by all", "which all sockets read everywhere",
                     "a copy on each node (`jackdaw::replicated<T>`) would mend it")
    return Cause("used by all", "which all sockets use everywhere",
                 "interleaved pages are the best that placement can do for it; work in blocks, so that a socket keeps "
                 "to a part for longer")


def latency_gain(account: Account, culprits: List[int]) -> float:
    """The share of memory's time that goes if the remote bytes which need not be remote came from near."""
    avoidable = account.remote_share
    known = [(array, account.keeps_to_nodes(array)) for array in culprits]
    if known and all(kept is not None for _, kept in known) and keeps_parts(account.of.scheduler):
        total = sum(account.by_array.values())
        unavoidable = sum((1 - kept) * account.by_array[array] for array, kept in known
                          if not parts_wander(account, array)) / total
        if not all(only_read(account, array) for array in culprits):  # of those, each node can have a copy
            avoidable = max(avoidable - unavoidable, 0.0)
    extra = REMOTE_FACTOR - 1
    return avoidable * extra / (1 + account.remote_share * extra)


def crowding_gain(account: Account) -> float:
    """The share of memory's time that goes if the bytes came from all workers' nodes by their bandwidth."""
    if len(account.homes) < 2 or not account.node_time:
        return 0.0
    now = max(account.node_time.values())
    nodes = set(account.homes) | set(account.node_time)
    together = sum(account.moved.values()) / sum(account.bandwidth(node) for node in nodes) * 1e9
    if now <= 0 or now < CROWDED * together:
        return 0.0
    felt = min(max((account.pressure - 0.3) / 0.4, 0.0), 1.0)  # a node that is used little keeps no worker waiting
    return (1 - min(together / now, 1.0)) * felt


def data_size(account: Account) -> int:
    return sum(each.bytes for each in account.of.arrays)


def is_hot(account: Account, array: int) -> bool:
    """Whether it gets several times the bytes that its size would explain."""
    of, total = account.arrays.get(array), sum(account.by_array.values())
    return (of is not None and len(account.by_array) > 1 and
            account.by_array[array] / total >= 3 * of.bytes / max(data_size(account), 1))


def hot_array(account: Account) -> Optional[Finding]:
    """One array gets most bytes, and one node serves them. Where its bytes come from other nodes, remote_bytes says
    so."""
    if account.memory is None or len(account.of.nodes) < 2 or not account.node_time or mostly_cxl(account):
        return None
    if len(account.homes) > 1 and account.remote_share >= MUCH_REMOTE:
        return None
    gain = crowding_gain(account) if len(account.homes) > 1 else faster_gain(account)
    if gain == 0.0:
        gain = faster_gain(account)
    if gain == 0.0:
        return None
    node = max(account.node_time, key=account.node_time.get)
    hottest = max(account.by_array, key=lambda each: account.by_array_node.get((each, node), 0))
    of, total = account.arrays.get(hottest), sum(account.by_array.values())
    share = account.by_array[hottest] / total
    size = data_size(account)
    if of is None or share < 0.5 or size == 0:
        return None
    if account.spread(hottest).get(node, 0.0) < ONE_NODE:
        return None
    faster = [each for each in account.of.nodes if each.bandwidth and each.bandwidth > 1.3 * account.bandwidth(node)]
    remedy = ("spreading it by bandwidth (`placement::by_bandwidth()`) or interleaving it "
              "(`placement::interleave()`) would mend it")
    if faster:
        kind = faster[0].kind or f"node {faster[0].node}"
        or_else = remedy.removesuffix(" would mend it")
        remedy = f"placing it in {kind} (`placement::fastest()`) would mend it, or {or_else}"
    elif read_everywhere(account, hottest) and of.bytes <= 64 << 20:
        remedy = f"a copy on each node (`jackdaw::replicated<T>`) would mend it, for it is only read; or {remedy}"
    few = len(account.by_array) > 1
    sentence = (f"{share_text(share)} of the bytes are of array `{of.name}`"
                + (f", {share_text(of.bytes / size)} of the data," if few else ",")
                + f" and all of it lies on node {node}, which is busy for {share_text(min(account.pressure, 1.0))} of "
                "the time with it")
    return Finding("hot array", sentence, account.memory * gain, remedy,
                   [node_evidence(account), memory_evidence(account), array_evidence(account, hottest)])


def faster_gain(account: Account) -> float:
    """As crowding_gain, with all nodes of the machine, those without workers too."""
    now = max(account.node_time.values(), default=0.0)
    bandwidths = [each.bandwidth for each in account.of.nodes]
    if now <= 0 or not bandwidths or not all(bandwidths):
        return 0.0
    together = sum(account.moved.values()) / sum(bandwidths) * 1e9
    felt = min(max((account.pressure - 0.3) / 0.4, 0.0), 1.0)
    return (1 - min(together / now, 1.0)) * felt if now >= CROWDED * together else 0.0


def mostly_cxl(account: Account) -> bool:
    """Whether most bytes came from memory behind a link, which is slow for all sockets: then it does not matter which
    of them it belongs to."""
    behind = {each.node for each in account.of.nodes if each.kind == "CXL"}
    others = any(each.node not in behind for each in account.of.nodes)
    from_there = sum(count for node, count in account.by_node.items() if node in behind)
    return others and from_there >= 0.5 * sum(account.by_node.values()) > 0


def slow_nodes(account: Account) -> Optional[Finding]:
    """Data that lie in slow memory while faster memory has room and time."""
    if account.memory is not None and mostly_cxl(account):
        return cxl(account)
    gain = faster_gain(account) if account.memory is not None else 0.0
    nodes = {each.node: each for each in account.of.nodes}
    if gain == 0.0 or not account.node_time:
        return None
    busiest = max(account.node_time, key=account.node_time.get)
    best = max(nodes.values(), key=lambda each: each.bandwidth)
    if busiest not in nodes or best.bandwidth < 1.3 * nodes[busiest].bandwidth:
        return None
    slow = nodes[busiest].kind or f"node {busiest}"
    fast = best.kind or f"node {best.node}"
    share = account.by_node[busiest] / sum(account.by_node.values())
    return Finding("slow memory", f"{share_text(share)} of the bytes came from node {busiest} ({slow}, "
                   f"{rate_text(nodes[busiest].bandwidth)}), while {fast} has {rate_text(best.bandwidth)}",
                   account.memory * gain, "data in fast memory while there is room (`placement::fastest()`), or on all "
                   "nodes by their bandwidth (`placement::by_bandwidth()`, scheduler `bats`), would mend it",
                   [node_evidence(account), memory_evidence(account)])


def cxl(account: Account) -> Finding:
    nodes = {each.node: each for each in account.of.nodes if each.kind == "CXL" and account.by_node.get(each.node)}
    share = sum(account.by_node[node] for node in nodes) / sum(account.by_node.values())
    busiest = nodes[max(nodes, key=account.by_node.get)]
    fast = max((each for each in account.of.nodes if each.kind != "CXL"), key=lambda each: each.bandwidth or 0.0)
    rates = [f", {rate_text(each.bandwidth)}" if each.bandwidth else "" for each in (busiest, fast)]
    return Finding("slow memory", f"{share_text(share)} of the bytes came from node {busiest.node} (CXL{rates[0]}), "
                   f"which is slow for all sockets, while the machine has {fast.kind or 'other memory'}{rates[1]}",
                   account.memory * max(faster_gain(account), share * (1 - 1 / CXL_FACTOR)),
                   "data in fast memory while there is room (`placement::fastest()`) would mend it, or on all nodes by "
                   "their bandwidth (`placement::by_bandwidth()`, scheduler `bats`)",
                   [node_evidence(account), memory_evidence(account)])


def bandwidth_wall(account: Account) -> Optional[Finding]:
    """Data are where they should be, and the nodes give what they can."""
    if account.memory is None or not account.knows_bandwidths() or account.pressure < 0.7:
        return None
    busiest = max(account.node_time.values())
    together = sum(account.moved.values()) / sum(account.bandwidth(node) for node in account.homes) * 1e9
    if busiest >= CROWDED * together or faster_gain(account) > 0:  # other nodes have time left
        return None
    return Finding("bandwidth", "the memory gives all that it can: its nodes are busy for "
                   f"{share_text(min(account.pressure, 1.0))} of the time, and no placement changes that",
                   account.memory * max(account.pressure - 0.5, 0.0) * 0.5,
                   "fewer bytes for each result would mend it: work in blocks that fit the caches, smaller types, "
                   "several steps in one pass; more workers would not",
                   [node_evidence(account), memory_evidence(account)])


def waiting(account: Account) -> Optional[Finding]:
    """Workers waited for data, and no other rule about memory explains it: the data lie well, or their latency counts.
    Only where the wait was recorded: an estimate is no evidence of it."""
    if account.memory is None or account.memory_is_estimated or account.memory < MEMORY_BOUND:
        return None
    use = f", of whose nodes the busiest gave {share_text(min(account.pressure, 1.0))} of its bandwidth" if (
        account.node_time and account.knows_bandwidths()) else ""
    return Finding("waiting for data", f"workers waited for memory{use}: {share_text(account.memory)} of their time "
                   f"went there, of the {share_text(account.busy)} in which they had tasks", account.memory,
                   "fewer bytes for each result would mend it: work in blocks that fit the caches, smaller types, "
                   "several steps in one pass; more workers would not", [node_evidence(account)])


def memory_evidence(account: Account) -> str:
    if not account.memory_is_estimated:
        return f"workers waited for data for {share_text(account.memory)} of their time"
    return (f"data take about {share_text(max(account.memory, 0.01))} of the workers' time, if they are read in order "
            f"and none is in a cache (estimated: a core reads {CORE_RATE:.0f} GB/s from its own node, other nodes take "
            f"{REMOTE_FACTOR} times as long)")


def node_evidence(account: Account) -> str:
    parts = []
    for node in sorted(account.by_node):
        assumed = "" if any(each.node == node and each.bandwidth for each in account.of.nodes) else " (assumed)"
        rate = account.moved[node] / account.wall * 1e9
        parts.append(f"node {node} gave {rate_text(rate)} of {rate_text(account.bandwidth(node))}{assumed}")
    if parts:
        return ", ".join(parts) + (", bytes that were written back among them" if account.of.written_back else "")
    return f"bandwidths are not known; {rate_text(NODE_BANDWIDTH)} a node assumed"


def array_evidence(account: Account, array: int) -> str:
    of = account.arrays.get(array)
    total = account.by_array[array]
    spread = ", ".join(f"{share_text(share)} on node {node}" for node, share in sorted(account.spread(array).items()))
    remote = account.remote_by_array[array] / total if total else 0.0
    size = f"{bytes_text(of.bytes)}, " if of is not None and of.bytes else ""
    return (f"`{account.of.name_of(array)}`: {size}{bytes_text(total)} used, {share_text(remote)} of that from another "
            f"node; pages: {spread}")
