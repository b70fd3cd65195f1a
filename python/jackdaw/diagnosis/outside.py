"""The rule about time in which no root was under way: what `main()` and other threads of the program do meanwhile is
recorded nowhere.

The file has the time in which roots were under way. When the runtime started and ended is not in it, but iterations and
tasks have their times since it started, so the last of them tells how long it was there at least.
"""

from typing import Optional

from ..words import grouped, share_text, time_text
from .account import Account
from .finding import Finding

MUCH_OUTSIDE = 0.05  # of the time from the runtime's start to the last task that is known
LEAST_NS = 20e6      # starting workers takes a part of that
SHORT_GAP_NS = 50e3  # between two roots: to begin one takes about as long


def outside_ns(account: Account) -> float:
    """How long no root was under way, at least. Simulations begin with the first root, and go from one to the next.
    Where workers share processors, main() waits for one of them after each root."""
    if account.of.is_simulated() or account.shares_processors():
        return 0.0
    return max(account.of.last_end_ns - account.of.seconds * 1e9, 0.0)


def outside_of_roots(account: Account) -> Optional[Finding]:
    outside = outside_ns(account)
    known = account.of.seconds * 1e9 + outside
    share = outside / known if known else 0.0
    if share < MUCH_OUTSIDE or outside < LEAST_NS:
        return None
    roots = sum(each.roots for each in account.of.workers)
    remedy = ("if `main()` computes then, doing that in parallel would mend it (`for_index`, `reduce`, one call of "
              "`runtime::run` for what several do); if it waits, this is no cost")
    if roots and outside / roots < SHORT_GAP_NS:
        remedy = (f"more work in each call of `runtime::run` would mend it: between two of the {grouped(roots)} roots "
                  f"{time_text(outside / roots)} passed, which waking a worker takes")
    return Finding("outside of roots", f"for at least {share_text(share)} of the program's time no root was under way: "
                   f"for {time_text(outside)} of the {time_text(known)} from the runtime's start to the last task that "
                   "is known", share, remedy,
                   [f"roots were under way for {time_text(account.of.seconds * 1e9)}; the other findings' shares are "
                    "of that time",
                    "what the program did before the runtime's start and after the last task is in no file"],
                   whole=True)


def not_in_it(account: Account) -> str:
    """What is said wherever no cost stands out: the page judges only what ran in tasks."""
    if account.of.is_simulated():
        return "What `main()` does outside of tasks is not simulated."
    return (f"These {time_text(account.of.seconds * 1e9)} are those with a root under way: what `main()` does before, "
            "between and after them is not in the file.")
