"""Small pieces of HTML: text with code marks, tables whose cells carry the exact numbers, figures."""

from html import escape
from typing import Callable, List, Sequence

from ..words import bytes_text, grouped, rate_text, share_text, three_digits, time_text

MOST_ROWS = 1000
KINDS = {
    "measured": "measured by this execution",
    "simulated": "simulated on a described machine",
    "declared": "declared by the program's tasks, not measured",
    "described": "of the machine, as it says or as its file says",
    "estimated": "estimated from the other figures",
}


def rich(text: str) -> str:
    """Text in which `this` is code."""
    parts = escape(text).split("`")
    return "".join(f"<code>{part}</code>" if place % 2 else part for place, part in enumerate(parts))


def badge(kind: str) -> str:
    return f'<span class="badge {kind}" title="{escape(KINDS[kind])}">{kind}</span>'


class Column:
    """`pretty`: how its numbers are shown; None: as text."""

    def __init__(self, name: str, pretty: Callable[[float], str] = None, says: str = ""):
        self.name, self.pretty, self.says = name, pretty, says

    def cell(self, value) -> str:
        if value is None:
            return '<td class="none">not known</td>'
        if self.pretty is None:
            return f"<td{whole_title(value)}>{escape(str(value))}</td>"
        return f'<td data-value="{value!r}">{escape(self.pretty(value))}</td>'


def whole_title(name) -> str:
    """The attribute that tells a name which is shown shortened."""
    longer = getattr(name, "whole", name)
    return f' title="{escape(longer)}"' if longer != name else ""


def text(name, says=""):
    return Column(name, None, says)


def number(name, says=""):
    return Column(name, grouped, says)


def ns(name, says=""):
    return Column(name, time_text, says)


def size(name, says=""):
    return Column(name, bytes_text, says)


def share(name, says=""):
    return Column(name, share_text, says)


def rate(name, says=""):
    return Column(name, rate_text, says)


def ratio(name, says=""):
    return Column(name, three_digits, says)


def table(identity: str, caption: str, kinds: Sequence[str], columns: List[Column], rows: List[Sequence],
          total: int = None, folded: bool = True) -> str:
    """`rows` are its first ones if there are more than MOST_ROWS, or `total`, of them."""
    count = len(rows) if total is None else total
    shown = rows[:MOST_ROWS]
    head = "".join(f'<th scope="col"{tip(column)}>{escape(column.name)}</th>' for column in columns)
    body = "\n".join("<tr>" + "".join(column.cell(value) for column, value in zip(columns, row)) + "</tr>"
                     for row in shown)
    rest = f" The first {grouped(len(shown))} of {grouped(count)} rows; the file has all." if count > len(shown) else ""
    marks = " ".join(badge(kind) for kind in kinds)
    whole = (f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(caption)}">'
             f'<table id="{identity}"><caption>{escape(caption)} {marks}{rest}</caption>'
             f"<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody></table></div>")
    if not folded:
        return whole
    return f"<details><summary>{escape(caption)} in numbers ({grouped(count)})</summary>{whole}</details>"


def tip(column: Column) -> str:
    return f' title="{escape(column.says)}"' if column.says else ""


def section(identity: str, title: str, kinds: Sequence[str], *content: str) -> str:
    marks = " ".join(badge(kind) for kind in kinds)
    return (f'<section id="{identity}" aria-labelledby="{identity}-title">'
            f'<h2 id="{identity}-title">{escape(title)} {marks}</h2>\n' + "\n".join(content) + "\n</section>")


def paragraph(words: str, kind: str = "") -> str:
    return f'<p class="{kind}">{rich(words)}</p>' if kind else f"<p>{rich(words)}</p>"
