"""Executions of one program side by side, and the rule about the wrong scheduler."""

from collections import defaultdict
from statistics import median
from typing import Dict, List, Optional

from ..execution import Execution
from ..words import count_text, share_text, time_text
from .finding import Finding

MUCH_FASTER = 0.95   # of the time
ALONE = 0.9          # the same where a time was measured once, so that nothing is known of its spread
SHORT_S = 0.05       # below that, single measurements tell nothing


def comparable(one: Execution, other: Execution) -> bool:
    """Whether both ran the same program on the same machine with the same data, as far as the file tells: times of
    other runs say nothing about this one's scheduler."""
    names = ("program", "kind", "machine", "worker_count", "placement", "sweep")
    if any(getattr(one, name) != getattr(other, name) for name in names):
        return False
    if one.arrays and other.arrays:
        sizes = [sum(each.bytes for each in which.arrays) for which in (one, other)]
        if max(sizes) > 1.05 * min(sizes):
            return False
    if one.iteration_count and other.iteration_count and one.iteration_count != other.iteration_count:
        return False
    if one.work_ns and other.work_ns and one.work_ns != other.work_ns:
        return max(one.work_ns, other.work_ns) <= 1.5 * min(one.work_ns, other.work_ns)
    return True


def same_input(one: Execution, other: Execution) -> bool:
    """Whether what is known of both tells that their input was the same: a program's arguments are not recorded."""
    return one.is_simulated() or bool(one.arrays and other.arrays or one.work_ns and other.work_ns)


def by_scheduler(one: Execution, others: List[Execution]) -> Dict[str, List[float]]:
    """The seconds of all comparable executions, itself among them."""
    times: Dict[str, List[float]] = defaultdict(list)
    seen = set()
    for each in [one, *others]:
        if each.id not in seen and comparable(one, each):
            seen.add(each.id)
            times[each.scheduler].append(each.seconds)
    return dict(times)


def wrong_scheduler(one: Execution, others: List[Execution]) -> Optional[Finding]:
    times = by_scheduler(one, others)
    best = min(times, key=lambda name: median(times[name]))
    if best == one.scheduler:
        return None
    here, there = median(times[one.scheduler]), median(times[best])
    once = not one.is_simulated() and min(len(times[best]), len(times[one.scheduler])) == 1
    if once:  # a single time says nothing of its spread, so it is held against the nearest of the other side
        here, there = min(times[one.scheduler]), max(times[best])
    if there > (ALONE if once else MUCH_FASTER) * here or once and here < SHORT_S:
        return None
    if max(times[best]) > min(times[one.scheduler]):
        return None
    verb = "takes" if one.is_simulated() else "took"
    evidence = [f"`{name}`: {time_text(1e9 * median(seconds))}, the median of {count_text(len(seconds), 'run')}"
                for name, seconds in sorted(times.items(), key=lambda item: median(item[1]))]
    remote = {each.scheduler: remote_share(each) for each in [one, *others] if comparable(one, each)}
    if remote[one.scheduler] > remote[best] + 0.05:
        evidence.append(f"from other nodes: {share_text(remote[one.scheduler])} of the bytes under "
                        f"`{one.scheduler}`, {share_text(remote[best])} under `{best}`")
    known = all(same_input(one, each) for each in others if each.scheduler == best and comparable(one, each))
    begin = (f"`{one.scheduler}` is the wrong scheduler here: the same program" if known else
             f"`{one.scheduler}` is the wrong scheduler here if the input was the same: a program of the same name")
    return Finding("wrong scheduler", f"{begin} {verb} "
                   f"{time_text(1e9 * there)} under `{best}` and {time_text(1e9 * here)} under `{one.scheduler}`",
                   1 - there / here, f"`JACKDAW_SCHEDULER={best}` would mend it", evidence, measured=True)


def remote_share(one: Execution) -> float:
    total = sum(each.local_bytes + each.remote_bytes for each in one.workers)
    return sum(each.remote_bytes for each in one.workers) / total if total else 0.0
