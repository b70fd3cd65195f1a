"""Rules about what the system did with the workers' threads: other threads had their processors, or tasks blocked them.
"""

from typing import Optional

from ..words import grouped, share_text, time_text
from .account import Account
from .finding import Finding
from .outside import elsewhere_ns, outside_ns

MUCH = 0.05       # of the time that workers are awake
LEAST_NS = 10e6   # of all workers together
OWN_THREADS = "other threads of the program itself computed meanwhile"


def is_much(account: Account, ns: float) -> bool:
    return bool(account.awake_ns) and ns >= LEAST_NS and ns >= MUCH * account.awake_ns


def busy_computer(account: Account) -> Optional[Finding]:
    """Other threads had the workers' processors: those of other programs, or of this one, or a limit on its processor
    time."""
    lost = account.kept_ns
    if not is_much(account, lost) or account.shares_processors():
        return None
    whose = who_had_them(account, lost)
    share = lost / account.awake_ns
    awake = account.capacity - sum(each.sleep_ns for each in account.of.workers)  # with a root under way
    waited = account.idle_ns if explains_idle(account) else 0.0
    remedy = ("fewer workers (`JACKDAW_WORKERS`), or a program that computes in tasks only, would mend it"
              if whose == OWN_THREADS else
              "the times say little: run it again while nothing else runs, or with as many workers as there are free "
              "processors (`JACKDAW_WORKERS`)")
    preempted = sum(each.preemptions or 0 for each in account.of.workers)
    return Finding("busy computer", f"workers had no processor for {share_text(share)} of the time that they were "
                   f"awake: {whose}", min((share * awake + waited) / account.capacity, 1.0), remedy,
                   [f"{time_text(lost)} of {time_text(account.awake_ns)}, lost {grouped(preempted)} times"],
                   measured=True)


def who_had_them(account: Account, lost: float) -> str:
    """Other threads of the process may have computed on as many processors as there are workers while no root was under
    way; what is more, they computed meanwhile."""
    elsewhere = elsewhere_ns(account)
    if any(each.os_cpu is None for each in account.of.workers):
        return ("they were not pinned and may have had too few processors for all, or other programs, or a limit on "
                "processor time, took them")
    if account.of.beside:
        return "other runtimes of the program, other programs, or a limit on processor time took them"
    if elsewhere is not None and elsewhere - account.count * outside_ns(account) >= 0.5 * lost:
        return OWN_THREADS
    if elsewhere is not None and elsewhere < 0.5 * lost:
        return "other programs, or a limit on processor time, took them"
    return "other threads of the program, other programs, or a limit on processor time took them"


def explains_idle(account: Account) -> bool:
    """Whether workers may have been idle only because others of them waited for processors."""
    return is_much(account, account.kept_ns) and account.kept_ns >= max(0.5 * account.idle_ns, account.blocked_ns)


def blocked(account: Account) -> Optional[Finding]:
    """Tasks that keep a worker without computing."""
    if account.lost_ns is None:
        return None
    waited = account.blocked_ns
    if not is_much(account, waited):
        return None
    others = min(account.idle_ns, waited * (account.count - 1))  # may have been idle for it
    runtimes = " or for another runtime's tasks" if account.of.beside else ""
    return Finding("blocked", f"tasks kept their workers waiting for {share_text(waited / account.awake_ns)} of the "
                   "time that they were awake, without computing: they slept, read or wrote files, or waited for locks"
                   f"{runtimes}, unless the computer is virtual and its host had no processor for it",
                   min((waited + others) / account.capacity, 1.0),
                   "waiting outside of tasks would mend it, and a lock that is held for less time; more workers than "
                   "processors (`JACKDAW_WORKERS`) hide what cannot be helped",
                   [f"{time_text(account.awake_ns)} awake, {time_text(account.cpu_ns)} on a processor, "
                    f"{time_text(account.lost_ns)} without one though there was something to run"], measured=True)
