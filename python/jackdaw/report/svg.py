"""Pictures as inline SVG. Colours that are not data are classes of style.css, so that they follow the theme."""

import math
from html import escape
from typing import Sequence

from ..words import time_text

# One hue a socket, apart for people who do not see all colours as others do.
STOPS = ((84, 62, 152), (52, 106, 166), (33, 145, 140), (98, 184, 100), (235, 202, 62))
HUES = (210, 28, 160, 325, 48, 265, 0, 100)


class Picture:
    def __init__(self, identity: str, width: float, height: float, title: str, says: str, least: int = 0):
        """`says`: what it shows, for those who cannot see it. `least`: below that width (px) it is scrolled."""
        self.identity, self.width, self.height = identity, width, height
        self.title, self.says, self.least = title, says, least
        self.parts = []

    def rect(self, x, y, width, height, kind="", tip="", fill="", opacity=None, round_by=0):
        attributes = f' rx="{round_by}"' if round_by else ""
        if fill:
            attributes += f' fill="{fill}"'
        if opacity is not None:
            attributes += f' fill-opacity="{opacity:.3g}"'
        self._add(f'<rect x="{x:.2f}" y="{y:.2f}" width="{max(width, 0):.2f}" height="{max(height, 0):.2f}"{attributes}'
                  f"{named(kind)}", "rect", tip)

    def line(self, x1, y1, x2, y2, kind, tip=""):
        self._add(f'<line x1="{x1:.2f}" y1="{y1:.2f}" x2="{x2:.2f}" y2="{y2:.2f}"{named(kind)}', "line", tip)

    def path(self, d, kind, tip="", width=None, stroke=""):
        attributes = f' stroke-width="{width:.2f}"' if width is not None else ""
        if stroke:
            attributes += f' style="stroke:{stroke}"'
        self._add(f'<path d="{d}"{attributes}{named(kind)}', "path", tip)

    def circle(self, x, y, radius, kind="", tip="", fill=""):
        attributes = f' fill="{fill}"' if fill else ""
        self._add(f'<circle cx="{x:.2f}" cy="{y:.2f}" r="{radius}"{attributes}{named(kind)}', "circle", tip)

    def text(self, x, y, words, kind="", anchor="start", turn=None):
        turned = f' transform="rotate({turn} {x:.2f} {y:.2f})"' if turn is not None else ""
        self.parts.append(f'<text x="{x:.2f}" y="{y:.2f}" text-anchor="{anchor}"{turned}{named(kind)}>'
                          f"{escape(str(words))}</text>")

    def html(self) -> str:
        least = min(self.least or self.width, self.width)
        return (f'<figure class="scroll" tabindex="0" role="region" aria-label="{escape(self.title)}">'
                f'<svg id="{self.identity}" viewBox="0 0 {self.width:.0f} {self.height:.0f}" role="img" '
                f'style="min-width:{least:.0f}px;max-width:{self.width * 1.35:.0f}px" '
                f'aria-labelledby="{self.identity}-t {self.identity}-d">'
                f'<title id="{self.identity}-t">{escape(self.title)}</title>'
                f'<desc id="{self.identity}-d">{escape(self.says)}</desc>' + "".join(self.parts) + "</svg></figure>")

    def _add(self, opened: str, element: str, tip: str) -> None:
        self.parts.append(f"{opened}><title>{escape(tip)}</title></{element}>" if tip else f"{opened}/>")


def named(kind: str) -> str:
    return f' class="{kind}"' if kind else ""


def ticks(most: float, about: int = 4) -> Sequence[float]:
    """Round numbers from 0 up to the first one that is at least `most`."""
    if most <= 0:
        return (0.0, 1.0)
    size = 10.0 ** math.floor(math.log10(most / about))
    step = next(size * factor for factor in (1, 2, 2.5, 5, 10) if size * factor * about >= most * 0.999)
    count = math.ceil(most / step - 0.001)
    return tuple(step * place for place in range(count + 1))


def tick_text(ns: float) -> str:
    """A round number of ns, without digits that say nothing."""
    value, unit = time_text(ns).split(" ")
    return f"{float(value):g} {unit}" if ns else "0"


class Colours:
    """A colour for each worker: the hue is its socket's, the lightness its own."""

    def __init__(self, workers):
        self.of = {}
        packages = {}
        for each in workers:
            packages.setdefault(each.package, []).append(each.worker)
        for place, members in enumerate(packages[package] for package in sorted(packages)):
            hue = HUES[place % len(HUES)] + 17 * (place // len(HUES))
            for rank, worker in enumerate(members):
                light = 52 if len(members) == 1 else 36 + 34 * rank / (len(members) - 1)
                self.of[worker] = f"hsl({hue % 360} 62% {light:.0f}%)"
        self.sockets = [(package, [self.of[worker] for worker in packages[package]]) for package in sorted(packages)]

    def worker(self, number: int) -> str:
        return self.of.get(number, "hsl(0 0% 55%)")


def position_colour(share: float) -> str:
    """For a place in the data, from 0 (violet) over green to 1 (yellow); readable without seeing all hues, for the
    lightness grows."""
    at = min(max(share, 0.0), 1.0) * (len(STOPS) - 1)
    place = min(int(at), len(STOPS) - 2)
    low, high = STOPS[place], STOPS[place + 1]
    return "#" + "".join(f"{round(a + (b - a) * (at - place)):02x}" for a, b in zip(low, high))
