"""The machine: sockets with their workers, memory nodes, and what went between them against what the nodes can give."""

from collections import defaultdict

from ..words import bytes_text, rate_text, share_text, time_text
from . import html
from .svg import Picture

COLUMN, GAP, SQUARE = 200.0, 36.0, 20.0
NODE_HEIGHT, ROOM = 74.0, 130.0


def section(account, kind: str) -> str:
    one = account.of
    bytes_kind = kind if one.is_simulated() else "declared"
    if not one.workers:
        return html.section("machine", "The machine", [kind], html.paragraph("What each worker did is not known."))
    parts = [picture(account).html()]
    if not one.traffic:
        parts.append(html.paragraph("No traffic is drawn, for which array's bytes came from which node was not "
                                    "observed." if account.bytes else
                                    "No traffic is drawn: no accesses were observed.", "hint"))
    elif not account.knows_bandwidths():
        parts.append(html.paragraph("Bars show no shares where a node's bandwidth is not known.", "hint"))
    if one.written_back:
        parts.append(html.paragraph("A node's traffic has the bytes that were written back to it.", "hint"))
    parts.append(node_table(account, bytes_kind))
    parts.append(traffic_table(account, bytes_kind))
    kinds = dict.fromkeys(("described", kind, bytes_kind))
    return html.section("machine", "The machine and its traffic", kinds, *parts)


