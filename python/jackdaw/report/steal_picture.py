"""Who stole from whom."""

from collections import defaultdict

from ..words import grouped
from . import html
from .svg import Picture

MOST_ROWS = 64
DISTANCES = (("steals_core", "the same core"), ("steals_cache", "another core with the same last cache"),
             ("steals_package", "elsewhere in the socket"), ("steals_remote", "another socket"),
             ("failed_local", "failed attempts, in the socket"),
             ("failed_remote", "failed attempts, in another socket"))


def section(account, kind: str) -> str:
    one = account.of
    if not one.workers and not one.steals:
        return html.section("steals", "Steals", [kind], html.paragraph("Steals were not observed."))
    parts = []
    if any(each.steals for each in one.steals):
        parts.append(html.paragraph("Rows are thieves, columns their victims; the stronger the colour, the more "
                                    "steals. Thick lines "
                                    "part sockets.", "hint"))
        parts.append(picture(account).html())
    elif account.steals == 0:
        parts.append(html.paragraph("Nothing was stolen."))
    else:
        parts.append(html.paragraph("Between which workers the steals went was not observed.", "hint"))
    sums = [(says, sum(getattr(each, name) for each in one.workers)) for name, says in DISTANCES]
    parts.append(html.table("steal-distances", "Steals by where the victim is", [kind],
                            [html.text("victim on"), html.number("attempts")], sums, folded=False))
    parts.append(html.table("steal-pairs", "Steals between workers", [kind],
                            [html.number("thief"), html.number("victim"), html.number("steals"),
                             html.number("failed attempts")],
                            [(each.thief, each.victim, each.steals, each.failed)
                             for each in sorted(one.steals, key=lambda each: (-each.steals, each.thief, each.victim))]))
    return html.section("steals", "Steals between workers", [kind], *parts)


def picture(account) -> Picture:
    one = account.of
    workers = sorted({each.worker for each in one.workers} | {each.thief for each in one.steals}
                     | {each.victim for each in one.steals})
    group = -(-len(workers) // MOST_ROWS)
    place = {worker: number // group for number, worker in enumerate(workers)}
    count = max(place.values()) + 1
    sums, failed = defaultdict(int), defaultdict(int)
    for each in one.steals:
        key = place[each.thief], place[each.victim]
        sums[key] += each.steals
        failed[key] += each.failed
    cell = 34.0 if count <= 12 else max(420.0 / count, 6.5)
    left, top = 66.0, 34.0
    drawn = Picture("steal-picture", left + cell * count + 8, top + cell * count + 8, "Steals between workers",
                    f"A matrix of {len(workers)} workers" + (f", {group} together in a row" if group > 1 else "")
                    + ": thieves in rows, victims in columns.", 300 if count <= 12 else 420)
    drawn.rect(left, top, cell * count, cell * count, "empty")
    most = max(sums.values())
    names = ([str(worker) for worker in workers] if group == 1 else
             [f"{workers[number * group]}-{workers[min((number + 1) * group, len(workers)) - 1]}"
              for number in range(count)])
    for (row, column), steals in sorted(sums.items()):
        if steals == 0:
            continue
        tip = (f"{names[row]} stole {grouped(steals)} from {names[column]}"
               f"; {grouped(failed[row, column])} attempts failed")
        x, y = left + column * cell, top + row * cell
        strength = (steals / most) ** 0.5
        drawn.rect(x, y, cell, cell, "heat", tip, opacity=0.08 + 0.8 * strength)
        if count <= 12:
            drawn.text(x + cell / 2, y + cell / 2 + 4, short(steals), "on-heat", "middle")
    every = 1 if count <= 16 else 4 if count <= 32 else 8
    for number in range(0, count, every):
        drawn.text(left - 6, top + (number + 0.5) * cell + 4, names[number], "small", "end")
        drawn.text(left + (number + 0.5) * cell, top - 6, names[number].split("-")[0], "small", "middle")
    drawn.text(left, 12, "victim", "tiny")
    drawn.text(10, top + 12, "thief", "tiny")
    packages = [account.package.get(worker) for worker in workers]
    for number in range(1, len(workers)):
        if packages[number] != packages[number - 1] and group == 1:
            at = number * cell
            drawn.line(left + at, top, left + at, top + cell * count, "parting")
            drawn.line(left, top + at, left + cell * count, top + at, "parting")
    return drawn


def short(count: int) -> str:
    for unit, size in (("G", 10 ** 9), ("M", 10 ** 6), ("k", 10 ** 3)):
        if count >= size:
            return f"{count / size:.0f}{unit}" if count >= 10 * size else f"{count / size:.1f}{unit}"
    return str(count)
