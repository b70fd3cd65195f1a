"""Iterations in which one task ran nearly alone: a region that does all in one leaf.

Of all tasks only those that were placed or stolen are listed, so leaves of that list may have forked.
"""

from bisect import bisect_left
from collections import defaultdict
from typing import Dict, Sequence, Tuple

MOST_OF_IT = 0.8   # of an iteration's time, by one task
OTHERS = 0.3       # of that time: all others together, or so much of what the other workers could have done:
OF_MANY = 0.05


def alone_ns(iterations: Sequence, leaves: Sequence[Tuple[float, float]], workers: int) -> Dict[str, float]:
    """By region, the time of iterations that one leaf took. `leaves`: beginnings and ends, ordered by beginnings."""
    found: Dict[str, float] = defaultdict(float)
    if workers < 2:
        return {}
    begun = [begin for begin, _ in leaves]
    for each in iterations:
        end = each.begin_ns + each.duration_ns
        first, last = bisect_left(begun, each.begin_ns), bisect_left(begun, end)
        if not first < last <= first + 4 * workers:  # with many tasks, none is alone; and all pairs would take long
            continue
        lengths = sorted(min(to, end) - begin for begin, to in leaves[first:last])
        if (lengths[-1] >= MOST_OF_IT * each.duration_ns and
                sum(lengths[:-1]) <= max(OTHERS, OF_MANY * (workers - 1)) * each.duration_ns):
            found[each.region] += each.duration_ns
    return dict(found)
