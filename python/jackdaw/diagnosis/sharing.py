"""The rule about lines that several workers write.

The file has sums by part of an array (at most 256 of them) and worker. Where a worker used a part as a whole, it may
have done so alone, in its turn; so only parts of about a line tell of false sharing, and arrays of a few lines
(counters, results).
"""

from collections import defaultdict
from typing import Dict, NamedTuple, Optional

from ..words import listed
from .account import LINE, Account
from .finding import Finding

LINE_TRANSFER_NS = 100.0   # a line that a core under another cache has written
FEW_LINES = 16             # an array up to here holds counters, or a result for each worker
PART_LINES = 2             # a part up to here is about as small as a line
WORD = 8                   # bytes of a write
MOST_SHARED = 2 / 3        # of the busy time: loops with such a line take about three times as long
REMEDY = ("a line of its own for what each worker writes (`alignas(64)`), or results that a `reduce` collects, would "
          "mend it")


class Contested(NamedTuple):
    """Lines of an array that workers of several cores write. `transfers`: how often one may have gone to another
    cache for a declared write; 0 if all workers share one cache."""
    array: int
    lines: int
    workers: tuple
    transfers: float


def false_sharing(account: Account) -> Optional[Finding]:
    """Counters whose declared writes alone cost a share of the time."""
    if account.shares_processors():
        return None
    worst = max(filter(None, (contested(account, array) for array in account.arrays)),
                key=lambda each: each.transfers, default=None)
    if worst is None or worst.transfers == 0:
        return None
    stake = min(worst.transfers * LINE_TRANSFER_NS, MOST_SHARED * account.busy_ns) / account.capacity
    return Finding("false sharing", f"several workers write to the same lines of array "
                   f"`{account.of.name_of(worst.array)}`, so that the lines go from cache to cache", stake, REMEDY,
                   [f"{worst.lines} of its lines are written by up to {len(worst.workers)} workers of several caches",
                    f"about {worst.transfers:.3g} lines may have gone from cache to cache, each in some "
                    f"{LINE_TRANSFER_NS:.0f} ns (assumed)"])


def possible_sharing(account: Account) -> Optional[Finding]:
    """The same where a leaf may have written more often than it declared: what it costs is not known."""
    worst = max(filter(None, (contested(account, array) for array in account.arrays)),
                key=lambda each: account.written[each.array], default=None)
    if worst is None:
        return None
    some = [str(each) for each in worst.workers]
    named = listed(some if len(some) <= 4 else [*some[:3], "others"])
    name = account.of.name_of(worst.array)
    return Finding("possible false sharing", f"workers {named} write the same line of `{name}`", 0.0,
                   "if each does so often, `alignas(64)` or one counter for each worker would mend it",
                   ["how often a leaf writes what it declares is not recorded, so that no share of the time is known"])


def contested(account: Account, array: int) -> Optional[Contested]:
    of = account.arrays[array]
    places: Dict[int, Dict[int, int]] = defaultdict(lambda: defaultdict(int))
    part = size = LINE
    for each in account.of.shares:
        if each.array != array or each.written == 0 or each.parts == 0:
            continue
        part = of.bytes / each.parts
        size = max(part, LINE)
        places[int(each.part * part // size)][each.worker] += each.written
    few = of.bytes <= FEW_LINES * LINE
    if part > PART_LINES * LINE:
        return None
    lines, most, transfers = 0, (), 0.0
    for workers in places.values():
        total = sum(workers.values())
        real = {worker: count for worker, count in workers.items()
                if count >= 0.05 * total and (few or count < size)}
        if len({account.core.get(worker) for worker in real}) < 2:
            continue
        lines += 1
        most = max(most, tuple(sorted(real)), key=len)
        if len({account.cache.get(worker) for worker in real}) > 1:
            transfers += 2 * (total - max(real.values())) / WORD
    if lines == 0 or not few and lines < 0.5 * len(places):
        return None
    return Contested(array, lines, most, transfers)
