"""Executions of one program side by side."""

from statistics import median

from ..diagnosis.comparison import by_scheduler, comparable, remote_share
from ..words import count_text, share_text, time_text
from . import html
from .svg import Picture


def section(one, others, kind: str) -> str:
    if not others:
        return html.section("schedulers", "Schedulers side by side", [kind], html.paragraph(
            "The file has no other execution of this program. Run it again under another scheduler "
            "(`JACKDAW_SCHEDULER=random`) with the same `JACKDAW_STATS`, and this part compares them."))
    everyone = sorted([one, *others], key=lambda each: each.id)
    times = by_scheduler(one, others)
    parts = []
    if len(times) > 1:
        parts.append(picture(one, times).html())
    left_out = [each for each in others if not comparable(one, each)]
    if left_out:
        parts.append(html.paragraph(f"{count_text(len(left_out), 'execution')} not compared in the picture: on another "
                                    "machine, with other workers, placement or data.", "hint"))
    parts.append(html.table(
        "executions", "Executions of this program", [kind],
        [html.number("execution"), html.text("begun"), html.text("scheduler"), html.number("workers"),
         html.text("machine"), html.text("placement"), html.ns("time"), html.ratio("times this one's"),
         html.share("idle"), html.share("remote bytes"), html.number("steals"), html.number("remote steals"),
         html.text("compared")],
        [row(one, each) for each in everyone], folded=False))
    return html.section("schedulers", "Schedulers side by side", [kind], *parts)


def row(one, each):
    capacity = sum(worker.busy_ns + worker.search_ns + worker.sleep_ns for worker in each.workers)
    idle = sum(worker.search_ns + worker.sleep_ns for worker in each.workers)
    any_bytes = any(worker.local_bytes + worker.remote_bytes for worker in each.workers)
    return (each.id, each.started, each.scheduler, each.worker_count, each.machine, each.placement or "none",
            each.seconds * 1e9, each.seconds / one.seconds if one.seconds else None,
            idle / capacity if capacity else None, remote_share(each) if any_bytes else None,
            sum(worker.steals() for worker in each.workers), sum(worker.steals_remote for worker in each.workers),
            "this one" if each is one else "yes" if comparable(one, each) else "no")


def picture(one, times) -> Picture:
    order = sorted(times, key=lambda name: median(times[name]))
    most = max(max(seconds) for seconds in times.values()) or 1.0
    width, left, right = 720.0, 120.0, 150.0
    drawn = Picture("scheduler-picture", width, 8 + 30.0 * len(order), "Time under each scheduler",
                    "; ".join(f"{name} {time_text(1e9 * median(times[name]))}" for name in order), 460)
    best = median(times[order[0]])
    for place, name in enumerate(order):
        y, middle = 4 + 30.0 * place, median(times[name])
        full = width - left - right
        drawn.text(left - 8, y + 17, name, "strong" if name == one.scheduler else "", "end")
        drawn.rect(left, y, full, 24, "empty", round_by=3)
        drawn.rect(left, y, full * middle / most, 24, "busy" if name == one.scheduler else "other",
                   f"{name}: median {time_text(1e9 * middle)} of {len(times[name])}", round_by=3)
        for each in times[name] if len(times[name]) > 1 else ():
            drawn.line(left + full * each / most, y + 6, left + full * each / most, y + 18, "parting",
                       time_text(1e9 * each))
        more = "" if place == 0 or not best else f", {share_text(middle / best - 1)} more"
        drawn.text(width - right + 8, y + 17, f"{time_text(1e9 * middle)}{more}", "small")
    return drawn
