"""Where the workers' time went; work, critical path, parallelism and inflation."""

from ..words import share_text, three_digits, time_text
from . import html
from .svg import Picture

WIDTH, LEFT, RIGHT = 720.0, 76.0, 8.0
MOST_WORKERS = 128
PARTS = (("computing", "part-compute"), ("waiting for data", "part-memory"),
         ("the runtime's own work", "part-overhead"), ("searching", "part-search"), ("asleep", "part-sleep"))


def section(account, kind: str) -> str:
    one = account.of
    parts = []
    if one.workers:
        known = not account.memory_is_estimated
        split = "" if known else (" What workers waited for data and what the runtime itself took is part of "
                                  "computing: it was not observed.")
        parts += [html.paragraph(f"Where the time of each worker went.{split}", "hint"), picture(account).html(),
                  legend()]
    parts.append(html.table("work", "Work and critical path", [kind], [html.text("quantity"), html.text("value"),
                                                                       html.text("meaning")],
                            quantities(account), folded=False).replace("<td>not known</td>",
                                                                       '<td class="none">not known</td>'))
    parts.append(worker_table(one, kind))
    return html.section("work-and-waiting", "Work, critical path and inflation", [kind], *parts)


def quantities(account):
    one = account.of
    rows = [("wall time T", time_of(one.seconds * 1e9), "of the execution"),
            ("work T1", time_of(one.work_ns), "all tasks one after another"),
            ("critical path", time_of(one.span_ns), "the longest chain of tasks: more workers cannot be faster"),
            ("burdened critical path", time_of(account.burdened_span_ns), burdened_says(account)),
            ("parallelism", ratio(one.work_ns, one.span_ns), "work over critical path: so many workers have work"),
            ("burdened parallelism", ratio(one.work_ns, account.burdened_span_ns), "work over burdened critical path"),
            ("speedup", ratio(one.work_ns, one.seconds * 1e9), f"work over wall time, of {len(one.workers)} workers"),
            ("work inflation", ratio(account.busy_ns if one.workers else None, one.work_ns),
             "busy time of all workers over work: above 1, work takes longer in parallel than alone")]
    return [(name, value or "not known", says) for name, value, says in rows]


def burdened_says(account) -> str:
    says = "with what forks and steals on it cost"
    if account.of.burdened_span_ns is not None and account.burdened_span_ns is None:
        says += (f"; {time_text(account.of.burdened_span_ns)} if each fork on it were stolen, which is more than the "
                 "time: most were not")
    return says


def time_of(ns):
    return None if ns is None else time_text(ns)


def ratio(above, below):
    return three_digits(above / below) if above is not None and below else None


def split(worker):
    """Its time by PARTS, in ns."""
    memory, overhead = worker.memory_ns or 0.0, worker.overhead_ns or 0.0
    return (max(worker.busy_ns - memory - overhead, 0.0), memory, overhead, worker.search_ns, worker.sleep_ns)


def picture(account) -> Picture:
    one = account.of
    workers = one.workers[:MOST_WORKERS]
    step = 18.0 if len(workers) <= 16 else 9.0 if len(workers) <= 64 else 5.0
    drawn = Picture("work-picture", WIDTH, 40 + step * len(workers) + 4, "Where the workers' time went",
                    f"Busy {share_text(account.busy)}, idle {share_text(account.idle)} of the workers' time.", 480)
    sums = [sum(part) for part in zip(*map(split, one.workers))]
    bar(drawn, 4, 22, sums, account.capacity, "all workers")
    drawn.text(LEFT - 6, 19, "all", "strong", "end")
    for place, each in enumerate(workers):
        y = 36 + place * step
        times = split(each)
        bar(drawn, y, step - 2, times, max(account.wall, sum(times)), f"worker {each.worker}")
        if len(workers) <= 16 or place % 8 == 0:
            name = f"worker {each.worker}" if len(workers) <= 16 else each.worker
            drawn.text(LEFT - 6, y + step / 2 + 3, name, "small", "end")
    return drawn


def bar(drawn, y, height, times, whole, name):
    x, full = LEFT, WIDTH - LEFT - RIGHT
    drawn.rect(x, y, full, height, "empty")
    for (says, kind), ns in zip(PARTS, times):
        width = full * ns / whole
        if width > 0.05:
            drawn.rect(x, y, width, height, kind, f"{name}: {says} {time_text(ns)}, {share_text(ns / whole)}")
            if height > 20 and width > 60:
                drawn.text(x + 6, y + height / 2 + 4, share_text(ns / whole), kind.replace("part-", "on-"))
        x += width


def legend() -> str:
    items = "".join(f'<li><span class="swatch {kind}"></span>{says}</li>' for says, kind in PARTS)
    return f'<ul class="legend">{items}</ul>'


def worker_table(one, kind) -> str:
    bytes_says = "from memory and other sockets' caches" if one.is_simulated() else "declared by its tasks"
    columns = [html.number("worker"), html.number("processor", "of the operating system"), html.number("core"),
               html.number("cache"), html.number("socket"), html.number("node", "its home"),
               html.number("tasks", "begun away from their parent's worker, or placed"),
               html.number("roots"), html.number("steals: core"), html.number("steals: cache"),
               html.number("steals: socket"), html.number("steals: remote"), html.number("failed: local"),
               html.number("failed: remote"), html.number("at home"),
               html.number("away"), html.number("migrations"), html.number("suspensions"), html.number("sleeps"),
               html.number("rescues"), html.ns("busy"), html.ns("searching"), html.ns("asleep"),
               html.ns("overhead", "of busy"), html.ns("memory", "of busy"), html.size("local bytes", bytes_says),
               html.size("remote bytes", bytes_says), html.ns("awake", "its thread's life without sleep"),
               html.ns("on a processor", "of awake"), html.ns("kept from one", "of awake, by other threads"),
               html.number("preemptions")]
    return html.table("workers", "Workers", [kind] if one.is_simulated() else [kind, "declared"], columns,
                      [tuple(each) for each in one.workers])
