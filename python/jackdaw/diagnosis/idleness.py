"""Rules about workers that wait for work, and about tasks too short to pay for themselves."""

from typing import List, Optional

from ..words import count_text, grouped, share_text, time_text, three_digits
from .account import PLACED_NS, STEAL_NS, Account
from .finding import Finding
from .processors import explains_idle

IDLE = 0.05                # of the workers' time
UNEVEN = 1.1               # the busiest worker's time to the mean
FEW_PIECES = 2             # pieces a worker got: so few cannot be balanced
LOW_PARALLELISM = 1.5      # work / critical path, to the number of workers
SHORT_ITERATION_NS = 50_000  # to wake all workers takes about as long
SHORT_NS = 10_000          # tasks below that: fetching one takes a sizeable part of it
OVERHEAD = 0.05
ONE_BUSY = 0.7             # of the wall time: less busy time of all workers together, and at times none was busy
LISTED = 0.7               # of the idle time that lists of tasks let expect
SERIAL = 0.1               # of the time without a region
ALONE = 0.8                # of the idle time that all but one worker have then
MOST_KEPT = 100_000        # iterations; later ones are not in the file


def too_fine(account: Account) -> Optional[Finding]:
    """Tasks are so short that forking, fetching and looking for them takes a part of the time that counts."""
    if not account.of.workers or not account.is_plausible:
        return None
    length = typical_task_ns(account)
    between = account.busy_ns / max(account.pieces, 1)  # what a worker does on its own for each piece that it fetches
    short = (length is not None and length < SHORT_NS and between < 10 * SHORT_NS
             and account.pieces >= 16 * account.count)
    iteration = typical_iteration_ns(account)
    # Idle times of workers that share processors tell nothing.
    idle = 0.0 if account.shares_processors() else max(account.idle - explained_idle(account), 0.0)
    if account.overhead < OVERHEAD and not (account.overhead_is_estimated and short and idle >= IDLE):
        return None
    if account.overhead_is_estimated and not short:
        return None
    stake = account.overhead + (idle if short and account.count > 1 and idle >= IDLE else 0.0)
    known = "estimated from the number of steals" if account.overhead_is_estimated else "counted"
    roots = sum(each.roots for each in account.of.workers)
    of_roots = (not account.of.is_simulated() and roots >= 16 * account.count
                and account.busy_ns / roots < SHORT_ITERATION_NS)  # their own forks cannot be longer than they are
    noun = "roots" if of_roots else "tasks"
    evidence = [f"the runtime's own work took {share_text(account.overhead)} of the workers' time ({known})"]
    says = f"{noun} are too short: the runtime's own work took {share_text(account.overhead)} of the workers' time"
    if short:
        cost = mean_steal_ns(account)
        which = (f"they took {time_text(account.busy_ns / roots)} each" if of_roots else
                 f"leaves take {time_text(length)} each" if account.of.is_simulated() else
                 f"those that were stolen or placed took {time_text(length)} each" if lists_tasks(account) else
                 f"a worker did {time_text(length)} for each that was stolen or placed")
        says = f"{noun} are too short: {which}, where fetching one takes some {time_text(cost)}"
        if idle >= IDLE:
            says += f", and workers searched or slept for {share_text(account.idle)} of the time"
        evidence.append(f"{grouped(account.steals)} steals, {grouped(account.pieces)} tasks begun away from their "
                        f"parent's worker, {time_text(account.busy_ns)} of work")
    remedy = ("longer leaves would mend it: `grain{n}` for loops, a size below which the program goes on without "
              "forking")
    if of_roots:
        evidence.append(f"{grouped(roots)} roots: calls of `runtime::run`")
        remedy = "more work in each call of `runtime::run` would mend it: one root that does what many do now"
    if short and iteration is not None and iteration < SHORT_ITERATION_NS and account.count > 1:
        evidence.append(f"an iteration takes {time_text(iteration)}: waking {account.count} workers takes as long")
        remedy += f"; or fewer workers (`JACKDAW_WORKERS={max(account.count // 2, 1)}`)"
    if account.of.span_ns and account.burdened_span_ns:
        burden = account.burdened_span_ns / account.of.span_ns
        evidence.append(f"forks and steals make the critical path {three_digits(burden)} times as long")
    return Finding("too fine", says, min(stake, 1.0), remedy, evidence)


