"""Who used which part of which array (as ADWS, Fig. 1), and where its pages lay."""

from collections import defaultdict

from ..words import bytes_text, grouped, narrowed, share_text
from . import html
from .svg import HUES, Colours, Picture

WIDTH, LEFT, ROW = 720.0, 8.0, 74.0
MOST_ARRAYS = 12
NAME_WIDTH = 46  # letters beside which the sizes have room
FULL = WIDTH - 2 * LEFT


def content(account, colours: Colours, kind: str) -> str:
    one = account.of
    bytes_kind = kind if one.is_simulated() else "declared"
    if not one.shares and not one.places:
        return html.paragraph("Which worker used which part of the data was not observed.")
    used = defaultdict(int)
    for each in one.shares:
        used[each.array] += each.bytes
    order = sorted((each for each in one.arrays if used[each.array] or account.spread(each.array)),
                   key=lambda each: -max(used[each.array], account.used.get(each.array, 0)))
    parts = ["<h3>Over the data</h3>"]
    if order:
        parts += [html.paragraph("Each strip is an array from its beginning to its end, in the colour of the worker "
                                 "that used a part most, paler where others used it too. A mark below a part: several "
                                 "workers wrote to it. The bar below tells on which nodes the pages lie.", "hint"),
                  picture(account, order[:MOST_ARRAYS], colours).html()]
        if len(order) > MOST_ARRAYS:
            parts.append(html.paragraph(f"The {MOST_ARRAYS} most used of {len(order)} arrays are drawn.", "hint"))
    parts.append(html.table(
        "arrays", "Arrays", [bytes_kind, "measured"] if not one.is_simulated() else [kind],
        [html.text("array"), html.text("known as"), html.size("size"), html.number("first touched by", "-1: a thread "
         "outside the runtime"), html.size("of that touched"), html.size("bytes used"), html.size("from other nodes"),
         html.share("share")],
        [(each.name, each.source, each.bytes, each.first_touched_by, each.first_touched_bytes,
          account.used.get(each.array, 0), account.remote_by_array.get(each.array, 0),
          account.remote_by_array.get(each.array, 0) / account.by_array[each.array]
          if account.by_array.get(each.array) else None) for each in one.arrays]))
    parts.append(html.table("places", "Where pages lay at the end", ["measured" if kind == "measured" else kind],
                            [html.text("array"), html.number("node"), html.size("bytes")],
                            [(one.name_of(each.array), each.node, each.bytes) for each in one.places]))
    parts.append(html.table("shares", "Which worker used which part", [bytes_kind],
                            [html.text("array"), html.number("part"), html.number("of"), html.number("worker"),
                             html.size("bytes"), html.size("written")],
                            [(one.name_of(each.array), each.part, each.parts, each.worker, each.bytes, each.written)
                             for each in one.shares[:html.MOST_ROWS]], len(one.shares)))
    return "\n".join(parts)


def picture(account, arrays, colours) -> Picture:
    drawn = Picture("share-picture", WIDTH, len(arrays) * ROW + 4, "Which worker used which part of the data",
                    f"{len(arrays)} arrays, each as a strip of its parts in the colours of workers.", 480)
    counts = defaultdict(lambda: defaultdict(dict))
    parts = {}
    for each in account.of.shares:
        counts[each.array][each.part][each.worker] = (each.bytes, each.written)
        parts[each.array] = each.parts
    for row, each in enumerate(arrays):
        y = row * ROW
        drawn.text(LEFT, y + 14, narrowed(each.name, NAME_WIDTH), "strong")
        drawn.text(WIDTH - LEFT, y + 14, f"{bytes_text(each.bytes)}, {bytes_text(account.used.get(each.array, 0))} "
                   "used", "small", "end")
        drawn.rect(LEFT, y + 21, FULL, 22, "empty")
        if each.array in counts:
            strip(drawn, y, each, parts[each.array], counts[each.array], colours)
        pages(account, drawn, y + 52, each)
    return drawn


def strip(drawn, y, array, parts, counts, colours):
    width = FULL / max(parts, 1)
    for part, workers in sorted(counts.items()):
        total = sum(count for count, _ in workers.values())
        if not total:
            continue
        worker, (most, _) = max(workers.items(), key=lambda item: item[1][0])
        writers = sum(written > 0 for _, written in workers.values())
        tip = (f"{array.name}, part {part} of {parts}: {bytes_text(total)}, worker {worker} used "
               f"{share_text(most / total)}" + (f"; {len(workers)} workers" if len(workers) > 1 else "")
               + (f", {writers} of them wrote" if writers > 1 else ""))
        drawn.rect(LEFT + part * width, y + 21, width + 0.05, 22, "", tip, colours.worker(worker),
                   0.25 + 0.75 * most / total)
        if writers > 1:
            drawn.rect(LEFT + part * width + 0.2 * width, y + 44, 0.6 * width, 3, "contested", tip)


def pages(account, drawn, y, array):
    x = LEFT
    for node, share in sorted(account.spread(array.array).items()):
        width = FULL * share
        place = account.homes.index(node) if node in account.homes else len(account.homes) + node
        drawn.rect(x, y, max(width - 1, 0.5), 12, "", f"{array.name}: {share_text(share)} of its pages on node {node}",
                   f"hsl({HUES[place % len(HUES)]} 30% 55%)", 0.4)
        if width > 90:
            drawn.text(x + 5, y + 9.5, f"node {node}: {share_text(share)}", "place")
        x += width


def legend(colours: Colours) -> str:
    items = []
    for package, shades in colours.sockets[:32]:
        steps = ", ".join(shades) if len(shades) > 1 else f"{shades[0]}, {shades[0]}"
        items.append(f'<li><span class="swatch wide" style="background:linear-gradient(90deg, {steps})"></span>'
                     f"socket {grouped(package)}</li>")
    return (f'<ul class="legend" aria-label="Colours of workers">{"".join(items)}<li class="hint">within a socket from '
            "its first worker (dark) to its last</li></ul>")
