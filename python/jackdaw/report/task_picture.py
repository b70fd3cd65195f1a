"""What ran when: the tasks that were placed or stolen, over time and as a tree."""

from bisect import bisect_left
from collections import defaultdict

from ..words import count_text, grouped
from . import html
from .svg import Colours, Picture, position_colour, tick_text, ticks

WIDTH, LEFT, RIGHT, TOP = 720.0, 40.0, 8.0, 6.0
BINS = 360          # of time, and of the span [0, 1)
MOST_WORKERS = 128
MOST_LEVELS = 24
MOST_TABLE = 1000


def content(account, kept, colours: Colours, kind: str) -> str:
    one = account.of
    if one.tasks.count == 0:
        return "<h3>Over time</h3>" + html.paragraph("No tasks were listed: none was placed or stolen, or the run did "
                                                     "not list them.")
    begin, end, name = window(account, kept)
    parts = ["<h3>Over time</h3>",
             html.paragraph(f"{count_text(one.tasks.count, 'task')} that a scheduler placed or a thief took"
                            + (f"; drawn: {name}" if name else "") + ". A worker's own forks are not listed, as they "
                            "cost nothing to keep that way.", "hint"),
             timeline(account, kept, begin, end).html(), scale(kept, one.id)]
    tree = icicle(account, kept, colours, begin, end)
    if tree is not None:
        parts += ["<h3>As a tree</h3>",
                  html.paragraph("Each row is a level of the task tree. A task covers the part of the computation that "
                                 "it owns, in serial order, in the colour of the worker that began it.", "hint"),
                  tree.html()]
    rows = kept.rows("SELECT task, parent, worker, begin_ns, end_ns - begin_ns, depth, span_begin, span_end FROM "
                     "execution_task WHERE execution = ? ORDER BY task LIMIT ?", (one.id, MOST_TABLE))
    parts.append(html.table("tasks", "Tasks", [kind],
                            [html.number("task"), html.number("parent"), html.number("worker"), html.ns("begin"),
                             html.ns("time"), html.number("depth"), html.ratio("span from"), html.ratio("to")],
                            rows, one.tasks.count))
    return "\n".join(parts)