def explained_idle(account: Account) -> float:
    """The part of the workers' time that they had to be idle however long the tasks are: while one worker computed
    alone, or because the critical path, without what forks cost on it, took the time."""
    parallelism, limited = parallelism_of(account), 0.0
    if parallelism is not None and follows(account, account.of.span_ns):
        limited = max(1 - parallelism / account.count, 0.0)
    return max(limited, serial_share(account), alone_share(account))


def typical_task_ns(account: Account) -> Optional[float]:
    """How long a stolen or placed task takes. Where tasks are not listed: the work for each piece that a worker got,
    which is no less."""
    if lists_tasks(account):
        return account.of.tasks.median_leaf_ns
    pieces = max(account.pieces, account.steals)
    return account.busy_ns / pieces if pieces >= 16 else None


def lists_tasks(account: Account) -> bool:
    return account.of.tasks.leaves >= 16 and account.of.tasks.median_leaf_ns is not None


def typical_iteration_ns(account: Account) -> Optional[float]:
    durations = sorted(each.duration_ns for each in account.of.iterations)
    return durations[len(durations) // 2] if durations else None


def mean_steal_ns(account: Account) -> float:
    counts = {name: sum(getattr(each, name) for each in account.of.workers) for name in STEAL_NS}
    total = sum(counts.values())
    return sum(counts[name] * ns for name, ns in STEAL_NS.items()) / total if total else PLACED_NS


def idle_workers(account: Account) -> Optional[Finding]:
    """Workers without work, with the first cause that fits."""
    if account.idle < IDLE or account.count < 2 or not account.is_plausible or account.shares_processors():
        return None
    for cause in (no_worker_busy, one_task, one_worker, serial_part, too_few_tasks, imbalance, starved):
        found = cause(account)
        if found is not None:
            if cause in MAY_BE_OTHERS and explains_idle(account):
                return None  # the rule about busy computers
            if cause in MAY_BE_OTHERS and not account.of.is_simulated() and account.lost_ns is None:
                found.remedy += (", unless other programs or threads took processors from the workers, which is not "
                                 "recorded")
            return found
    return None


def no_worker_busy(account: Account) -> Optional[Finding]:
    """All workers together were busy for less than the wall time: at times none was, though a root was under way."""
    together = account.busy_ns / account.wall
    if together > ONE_BUSY:
        return None
    return Finding("no worker busy", f"for at least {share_text(1 - together)} of the time no worker was busy, though "
                   "there was something to do: workers woke up",
                   min(1 - together, account.idle),
                   "fewer and longer calls of `runtime::run` would mend it, and no more workers than free processors "
                   "(`JACKDAW_WORKERS`)", idle_evidence(account))


def steals_nothing(account: Account) -> bool:
    return "no-steal" in account.of.scheduler.split(":")


def too_few_tasks(account: Account) -> Optional[Finding]:
    busy = [each.busy_ns for each in account.of.workers]
    most = max(busy)
    at_work = sum(each >= 0.05 * most for each in busy)
    stays = steals_nothing(account)
    parallelism = parallelism_of(account)
    says = None
    if parallelism is not None and parallelism < LOW_PARALLELISM * account.count and follows_path(account):
        says = (f"too few tasks can run at once: work over critical path is {three_digits(parallelism)}, for "
                f"{account.count} workers")
    elif at_work <= 0.75 * account.count and not stays:
        says = f"too few tasks: only {at_work} of {account.count} workers had work"
    elif account.pieces <= FEW_PIECES * account.count and not unequal(account):
        says = f"too few tasks: {count_text(account.pieces, 'task')} for {account.count} workers"
    if says is None:
        return None
    says += f", so that they were idle for {share_text(account.idle)} of the time"
    remedy = "more and smaller tasks would mend it: fork further down (a smaller `grain{n}`), at least ten a worker"
    if account.of.is_simulated() and not account.of.iterations:
        remedy += ("; if a part of the program is serial, doing that in parallel (the file has no iterations that "
                   "would tell)")
    if account.pieces <= account.count and at_work < account.count:
        remedy += f"; or only as many workers as there are tasks (`JACKDAW_WORKERS={max(at_work, 1)}`)"
    return Finding("too few tasks", says, account.idle, remedy, idle_evidence(account))


def alone_share(account: Account) -> float:
    """The part of the workers' time that they were idle while one task was all that a region had."""
    alone = sum(account.of.tasks.alone_ns.values()) / account.wall
    idle = alone * (account.count - 1) / account.count
    # With less idle time than that, the others worked at what is not listed: their own forks.
    return min(account.idle, idle) if alone >= SERIAL and account.idle >= LISTED * idle else 0.0


def one_task(account: Account) -> Optional[Finding]:
    """Iterations of a region in which one task does nearly all."""
    stake = alone_share(account)
    if stake == 0.0 or stake < 0.5 * account.idle:
        return None
    region, alone = max(account.of.tasks.alone_ns.items(), key=lambda each: each[1])
    return Finding("one task", f"for {share_text(alone / account.wall)} of the time one task of region `{region}` ran "
                   f"nearly alone, so that the {account.count} workers were idle for {share_text(account.idle)} of the "
                   "time", stake, "dividing that task would mend it: fork within it, or make it a loop (`for_index`)",
                   idle_evidence(account))


def one_worker(account: Account) -> Optional[Finding]:
    """One worker has much more to do than each other one, and neither iterations nor tasks are listed that would tell
    whether it was alone: most simulations."""
    if account.of.iterations or account.of.tasks.count or not account.of.is_simulated():
        return None
    busy = sorted(each.busy_ns for each in account.of.workers)
    more = (busy[-1] - busy[-2]) / account.wall
    if more < SERIAL or busy[-1] < 0.5 * account.wall:
        return None
    busiest = max(account.of.workers, key=lambda each: each.busy_ns)
    others = (account.busy_ns - busy[-1]) / (account.count - 1)
    return Finding("one worker", f"worker {busiest.worker} was busy for {share_text(busy[-1] / account.wall)} of the "
                   f"time, each other one for {share_text(others / account.wall)} in the mean, so that it probably "
                   "computed a part alone", min(account.idle, more),
                   "doing that part in parallel would mend it (`for_index`, `reduce`, a `jackdaw::placed_array` "
                   "instead of a serial fill); smaller tasks if there is none: the rule about serial parts needs "
                   "iterations, which this file does not have", idle_evidence(account))


def parallelism_of(account: Account) -> Optional[float]:
    one = account.of
    return one.work_ns / one.span_ns if one.work_ns and one.span_ns else None


def follows_path(account: Account) -> bool:
    """Whether the run took so long because of its critical path."""
    return follows(account, account.burdened_span_ns or account.of.span_ns or 0.0)


def follows(account: Account, path: float) -> bool:
    return path >= 0.5 * account.wall or path >= 0.8 * account.busy_ns / account.count


def unequal(account: Account) -> bool:
    """Whether the tasks that workers got are known to differ in length."""
    tasks = account.of.tasks
    return (tasks.longest is not None and bool(tasks.mean_leaf_ns)
            and tasks.longest.end_ns - tasks.longest.begin_ns >= 2 * tasks.mean_leaf_ns)


def serial_share(account: Account) -> float:
    """The part of the workers' time that they were idle while no region ran and one worker computed alone."""
    if account.count < 2 or not 0 < len(account.of.iterations) < MOST_KEPT:
        return 0.0
    outside = 1 - covered(account) / account.wall
    idle = outside * (account.count - 1) / account.count
    if account.blocked_ns >= 0.5 * outside * account.wall:
        return 0.0  # the one waited: the rule about blocked workers
    if outside < SERIAL or account.idle < ALONE * idle:  # with less idle time, several worked outside of regions, too
        return 0.0
    # Who was busy for longer than regions ran was so outside of them.
    there = sum(max(each.busy_ns - covered(account), 0.0) for each in account.of.workers)
    if ALONE * there > outside * account.wall:
        return 0.0
    return min(account.idle, idle)


def serial_part(account: Account) -> Optional[Finding]:
    """Time in which no region runs, so that one worker computes alone."""
    stake = serial_share(account)
    if stake == 0.0 or stake < 0.5 * account.idle:
        return None
    outside = 1 - covered(account) / account.wall
    return Finding("serial part", f"for {share_text(outside)} of the time no region ran and one worker computed alone, "
                   f"so that the {account.count} workers were idle for {share_text(account.idle)} of the time", stake,
                   "doing in parallel what lies between the regions would mend it (`for_index`, "
                   "`reduce`, a `jackdaw::placed_array` instead of a serial fill)", idle_evidence(account))


def covered(account: Account) -> float:
    """The time in which at least one iteration ran; they come in the order of their beginnings."""
    total, end = 0.0, 0.0
    for each in account.of.iterations:
        begin = max(each.begin_ns, end)
        end = max(end, each.begin_ns + each.duration_ns)
        total += max(end - begin, 0.0)
    return total


def imbalance(account: Account) -> Optional[Finding]:
    busiest = max(account.of.workers, key=lambda each: each.busy_ns)
    mean = account.busy_ns / account.count
    if busiest.busy_ns < UNEVEN * mean:
        return None
    says = (f"load imbalance: worker {busiest.worker} was busy for {share_text(busiest.busy_ns / account.wall)} of the "
            f"time, the mean worker for {share_text(mean / account.wall)}")
    stake = min(account.idle, 1 - mean / max(busiest.busy_ns, 1.0) if busiest.busy_ns >= 0.9 * account.wall
                else account.idle)
    longest = account.of.tasks.longest
    remedy = "smaller tasks would mend it, or hints of their work (`jackdaw::work(amount, f)`, `work_of{weigh}`)"
    evidence = idle_evidence(account)
    if longest is not None and longest.end_ns - longest.begin_ns >= 0.25 * account.wall:
        length = longest.end_ns - longest.begin_ns
        says += f"; one task alone took {share_text(length / account.wall)} of the time"
        remedy = "dividing the longest task would mend it, or forking it first"
        evidence.append(f"the longest task ran on worker {longest.worker} for {time_text(length)}")
    if steals_nothing(account):
        remedy = (f"a scheduler that steals (`JACKDAW_SCHEDULER=adws`) would mend it: `{account.of.scheduler}` does "
                  "not; or hints of the work (`jackdaw::work(amount, f)`)")
    elif account.steals + account.pieces == 0:
        remedy = "forking what the busiest worker does alone would mend it"
    return Finding("imbalance", says, stake, remedy, evidence)


def starved(account: Account) -> Optional[Finding]:
    if account.idle < 2 * IDLE:
        return None
    return Finding("starved", f"workers were idle for {share_text(account.idle)} of the time, all of them alike: at "
                   "times there was less work than workers", account.idle,
                   "more parallel work at once would mend it: shorter serial parts between the loops, smaller tasks at "
                   "their ends; `jackdaw analyze` shows the critical path", idle_evidence(account))


# A worker that waits for its processor is busy, or late for its part.
MAY_BE_OTHERS = (no_worker_busy, imbalance, starved)


def idle_evidence(account: Account) -> List[str]:
    workers = account.of.workers
    busy = sorted(each.busy_ns for each in workers)
    search = sum(each.search_ns for each in workers)
    failed = sum(each.failed_local + each.failed_remote for each in workers)
    says = [f"busy: {time_text(busy[0])} to {time_text(busy[-1])} of {time_text(account.wall)}; awake without work "
            f"{share_text(search / account.capacity)} of the time, asleep "
            f"{share_text((account.idle_ns - search) / account.capacity)}",
            f"{grouped(account.pieces)} tasks begun away from their parent's worker or from outside, "
            f"{grouped(account.steals)} steals, {grouped(failed)} failed attempts"]
    parallelism = parallelism_of(account)
    if parallelism is not None:
        says.append(f"work {time_text(account.of.work_ns)}, critical path {time_text(account.of.span_ns)}: parallelism "
                    f"{three_digits(parallelism)}")
    return says
