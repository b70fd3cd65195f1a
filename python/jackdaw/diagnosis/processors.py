"""Rules about what the system did with the workers' threads: other threads had their processors, or tasks blocked them.
"""

from typing import Optional

from ..words import grouped, share_text, time_text
from .account import Account
from .finding import Finding
from .outside import elsewhere_ns, outside_ns

MUCH = 0.05       # of the time that workers are awake
LEAST_NS = 10e6   # of all workers together
WAKE_NS = 100e3   # to wake a worker takes up to that, though its processor is free: it counts as being without one


def kept_ns(account: Account) -> float:
    """How long other threads kept awake workers from processors, at least."""
    return max((account.lost_ns or 0.0) - WAKE_NS * sum(each.sleeps for each in account.of.workers), 0.0)


def is_much(account: Account, ns: float) -> bool:
    return bool(account.awake_ns) and ns >= LEAST_NS and ns >= MUCH * account.awake_ns


def busy_computer(account: Account) -> Optional[Finding]:
    """Other threads had the workers' processors: those of other programs, or of this one, or a limit on its processor
    time."""
    lost = kept_ns(account)
    if not is_much(account, lost) or account.shares_processors():
        return None
    own = others_of_process_ns(account)
    mine = own is not None and own >= 0.5 * lost
    whose = ("other threads of the program itself computed meanwhile" if mine else
             "other runtimes of the program, other programs, or a limit on processor time took them"
             if account.of.beside else "other programs, or a limit on processor time, took them")
    waited = account.idle_ns if explains_idle(account) else 0.0
    remedy = ("fewer workers (`JACKDAW_WORKERS`), or a program that computes in tasks only, would mend it" if mine else
              "the times say little: run it again while nothing else runs, or with as many workers as there are free "
              "processors (`JACKDAW_WORKERS`)")
    preempted = sum(each.preemptions or 0 for each in account.of.workers)
    return Finding("busy computer", f"workers had no processor for {share_text(lost / account.awake_ns)} of the time "
                   f"that they were awake: {whose}", min((lost + waited) / account.capacity, 1.0), remedy,
                   [f"{time_text(lost)} of {time_text(account.awake_ns)}, lost {grouped(preempted)} times"],
                   measured=True)


def others_of_process_ns(account: Account) -> Optional[float]:
    """What the program's other threads computed while roots were under way, at least."""
    elsewhere = elsewhere_ns(account)
    return None if elsewhere is None else max(elsewhere - outside_ns(account), 0.0)


def explains_idle(account: Account) -> bool:
    """Whether workers may have been idle only because others of them waited for processors."""
    return is_much(account, kept_ns(account)) and kept_ns(account) >= 0.5 * account.idle_ns


def blocked(account: Account) -> Optional[Finding]:
    """Tasks that keep a worker without computing."""
    if account.lost_ns is None:
        return None
    waited = account.awake_ns - account.cpu_ns - account.lost_ns
    if not is_much(account, waited):
        return None
    return Finding("blocked", f"tasks kept their workers waiting for {share_text(waited / account.awake_ns)} of the "
                   "time that they were awake, without computing: they slept, read or wrote files, or waited for locks",
                   min(waited / account.capacity, 1.0),
                   "waiting outside of tasks would mend it, and a lock that is held for less time; more workers than "
                   "processors (`JACKDAW_WORKERS`) hide what cannot be helped",
                   [f"{time_text(account.awake_ns)} awake, {time_text(account.cpu_ns)} on a processor, "
                    f"{time_text(account.lost_ns)} without one though there was something to run"], measured=True)
