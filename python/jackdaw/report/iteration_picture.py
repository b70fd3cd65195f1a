"""Time per iteration, with the decisions of the scheduler where they were made (as LAWS, Fig. 8)."""

from bisect import bisect_right
from collections import defaultdict
from statistics import median

from ..words import grouped, time_text
from . import html
from .svg import HUES, Picture, tick_text, ticks

WIDTH, HEIGHT = 720.0, 270.0
LEFT, RIGHT, TOP, BOTTOM = 74.0, 14.0, 40.0, 40.0
MOST_POINTS = 500
MOST_NUMBERED = 12
JUST_THE_MIDDLE = 8.0  # a first iteration that is longer than so many others leaves the rest without a shape


def section(account, kind: str) -> str:
    one = account.of
    if not one.iterations:
        none = html.paragraph("No iterations: no root of this execution opened a group, or none was observed.")
        return html.section("iterations", "Time per iteration", [kind], none, decision_table(one, kind))
    regions = list(dict.fromkeys(each.region for each in one.iterations))
    marks = marked(one)
    drawn = picture(one, regions, marks).html()
    parts = [drawn, legend(regions) if len(regions) > 1 else ""]
    if 'class="beyond"' in drawn:
        parts.append(html.paragraph("A red triangle at the top is an iteration beyond the scale; the table has its "
                                    "time.", "hint"))
    if marks:
        items = "".join(f"<li><b>{html.escape(each.name)} {grouped(each.value)}</b>, at {time_text(each.at_ns)} in "
                        f"iteration {one.iterations[place].number} of {html.escape(one.iterations[place].region)}: "
                        f"{html.escape(each.says)}</li>"
                        for place, each in marks[:MOST_NUMBERED])
        rest = f"<p class=\"hint\">{grouped(len(marks) - MOST_NUMBERED)} more are in the table.</p>" if len(
            marks) > MOST_NUMBERED else ""
        parts.append(f'<ol class="decisions">{items}</ol>{rest}')
    else:
        parts.append(html.paragraph("The scheduler made no decision that it tells of.", "hint"))
    parts.append(html.table("iteration-times", "Iterations", [kind],
                            [html.number("iteration"), html.text("region"), html.ns("begin"), html.ns("time")],
                            [(each.number, each.region, each.begin_ns, each.duration_ns) for each in one.iterations]))
    parts.append(decision_table(one, kind))
    return html.section("iterations", "Time per iteration", [kind], *parts)


def decision_table(one, kind) -> str:
    return html.table("decisions", "Decisions", [kind],
                      [html.ns("at"), html.number("worker"), html.text("decision"), html.number("value"),
                       html.text("meaning")],
                      [(each.at_ns, each.worker, each.name, each.value, each.says) for each in one.decisions])


def marked(one):
    """Each decision with the place in `iterations` of the one that it was made in, or after."""
    begins = [each.begin_ns for each in one.iterations]
    return [(max(bisect_right(begins, each.at_ns) - 1, 0), each) for each in one.decisions]


def picture(one, regions, marks) -> Picture:
    durations = [each.duration_ns for each in one.iterations]
    middle, longest = median(durations), max(durations)
    most = longest if longest <= JUST_THE_MIDDLE * middle else min(longest, JUST_THE_MIDDLE * middle / 2)
    marks_y = ticks(max(most, 1.0))
    drawn = Picture("iteration-picture", WIDTH, HEIGHT, "Time per iteration",
                    f"{len(durations)} iterations take {time_text(min(durations))} to {time_text(longest)}, "
                    f"{time_text(middle)} in the median; {len(marks)} decisions are marked.", 560)
    count = len(durations)

    def x_of(place):
        return LEFT + (WIDTH - LEFT - RIGHT) * (place + 0.5) / count

    def y_of(ns):
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * min(ns / marks_y[-1], 1.0)

    for each in marks_y:
        drawn.line(LEFT, y_of(each), WIDTH - RIGHT, y_of(each), "grid")
        drawn.text(LEFT - 8, y_of(each) + 4, tick_text(each), "small", "end")
    step = max(round(ticks(count, 6)[1]), 1)
    for number in sorted({1, *range(step, count + 1, step)}):
        name = grouped(one.iterations[number - 1].number)
        drawn.text(x_of(number - 1), HEIGHT - BOTTOM + 18, name, "small", "middle")
    drawn.text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 6, "iteration", "small", "middle")
    decisions(drawn, marks, x_of)
    by_region = defaultdict(list)
    for at, each in enumerate(one.iterations):
        by_region[each.region].append((at, each))
    for place, region in enumerate(regions):
        series(drawn, by_region[region], colour(place), x_of, y_of, marks_y[-1])
    return drawn


def decisions(drawn, marks, x_of):
    places = {}
    for number, (place, each) in enumerate(marks, 1):
        places.setdefault(place, []).append((number, each))
    for place, made in places.items():
        tip = "; ".join(f"{each.name} {each.value}: {each.says}" for _, each in made[:5])
        drawn.line(x_of(place), TOP - 14, x_of(place), HEIGHT - BOTTOM, "decision", tip)
        numbers = [number for number, _ in made if number <= MOST_NUMBERED]
        if numbers:
            words = str(numbers[0]) if len(numbers) == 1 else f"{numbers[0]}-{numbers[-1]}"
            drawn.text(x_of(place), TOP - 18 if numbers[0] % 2 else TOP - 28, words, "decision-label", "middle")


def series(drawn, rows, fill, x_of, y_of, top):
    """A point for each iteration. If there are too many: the range and the median of each group of neighbours."""
    if len(rows) <= MOST_POINTS:
        for at, each in rows:
            over = " (beyond the scale)" if each.duration_ns > top else ""
            tip = f"iteration {each.number} of {each.region}: {time_text(each.duration_ns)}{over}"
            if over:
                drawn.path(f"M{x_of(at) - 4:.1f},{TOP + 6:.1f} h8 l-4,-7 z", "beyond", tip)
            else:
                drawn.circle(x_of(at), y_of(each.duration_ns), 2.6 if len(rows) > 120 else 3.4, "", tip, fill)
        return
    group = -(-len(rows) // MOST_POINTS)
    for begin in range(0, len(rows), group):
        some = rows[begin:begin + group]
        times = [each.duration_ns for _, each in some]
        x = x_of(some[len(some) // 2][0])
        tip = (f"iterations {some[0][1].number} to {some[-1][1].number} of {some[0][1].region}: "
               f"{time_text(min(times))} to {time_text(max(times))}, median {time_text(median(times))}")
        drawn.rect(x - 0.7, y_of(max(times)), 1.4, max(y_of(min(times)) - y_of(max(times)), 1), "", tip, fill, 0.4)
        drawn.circle(x, y_of(median(times)), 1.3, "", "", fill)


def colour(place: int) -> str:
    return f"hsl({HUES[place % len(HUES)]} 62% 52%)"


def legend(regions) -> str:
    items = "".join(f'<li><span class="swatch" style="background:{colour(place)}"></span>{html.escape(region)}</li>'
                    for place, region in enumerate(regions[:24]))
    rest = f"<li>and {len(regions) - 24} more</li>" if len(regions) > 24 else ""
    return f'<ul class="legend">{items}{rest}</ul>'