def picture(account) -> Picture:
    one = account.of
    columns = {package: place for place, package in enumerate(account.packages)}
    nodes = {each.node: each for each in one.nodes}
    known = sorted(set(nodes) | set(account.homes) | set(account.by_node))
    by_column = defaultdict(list)
    for node in known:
        by_column[columns.get(account.node_package.get(node), len(columns))].append(node)
    count = max(max(by_column, default=0) + 1, len(columns))
    by_package = defaultdict(list)
    for each in one.workers:
        by_package[each.package].append(each)
    in_row = 8
    rows = max(-(-len(members) // in_row) for members in by_package.values())
    top = 46 + rows * (SQUARE + 3)
    deepest = max((len(members) for members in by_column.values()), default=1)
    drawn = Picture("machine-picture", count * COLUMN + (count - 1) * GAP + 20,
                    top + ROOM + deepest * (NODE_HEIGHT + 12) + 8, "The machine and its traffic",
                    "Sockets with their workers above, memory nodes below; the lines between are as wide as the bytes "
                    "that came that way. The tables below have the numbers.", 150 * count)
    left = {place: 10 + place * (COLUMN + GAP) for place in range(count)}
    spot = {}
    for place, members in by_column.items():
        for depth, node in enumerate(members):
            spot[node] = (left[place] + COLUMN / 2, top + ROOM + depth * (NODE_HEIGHT + 12))
    links(account, drawn, columns, left, top, spot)
    for package, members in by_package.items():
        socket(account, drawn, left[columns[package]], top, package, members)
    for node, (middle, y) in spot.items():
        memory(account, drawn, middle - COLUMN / 2, y, node, nodes.get(node))
    return drawn


def socket(account, drawn, x, height, package, members):
    drawn.rect(x, 4, COLUMN, height - 4, "box", round_by=6)
    busy = [each.busy_ns / account.wall for each in members]
    least, most = share_text(min(busy)), share_text(max(busy))
    span = least if least == most else f"{least} to {most}"
    drawn.text(x + 10, 22, f"socket {package}", "strong")
    drawn.text(x + 10, 37, f"{len(members)} {'worker' if len(members) == 1 else 'workers'}, busy {span}", "small")
    for place, each in enumerate(members):
        column, row = place % 8, place // 8
        at = (x + 10 + column * (SQUARE + 3), 44 + row * (SQUARE + 3))
        tip = (f"worker {each.worker}: busy {share_text(each.busy_ns / account.wall)}, "
               f"{time_text(each.search_ns)} searching, {time_text(each.sleep_ns)} asleep")
        drawn.rect(*at, SQUARE, SQUARE, "empty", round_by=3)
        drawn.rect(at[0], at[1] + SQUARE * (1 - min(busy[place], 1.0)), SQUARE, SQUARE * min(busy[place], 1.0), "busy",
                   tip, round_by=3)


def memory(account, drawn, x, y, node, of):
    given = account.moved.get(node, 0) / account.wall * 1e9
    bandwidth = of.bandwidth if of is not None else None
    kind = (of.kind if of is not None else "") or "memory"
    capacity = f", {bytes_text(of.capacity)}" if of is not None and of.capacity else ""
    drawn.rect(x, y, COLUMN, NODE_HEIGHT, "box", round_by=6)
    drawn.text(x + 10, y + 19, f"node {node}", "strong")
    drawn.text(x + 70, y + 19, f"{kind}{capacity}", "small")
    drawn.rect(x + 10, y + 28, COLUMN - 20, 14, "empty", round_by=3)
    if bandwidth:
        use = given / bandwidth
        drawn.rect(x + 10, y + 28, (COLUMN - 20) * min(use, 1.0), 14, "hot" if use >= 0.7 else "busy",
                   f"node {node} gave {rate_text(given)} of {rate_text(bandwidth)}", round_by=3)
        drawn.text(x + 10, y + 60, f"{rate_text(given)} of {rate_text(bandwidth)}: {share_text(use)}", "small")
    else:
        drawn.text(x + 10, y + 60, f"{rate_text(given)}, limit not known", "small")


def links(account, drawn, columns, left, top, spot):
    sums = defaultdict(int)
    for (worker, node), count in account.by_worker_node.items():
        if worker in account.package:
            sums[account.package[worker], node] += count
    total, most = sum(sums.values()), max(sums.values(), default=0)
    few = len([count for count in sums.values() if count]) <= 12
    for (package, node), count in sorted(sums.items(), key=lambda item: -item[1]):
        if count < 0.002 * total or package not in columns or node not in spot:
            continue
        x1, y1 = left[columns[package]] + COLUMN / 2, top
        x2, y2 = spot[node]
        local = account.node_package.get(node) == package
        bend = (y2 - y1) * 0.45
        if y2 - top > ROOM + 1 and local:  # a second node below the first: go around it
            x1, x2 = x1 + COLUMN * 0.46, x2 + COLUMN * 0.46
        width = 1.0 + 13.0 * count / most
        drawn.path(f"M{x1:.1f},{y1:.1f} C{x1:.1f},{y1 + bend:.1f} {x2:.1f},{y2 - bend:.1f} {x2:.1f},{y2:.1f}",
                   "link near" if local else "link far",
                   f"socket {package} and node {node}: {bytes_text(count)}, {share_text(count / total)} of all", width)
        if few:
            at = 0.5 if local else 0.3
            x, y = bezier(at, x1, x1, x2, x2), bezier(at, y1, y1 + bend, y2 - bend, y2)
            drawn.text(x, y + 4, share_text(count / total), "link-label", "middle")


def bezier(at, a, b, c, d):
    rest = 1 - at
    return rest ** 3 * a + 3 * rest ** 2 * at * b + 3 * rest * at ** 2 * c + at ** 3 * d


def node_table(account, kind) -> str:
    one = account.of
    rows = [(each.node, each.kind or None, each.package, each.capacity, each.bandwidth,
             account.by_node.get(each.node, 0), account.by_node.get(each.node, 0) / account.wall * 1e9)
            for each in one.nodes]
    return html.table("nodes", "Memory nodes", ["described", kind],
                      [html.number("node"), html.text("kind"), html.number("socket"), html.size("capacity"),
                       html.rate("bandwidth", "what it can give"), html.size("bytes", "that came from it"),
                       html.rate("rate", "over the whole run")], rows)


def traffic_table(account, kind) -> str:
    one = account.of
    rows = [(one.name_of(each.array), each.worker, each.node, each.bytes,
             "own" if account.is_local(each.worker, each.node) else "other")
            for each in sorted(one.traffic, key=lambda each: -each.bytes)]
    return html.table("traffic", "Which worker used what of which array from which node", [kind],
                      [html.text("array"), html.number("worker"), html.number("node"), html.size("bytes"),
                       html.text("whose node")], rows)
