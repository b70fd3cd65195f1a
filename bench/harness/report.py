"""Numbers to tables: medians, spread, the ratio to the fastest peer and, for fib, the cost of a fork."""

from statistics import median

from harness import aims
from harness.plan import fib_forks


def summarize(runs, peers):
    """Runs to rows: {(kernel, size, shape, workers): [row, ...]}, each row of one side, in the order first met.

    `peers` are the names of the sides that ratios are taken to. A row's `ratio` is its median over the smallest
    median of a peer, None where no peer ran. `fork_ns` is seconds x workers / forks, for fib only: processor time, so
    that one and two workers compare. Runs with a wrong result count only in `wrong`.
    """
    cells = {}
    for run in runs:
        key = (run["kernel"], run["size"], run["shape"], run["workers"])
        cell = cells.setdefault(key, {}).setdefault(run["side"], {"seconds": [], "peak_kib": [], "wrong": 0})
        if run["ok"]:
            cell["seconds"].append(run["seconds"])
            cell["peak_kib"].append(run.get("peak_kib", 0))
        else:
            cell["wrong"] += 1
    tables = {}
    for key, sides in cells.items():
        kernel, size, _, workers = key
        best = min((median(c["seconds"]) for s, c in sides.items() if s in peers and c["seconds"]), default=None)
        rows = []
        for side, cell in sides.items():
            seconds = cell["seconds"]
            middle = median(seconds) if seconds else None
            row = {
                "side": side,
                "runs": len(seconds),
                "wrong": cell["wrong"],
                "median": middle,
                "min": min(seconds, default=None),
                "max": max(seconds, default=None),
                "peak_mib": max(cell["peak_kib"], default=0) / 1024 or None,
                "ratio": middle / best if middle is not None and best else None,
                "fork_ns": None,
            }
            if kernel == "fib" and middle is not None:
                row["fork_ns"] = middle * workers / fib_forks(int(size)) * 1e9
            rows.append(row)
        tables[key] = rows
    return tables


def cell(value, form):
    return "-" if value is None else format(value, form)


def milliseconds(value):
    return "-" if value is None else format(value * 1e3, ".3f" if value < 0.01 else ".1f")


def table(key, rows):
    """One case as a Markdown table with a heading."""
    kernel, size, shape, workers = key
    title = " ".join(part for part in (kernel, size, shape) if part)
    forks = any(row["fork_ns"] is not None for row in rows)
    head = ["runtime", "median ms", "min ms", "max ms", "to the fastest peer", "runs", "peak MiB"]
    head += ["ns/fork"] if forks else []
    lines = [f"### {title}, {workers} worker{'' if workers == 1 else 's'}", ""]
    body = [head]
    for row in rows:
        line = [row["side"], milliseconds(row["median"]), milliseconds(row["min"]), milliseconds(row["max"])]
        line.append(cell(row["ratio"], ".2f"))
        line.append(str(row["runs"]) + (f", {row['wrong']} wrong" if row["wrong"] else ""))
        line.append(cell(row["peak_mib"], ".1f"))
        if forks:
            line.append(cell(row["fork_ns"], ".1f"))
        body.append(line)
    return "\n".join(lines + grid(body[0], body[1:]))


def grid(head, body):
    """The lines of a Markdown table; the first column is text, the others are set to the right."""
    rows = [head] + body
    widths = [max(len(row[column]) for row in rows) for column in range(len(head))]

    def text(row):
        rest = [part.rjust(width) for part, width in zip(row[1:], widths[1:])]
        return "| " + " | ".join([row[0].ljust(widths[0])] + rest) + " |"

    rule = "|" + "|".join(["-" * (widths[0] + 2)] + ["-" * (width + 1) + ":" for width in widths[1:]]) + "|"
    return [text(head), rule] + [text(row) for row in body]


def preface(record):
    """Where and how a record was measured, as Markdown lines."""
    machine = record["machine"]
    versions = ", ".join(f"{name} {version}" for name, version in machine["versions"].items() if version)
    lines = [
        f"Measured {record['date']} on {machine['cpu']}, {machine['cpus']} usable CPUs, Linux {machine['kernel']}.",
        f"Built by {machine['compiler'] or 'an unknown compiler'}, {machine['build_type'] or 'unknown build type'}.",
        f"Versions: {versions}.",
        f"Command: `{record['command']}`; {record['rounds']} rounds, {record['repeat']} timed runs a round.",
    ]
    lines += [f"Note: {note}." for note in record["notes"]]
    return lines


def markdown(record):
    """A whole record as Markdown."""
    tables = summarize(record["runs"], set(record["peers"]))
    parts = ["\n".join(f"- {line}" for line in preface(record))]
    judged = aims.judge(tables, set(record["peers"]))
    if judged:
        parts.append("### Aims\n\n" + "\n".join(grid(
            ["aim", "case", "workers", "jackdaw's scheduler", "got", "met"],
            [[aim.text, case, str(workers), scheduler, f"{got:.2f}", "yes" if met else "no"]
             for aim, case, workers, scheduler, got, met in judged])))
    parts += [table(key, rows) for key, rows in tables.items()]
    return "\n\n".join(parts) + "\n"