def window(account, kept):
    """From when to when tasks are drawn, and its name: one iteration in the middle, where there are several."""
    one = account.of
    (first, last), = kept.rows("SELECT min(begin_ns), max(end_ns) FROM execution_task WHERE execution = ?", (one.id,))
    if len(one.iterations) < 3:
        return first, max(last, first + 1), ""
    begun = [at for (at,) in kept.rows("SELECT begin_ns FROM execution_task WHERE execution = ? ORDER BY begin_ns",
                                       (one.id,))]
    for each in one.iterations[len(one.iterations) // 2:] + one.iterations[:len(one.iterations) // 2]:
        begin, end = each.begin_ns, each.begin_ns + each.duration_ns
        if bisect_left(begun, begin) < bisect_left(begun, end):
            return begin, max(end, begin + 1), f"those of iteration {each.number} ({each.region})"
    return first, max(last, first + 1), ""


def timeline(account, kept, begin, end) -> Picture:
    workers = [each.worker for each in account.of.workers][:MOST_WORKERS]
    rows = {worker: place for place, worker in enumerate(workers)}
    step = 18.0 if len(workers) <= 16 else 9.0 if len(workers) <= 64 else 5.0
    height = TOP + step * len(workers)
    drawn = Picture("timeline-picture", WIDTH, height + 32, "Tasks over time",
                    f"A row for each of {len(workers)} workers; the colour of a task is its place in the computation.",
                    560)
    for worker, place in rows.items():
        drawn.rect(LEFT, TOP + place * step, WIDTH - LEFT - RIGHT, step - 1.5, "empty")
        if len(workers) <= 16 or place % 8 == 0:
            drawn.text(LEFT - 6, TOP + place * step + step * 0.5 + 4, worker, "small", "end")
    scale_x = (WIDTH - LEFT - RIGHT) / (end - begin)
    for worker, bins in binned(kept, account.of.id, set(workers), begin, end).items():
        for first, last, colour, tip in runs(worker, bins):
            drawn.rect(LEFT + first * (WIDTH - LEFT - RIGHT) / BINS, TOP + rows[worker] * step,
                       (last - first) * (WIDTH - LEFT - RIGHT) / BINS, step - 1.5, "", tip, colour)
    for each in ticks(end - begin, 5):
        if each <= end - begin:
            drawn.text(LEFT + each * scale_x, height + 16, tick_text(each), "small", "middle")
    drawn.text(WIDTH - RIGHT, height + 29, "time since the beginning of what is drawn", "tiny", "end")
    return drawn


def binned(kept, number, workers, begin, end):
    """For each worker what was under way, by bins of time: bin -> (how many tasks, colour of the last, its number)."""
    width = (end - begin) / BINS
    found = {worker: {} for worker in workers}
    for worker, first, last, depth, left, right, task in kept.rows(
            "SELECT worker, begin_ns, end_ns, depth, span_begin, span_end, task FROM execution_task WHERE execution = "
            "? AND end_ns > ? AND begin_ns < ? ORDER BY begin_ns", (number, begin, end)):
        if worker not in found:
            continue
        at, to = max(int((first - begin) / width), 0), min(int((last - begin) / width), BINS - 1)
        colour = position_colour((left + right) / 2) if left is not None and right is not None else depth_colour(depth)
        bins = found[worker]
        for place in range(at, to + 1):
            bins[place] = (bins[place][0] + 1 if place in bins else 1, colour, task)
    return found


def runs(worker, bins):
    """What to draw in a worker's row: (first bin, bin after the last, colour, tip), neighbours of one task together."""
    place = 0
    while place < BINS:
        if place not in bins:
            place += 1
            continue
        count, colour, task = bins[place]
        last = place + 1
        while last < BINS and last in bins and bins[last][1:] == (colour, task):
            count = max(count, bins[last][0])
            last += 1
        yield place, last, colour, f"worker {worker}: {'task' if count == 1 else 'tasks up to'} {task}"
        place = last


def depth_colour(depth: int) -> str:
    return position_colour(min(depth, 12) / 12)


def scale(kept, number) -> str:
    (spans,), = kept.rows("SELECT EXISTS (SELECT 1 FROM execution_task WHERE execution = ? AND span_begin IS NOT NULL)",
                          (number,))
    steps = ", ".join(position_colour(place / 8) for place in range(9))
    ends = ("first part of the computation", "last part") if spans else ("upper levels of the tree", "lower levels")
    return (f'<ul class="legend"><li>{ends[0]} <span class="swatch wide" style="background:linear-gradient(90deg, '
            f'{steps})"></span> {ends[1]}</li></ul>')


def icicle(account, kept, colours, begin, end):
    """None if no task has a span."""
    one = account.of
    found = kept.rows(
        "SELECT depth, CAST(span_begin * ?1 AS INTEGER) AS bin, worker, min(span_begin), max(span_end), count(*) FROM "
        "execution_task WHERE execution = ?2 AND begin_ns >= ?3 AND begin_ns < ?4 AND span_begin IS NOT NULL AND "
        "span_end IS NOT NULL GROUP BY depth, bin, worker ORDER BY depth, bin, count(*)", (BINS, one.id, begin, end))
    if not found:
        return None
    depths = sorted({row[0] for row in found})[:MOST_LEVELS]
    levels = {depth: place for place, depth in enumerate(depths)}
    step = 24.0 if len(depths) <= 12 else 14.0
    full = WIDTH - LEFT - RIGHT
    drawn = Picture("tree-picture", WIDTH, TOP + step * len(depths) + 26, "Tasks as a tree",
                    f"{len(depths)} levels; the workers that began the tasks give the colours.", 480)
    cells = defaultdict(list)
    for depth, at, worker, first, last, count in found:
        if depth in levels:
            cells[depth, at].append((worker, first, last, count))
    for (depth, _), some in cells.items():
        worker, first, last, count = some[-1]
        width = max((last - first) * full, 0.8)
        tip = (f"level {depth}, {first:.4g} to {last:.4g}: worker {worker}" if len(some) == 1 and count == 1 else
               f"level {depth}, {first:.4g} to {last:.4g}: {grouped(sum(each[3] for each in some))} tasks, most of "
               f"them on worker {worker}")
        drawn.rect(LEFT + first * full, TOP + levels[depth] * step, max(width - 0.4, 0.6), step - 2, "", tip,
                   colours.worker(worker))
    for depth, place in levels.items():
        drawn.text(LEFT - 6, TOP + place * step + step * 0.5 + 3, depth, "small", "end")
    for each in (0, 0.25, 0.5, 0.75, 1):
        drawn.text(LEFT + each * full, TOP + step * len(depths) + 16, each, "small",
                   "end" if each == 1 else "middle")
    return drawn
