"""The rule about time in which no root was under way: what `main()` and other threads of the program do meanwhile is in
no task. The file has how long the process lasted and what it computed, as far as jackdaw was loaded."""

from typing import Optional

from ..words import grouped, share_text, time_text
from .account import Account
from .finding import Finding

MUCH_OUTSIDE = 0.05  # of the process's time
LEAST_NS = 50e6      # to load jackdaw, to read the machine and to start workers takes a part of that
SHORT_GAP_NS = 50e3  # between two roots: to begin one takes about as long
COMPUTES = 0.5       # of the time without a root: other threads than the workers had a processor


def outside_ns(account: Account) -> float:
    """How long no root was under way, at least: roots of several runtimes may have been at once. Simulations begin with
    the first root, and go from one to the next. Where workers share processors, main() waits for one of them after each
    root."""
    one = account.of
    if one.process_seconds is None or account.shares_processors():
        return 0.0
    return max(one.process_seconds - one.seconds - one.beside_seconds, 0.0) * 1e9


def elsewhere_ns(account: Account) -> Optional[float]:
    """The processor time of threads that are workers of none of the process's runtimes; None: not known."""
    one = account.of
    cpu = [each.cpu_ns for each in one.workers]
    if one.process_cpu_seconds is None or one.beside_cpu_ns is None or None in cpu:
        return None
    return max(one.process_cpu_seconds * 1e9 - sum(cpu) - one.beside_cpu_ns, 0.0)


def kept_share(account: Account) -> float:
    """The part of the time that the workers were awake in which other threads had their processors."""
    return account.kept_ns / account.awake_ns if account.awake_ns else 0.0


def outside_of_roots(account: Account) -> Optional[Finding]:
    outside = outside_ns(account)
    if outside < LEAST_NS or outside < MUCH_OUTSIDE * account.of.process_seconds * 1e9:
        return None
    share = outside / (account.of.process_seconds * 1e9)
    elsewhere = elsewhere_ns(account)
    # With the workers' share of the time without a processor, as on a busy computer, it would have computed for:
    wanted = None if elsewhere is None else min(elsewhere / max(1 - kept_share(account), 0.05), outside)
    roots = sum(each.roots for each in account.of.workers)
    evidence = [f"roots were under way for {time_text(account.of.seconds * 1e9)}; the other findings' shares are of "
                "that time"]
    says = (f"for {share_text(share)} of the program's time no root was under way: for {time_text(outside)} of the "
            f"{time_text(account.of.process_seconds * 1e9)} from loading jackdaw until the last runtime ended")
    stake = share
    if elsewhere is not None:
        evidence.append(f"threads other than the workers had processors for {time_text(elsewhere)}")
    if roots and outside / roots < SHORT_GAP_NS:
        remedy = (f"more work in each call of `runtime::run` would mend it: between two of the {grouped(roots)} roots "
                  f"{time_text(outside / roots)} passed, which waking a worker takes")
    elif wanted is not None and wanted < COMPUTES * outside:
        stake = share * wanted / outside
        says += (f". Other threads than the workers computed for {time_text(elsewhere)}: mostly the program waited, "
                 "for input, a device or a time")
        remedy = "if it waits for its work, this is no cost"
    else:
        computes = ("what `main()` or another thread computes then could be done in parallel" if elsewhere is not None
                    else "if `main()` computes then, doing that in parallel would mend it")
        remedy = f"{computes} (`for_index`, `reduce`, one call of `runtime::run` for what several do)"
    return Finding("outside of roots", says, stake, remedy, evidence, whole=True)


def not_in_it(account: Account) -> str:
    """What is said wherever no cost stands out: the page judges only what ran in tasks."""
    if account.of.is_simulated():
        return "What `main()` does outside of tasks is not simulated."
    lasted = time_text(account.of.seconds * 1e9)
    if account.of.process_seconds is None:
        return (f"These {lasted} are those with a root under way: what `main()` does before, between and after them is "
                "not in the file.")
    return (f"These {lasted} are those with a root under way, of {time_text(account.of.process_seconds * 1e9)} since "
            "the program loaded jackdaw.")
