#!/usr/bin/env python3
"""Draws what `jackdaw simulate` printed: for each scheduler how its workers spent an iteration, and what they read from
other sockets.

    jackdaw simulate heat2d --machine xeon-gold-6130 --iterations 8 | scripts/draw-run.py TITLE > picture.svg

docs/pictures/heat2d.svg is the table that the README shows:

    scripts/draw-run.py "heat2d on 64 simulated cores in 4 sockets" < README.md > docs/pictures/heat2d.svg

A bar is as long as the iteration. Its parts are the workers' time, all workers together: computing, which includes
the runtime's own work, waiting for data, and idle.
"""

import sys

LEFT, WIDTH, BAR, GAP, TOP = 90, 500, 34, 26, 78
PARTS = (("computing", "#2f6f9f"), ("waiting for data", "#d9822b"), ("idle", "#c9cdd2"))


def rows(lines):
    """The schedulers' rows of the first table: (name, us, MiB from other sockets, wait and idle as parts of 1)."""
    columns = []
    for line in lines:
        fields = line.split()
        if fields[:2] == ["scheduler", "time"]:
            columns = fields
        elif len(fields) == len(columns) and fields and fields[0] != "us":
            row = dict(zip(columns, fields))
            yield (row["scheduler"], float(row["time"]), float(row["remote"]), float(row["wait"]) / 100,
                   float(row["idle"]) / 100)
        elif columns and fields and fields[0] != "us":
            return


def text(x, y, what, size=14, anchor="start", weight="normal"):
    return (f'<text x="{x:.0f}" y="{y:.0f}" font-size="{size}" text-anchor="{anchor}" font-weight="{weight}">'
            f"{what}</text>")


def picture(title, table):
    longest = max(us for _, us, *_ in table)
    height = TOP + len(table) * (BAR + GAP) + 4
    yield (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 {height}" font-family="sans-serif" '
           f'fill="#1c2733">')
    yield f'<rect width="800" height="{height}" fill="#ffffff"/>'
    yield text(12, 26, f"One iteration of {title}", 16, weight="bold")
    x = 12
    for name, colour in PARTS:
        yield f'<rect x="{x}" y="42" width="14" height="14" fill="{colour}"/>'
        yield text(x + 20, 54, name)
        x += 40 + 8 * len(name)
    for number, (name, us, remote, wait, idle) in enumerate(table):
        y = TOP + number * (BAR + GAP)
        yield text(LEFT - 10, y + BAR / 2 + 5, name, anchor="end", weight="bold")
        x = LEFT
        for part, (_, colour) in zip((1 - wait - idle, wait, idle), PARTS):
            width = WIDTH * us / longest * part
            yield f'<rect x="{x:.1f}" y="{y}" width="{width:.1f}" height="{BAR}" fill="{colour}"/>'
            x += width
        yield text(x + 10, y + 14, f"{us:.1f} us", weight="bold")
        yield text(x + 10, y + 31, f"{remote:.1f} MiB from other sockets", 12)
    yield "</svg>"


def main():
    table = list(rows(sys.stdin))
    if len(sys.argv) != 2 or not table:
        sys.exit("draw-run.py: expected a title, and on standard input the table that `jackdaw simulate` prints")
    print("\n".join(picture(sys.argv[1], table)))


if __name__ == "__main__":
    main()
