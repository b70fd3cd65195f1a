"""The page of scripts/compare-schedulers.py: `auto` beside the other schedulers on each program and machine."""

import math
import shlex
import statistics
from datetime import datetime, timezone

WORKERS = 112  # loops of recorded programs make their leaves for so many: the cores of the largest machine
DISTURBED = 0.05  # jackdaw warns from here on of the part of a recording's time that other programs had
BEHIND = 0.03  # auto is to be at most this much slower than the best of the others
CLEAR = 0.01  # a lead as small as this counts, but is told apart


class Verdict:
    """`auto` beside the others on one row, in one measure: 0, an iteration; 1, the whole run."""

    def __init__(self, row, schedulers, measure):
        found = row.times()
        self.times = {each: found[each][measure] for each in schedulers}
        others = {each: self.times[each] for each in schedulers if each != "auto"}
        self.best = min(others, key=others.get)
        self.behind = self.times["auto"] / others[self.best] - 1
        self.cells = f"{percent(self.behind, BEHIND)} | {self.best}"

    def slowdown(self, scheduler):
        return self.times[scheduler] / min(self.times.values())


def percent(part, bold=math.inf):
    text = f"{part * 100:.{0 if abs(part) >= 0.0995 else 1}f}".replace("-0.0", "0.0")
    return f"**{text}**" if part > bold else text


def counts(verdicts):
    """Cells of the summary: how often auto is ahead of all others, clearly so, within 3%, or behind; and the worst."""
    behinds = [verdict.behind for verdict in verdicts]
    ahead = sum(behind < 0 for behind in behinds)
    behind = sum(behind > BEHIND for behind in behinds)
    return (f"{ahead} | {sum(behind <= -CLEAR for behind in behinds)} | {len(behinds) - ahead - behind} | {behind}"
            f" | {percent(max(behinds), BEHIND)}")


def summary(judged, names):
    half = "ahead | by 1% | within 3% | behind | worst, % |"
    yield f"| machine | rows | {half} whole run: {half}"
    yield "|---|" + "---:|" * 11
    for name in (*names, "all"):
        some = [verdicts for row, verdicts in judged if name in ("all", row.machine.name)]
        if some:
            yield f"| {name} | {len(some)} | {counts(one for one, _ in some)} | {counts(whole for _, whole in some)} |"


def means(judged, schedulers):
    yield "| scheduler | an iteration | the whole run |"
    yield "|---|---:|---:|"
    for each in schedulers:
        logs = [[math.log(verdicts[measure].slowdown(each)) for _, verdicts in judged] for measure in (0, 1)]
        one, whole = (math.exp(statistics.fmean(some)) for some in logs)
        yield f"| {each} | {one:.3f} | {whole:.3f} |"


def losses(judged):
    lost_rows = [(row, verdicts) for row, verdicts in judged if max(each.behind for each in verdicts) > BEHIND]
    differ = sum(min(each.behind for each in verdicts) <= BEHIND for _, verdicts in lost_rows)
    yield f"In {len(lost_rows)} of {len(judged)} rows `auto` is more than 3% behind the best of the others in one of"
    yield f"the two measures, in {len(lost_rows) - differ} of them in both. Bold: by how much."
    if lost_rows:
        yield ""
        yield "| program | machine | iteration: `auto` behind, % | best | whole run: `auto` behind, % | best |"
        yield "|---|---|---:|---|---:|---|"
    for row, (one, whole) in sorted(lost_rows, key=lambda each: -max(verdict.behind for verdict in each[1])):
        yield f"| {row.program.name} | {row.machine.name} | {one.cells} | {whole.cells} |"


def table(judged, schedulers):
    """All rows of a machine."""
    yield "| program | `auto`, us | behind, % | best other | whole run: `auto`, us | behind, % | best other | " \
          + " | ".join(schedulers) + " |"
    yield "|---|---:|---:|---|---:|---:|---|" + "---:|" * len(schedulers)
    for row, (one, whole) in judged:
        slowdowns = " | ".join(percent(one.slowdown(each) - 1) for each in schedulers)
        yield (f"| {row.program.name} | {one.times['auto'] * 1e6:.1f} | {one.cells} | {whole.times['auto'] * 1e6:.0f}"
               f" | {whole.cells} | {slowdowns} |")


def recordings(disturbed):
    """What the programs are; `disturbed` has the part of their recordings' time that other programs had."""
    yield "Disturbed: the part of its time in which a recording had no processor. From 5% on its times are too long."
    yield ""
    yield "| program | recorded | disturbed, % |"
    yield "|---|---|---:|"
    for program, part in disturbed.items():
        yield f"| {program.name} | {program.says()} | {percent(part, DISTURBED) if part else ''} |"


def page(rows, disturbed, schedulers, given):
    done = [row for row in rows if not row.lacking(schedulers)]
    judged = [(row, tuple(Verdict(row, schedulers, measure) for measure in (0, 1))) for row in done]
    names = list(dict.fromkeys(row.machine.name for row in rows))
    versions = sorted({each["version"] for row in done for each in row.told["rows"] if each["scheduler"] in schedulers})
    told = {name: vars(given)[name] for name in ("machines", "programs", "schedulers", "seeds")}
    options = "".join(f" --{name} {shlex.quote(str(value))}" for name, value in told.items() if value not in (None, 1))
    options += " --traces TRACES" if given.traces else ""
    yield "# Every kernel, machine and scheduler"
    yield ""
    yield f"- **Command**: `scripts/compare-schedulers.py KEPT --markdown FILE{options}`"
    yield f"- **Commit**: {', '.join(versions) or 'none'}"
    yield f"- **Date**: {datetime.now(timezone.utc):%Y-%m-%d}"
    yield "- **Kind**: simulated. The machines are described, not measured; the programs were recorded."
    yield f"- **Machine**: {len(names)} of [machines/](../machines); recorded on the computer that ran the command"
    yield ""
    yield from ("`auto` beside the other schedulers. Rows that it loses are kept. An *iteration* is the mean of the",
                "second half of a program's iterations, or the measured root of a program that does not iterate. The",
                "*whole run* also has the preparation of the data and the first iterations, in which `auto` learns.",
                "*Behind* compares `auto` with the best of the others, which is picked after the fact. *Ahead* is",
                f"faster than all others. Each program was recorded once, for {WORKERS} workers, so all machines run",
                f"the same tasks. Seeds: {given.seeds}.")
    if len(done) < len(rows):
        yield ""
        yield f"**{len(rows) - len(done)} of {len(rows)} rows are not simulated yet.**"
    if not judged:
        return
    for title, lines in (("Summary", summary(judged, names)), ("Rows that are lost", losses(judged)),
                         ("Slowdown against the best of a row, geometric means", means(judged, schedulers)),
                         ("Programs", recordings(disturbed))):
        yield from ("", f"## {title}", "", *lines)
    for name in names:
        some = [each for each in judged if each[0].machine.name == name]
        if some:
            about = some[0][0].told["machine"]["description"]
            yield from ("", f"## {name}", "", f"{about}.", "",
                        "Under a scheduler's name: % of an iteration more than the best of the row.", "",
                        *table(some, schedulers))
