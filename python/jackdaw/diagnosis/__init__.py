"""What costs most in an execution, and what would mend it.

    from jackdaw import diagnosis
    print(diagnosis.diagnose(one, others).headline)

Each rule is a function of an `Account` that returns a `Finding` or None. Rules argue from physics (bytes and
bandwidths, idle time, lengths of tasks against what a steal costs), with the constants at the top of each module.
docs/report.md lists the rules.
"""

from typing import List, Sequence

from ..execution import Execution, text_of
from ..words import bytes_text, grouped, listed, rate_text, share_text, time_text
from .account import Account
from .comparison import wrong_scheduler
from .finding import Diagnosis, Finding
from .idleness import MOST_KEPT, idle_workers, too_fine
from .memory import MEMORY_BOUND, bandwidth_wall, hot_array, remote_bytes, slow_nodes, waiting
from .outside import not_in_it, outside_ns, outside_of_roots
from .processors import blocked, busy_computer
from .sharing import false_sharing, possible_sharing

__all__ = ["Account", "Diagnosis", "Finding", "diagnose"]

RULES = (remote_bytes, hot_array, slow_nodes, bandwidth_wall, false_sharing, too_fine, idle_workers,
         outside_of_roots, busy_computer, blocked)
SAME_TIME = {frozenset(("too fine", "too few tasks")), frozenset(("too fine", "imbalance")),
             frozenset(("too fine", "starved")), frozenset(("too fine", "serial part")),
             frozenset(("too fine", "one task")), frozenset(("too fine", "one worker")),
             frozenset(("hot array", "slow memory")),
             *(frozenset(("blocked", rule)) for rule in ("imbalance", "no worker busy", "one task", "one worker",
                                                         "serial part", "starved", "too few tasks"))}
MEMORY_RULES = ("first touch", "interleaved", "wandering", "used by all", "one node", "misplaced", "remote",
                "hot array", "slow memory", "bandwidth", "false sharing", "waiting for data")
NOT_COHERENT = "What it costs if several workers write to one line (false sharing) is not simulated."
NEGLIGIBLE = 0.01  # of the time
SHORT_S = 0.05
LEAST_S = 1e-6
NO_TIME = 0.005  # of the workers' time: 0% busy


def diagnose(one: Execution, others: Sequence[Execution] = ()) -> Diagnosis:
    """`others`: executions of the same program; those on the same machine and data tell which scheduler is best."""
    account = Account(one)
    if one.workers and account.pieces + account.busy_ns + account.bytes == 0:
        return Diagnosis("No root ran, so there is nothing that costs time.", [], unknowns(account))
    if one.seconds < LEAST_S:
        return Diagnosis(f"The execution took {time_text(one.seconds * 1e9)}: too short to say what costs time.", [],
                         unknowns(account))
    if one.workers and account.is_plausible and (account.busy_ns == 0 or
                                                 account.busy < NO_TIME and one.seconds < SHORT_S):
        return Diagnosis(f"The run was too short to tell what costs time: {time_text(one.seconds * 1e9)}, of which "
                         f"workers ran tasks for {time_text(account.busy_ns / account.count)} each.", [],
                         unknowns(account))
    found: List[Finding] = [each for each in (rule(account) for rule in RULES) if each is not None]
    if not any(each.rule in MEMORY_RULES and each.is_problem() for each in found):
        found.extend(filter(None, [waiting(account)]))
    scheduler = wrong_scheduler(one, list(others))
    if scheduler is not None:
        found.append(scheduler)
    for each in found:
        each.at_stake = min(each.at_stake, 1.0)
    found = [each for each in found if each.at_stake >= NEGLIGIBLE]
    under_way = account.wall / (account.wall + outside_ns(account))
    found = without_doubles(sorted(found, key=lambda each: -each.weight(under_way)))
    unknown = unknowns(account)
    about_memory = any(each.rule in MEMORY_RULES and each.is_problem() for each in found)
    shared = possible_sharing(account)
    possible = [shared] if shared and not any(each.rule == "false sharing" for each in found) else []
    notes = [memory_note(account)] if memory_note(account) and not about_memory and not possible else []
    said = headline(account, found, notes, unknown)
    if possible and not any(each.is_problem() for each in found):
        said = f"{capital(possible[0].sentence)}; {possible[0].remedy}. {said.replace('No cost', 'No other cost', 1)}"
    if one.beside:
        said += (f" The process had other runtimes, which are executions of their own ({text_of(one.beside)}); "
                 f"`--execution {one.beside[-1]}` shows another.")
    return Diagnosis(said, found, unknown, notes, possible)


def without_doubles(found: List[Finding]) -> List[Finding]:
    """Two rules that explain the same lost time: the one that explains more of it stays."""
    kept: List[Finding] = []
    for each in found:
        if not any(frozenset((each.rule, other.rule)) in SAME_TIME for other in kept):
            kept.append(each)
    return kept


def headline(account: Account, found: List[Finding], notes: List[str], unknown: List[str]) -> str:
    problems = [each for each in found if each.is_problem()]
    if problems:
        return f"{capital(problems[0].sentence)}; {problems[0].remedy}."
    if not account.of.workers:
        return "Nothing is known of this execution's workers, so nothing can be said of what costs time."
    busy = busy_text(account)
    if notes:
        return f"{notes[0]} No other cost stands out: {busy}. {not_in_it(account)}"
    if not account.is_plausible:
        return f"No cost can be named. {next(each for each in unknown if 'cannot be right' in each)}"
    said = f"No cost stands out: {busy}."
    if found:
        said += (f" The largest is small, up to {share_text(found[0].at_stake)} of the time: {found[0].sentence}; "
                 f"{found[0].remedy}.")
    elif account.memory is not None and not account.lies_nowhere:
        said = (f"No cost stands out: {share_text(account.remote_share)} of the bytes came from other nodes, and "
                f"{busy}.")
    said += f" {not_in_it(account)}"
    if account.memory is not None and account.undeclared() is None and not account.lies_nowhere:
        return said
    return f"{said} {unknown[1 if account.shares_processors() and len(unknown) > 1 else 0]}"


def busy_text(account: Account) -> str:
    """What busy times tell. A simulated worker computes or waits for data; a real one may wait for a device, for a
    lock, or for a processor."""
    if account.of.is_simulated():
        waits = ("" if account.memory is None or account.memory < 0.01 else
                 f", of which they waited for data for {share_text(account.memory / account.busy)}"
                 if account.busy else "")
        return f"workers were busy for {share_text(account.busy)} of the time{waits}"
    if account.shares_processors():
        return "workers may have shared processors, so that their busy times tell no more"
    ran = f"workers ran tasks for {share_text(account.busy)} of the time"
    if account.cpu_ns is None or not account.awake_ns:
        return f"{ran}; whether these computed or waited for something other than memory is not recorded"
    had = share_text(min(account.cpu_ns / account.awake_ns, 1.0))
    return f"{ran}, and had processors for {had} of the time that they were awake"


def memory_note(account: Account) -> str:
    """The reassurance for programs whose data cost little; "" where most of the data is undeclared. An estimate takes
    data to be read in order: a gather waits for each line, which may be ten times as long."""
    if (account.memory is None or not account.of.workers or account.undeclared() is not None or account.lies_nowhere):
        return ""
    of_busy = account.memory / account.busy if account.busy and account.is_plausible else account.memory
    if of_busy >= MEMORY_BOUND:
        return ""
    if not account.memory_is_estimated:
        return ("Memory is not your problem: the program computes, and waiting for data took "
                f"{percent(account.memory)}. {NOT_COHERENT}")
    return ("Memory is not your problem, if data are read in order and all is declared: waiting for data then took "
            f"about {percent(account.memory)}.")


def unknowns(account: Account) -> List[str]:
    one, says = account.of, []
    if account.shares_processors():
        why = ("The machine is only described, so that the" if account.is_described() else
               "Several were bound to the same processor: the")
        says.append(f"{why} {account.count} workers may have shared the processors of the computer that ran them. "
                    "Their busy and idle times are no evidence of imbalance, of serial parts or of what sharing costs.")
    if account.from_caches():
        node = account.busiest
        assumed = "" if any(each.node == node and each.bandwidth for each in one.nodes) else " (assumed)"
        says.append(f"Most bytes came from caches: {rate_text(account.pressure * account.bandwidth(node))} would be of "
                    f"node {node}, which gives {rate_text(account.bandwidth(node))}{assumed}. How many came from "
                    "memory, and what they cost, is not known.")
    if account.undeclared() is not None and account.bytes:
        says.append(f"An array of {bytes_text(account.undeclared().bytes)} that no task declares is larger than all "
                    "that are declared: what it costs is not known.")
    if account.bytes == 0 and not one.is_simulated():
        says.append("The program declares no accesses, so nothing is known of its memory (`jackdaw::reads`, `writes`; "
                    "loops over placed containers declare theirs).")
    elif account.bytes == 0 and account.memory is None:
        says.append("The trace has no accesses, so nothing is known of its memory.")
    elif account.lies_nowhere:
        named = listed(f"`{one.name_of(each)}`" for each in sorted(account.lies_nowhere)[:3])
        more = f" and {len(account.lies_nowhere) - 3} more" if len(account.lies_nowhere) > 3 else ""
        says.append(f"Where {named}{more} would lie on that machine is not known: it is only described, and no first "
                    "touch was seen that would tell, as of placed containers. Their bytes count as neither near nor "
                    "far.")
    elif not one.traffic:
        says.append("Which arrays the bytes are of was not observed.")
    elif one.arrays and not one.places and not one.is_simulated():
        says.append("Where the pages lay was not observed (the system refuses to tell, or the machine is only "
                    "described).")
    if one.is_simulated():
        if account.bytes and len(one.arrays) == 1:
            says.append("A simulation counts all data as one array: which one the bytes are of is not in the file.")
        says.append(NOT_COHERENT)
        if not one.iterations:
            says.append("The file has no iterations of this simulation, so serial parts between regions, and regions "
                        "that go badly, were not looked for.")
    if account.bytes and not account.knows_bandwidths():
        says.append("The nodes' bandwidths are not known (`jackdaw machine bandwidths` measures them once).")
    if one.work_ns is None or one.span_ns is None:
        says.append("Work and critical path are not known (`jackdaw record` and `jackdaw analyze` find them).")
    for what, kept in (("iterations", one.iteration_count), ("tasks", one.tasks.count)):
        if kept >= MOST_KEPT:
            says.append(f"The file has only the first {grouped(kept)} {what}; later ones were not kept, and what is "
                        f"said of {what} is said of these.")
    if not account.is_plausible:
        says.append("The workers' busy times cannot be right: one of them used more bytes than a core can in that "
                    "time. Idle time and tasks are not judged.")
    if 0 < one.seconds < SHORT_S and not one.is_simulated():
        says.append(f"The execution took {time_text(one.seconds * 1e9)}, and starting workers is a part of that: "
                    "longer ones say more.")
    if not one.workers:
        says.append("What each worker did is not known.")
    says.append(not_in_it(account))
    return says


def percent(share: float) -> str:
    return f"{share_text(max(share, 0.01))} of the workers' time"


def capital(text: str) -> str:
    return text if text.startswith("`") else text[:1].upper() + text[1:]
