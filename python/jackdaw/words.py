"""How quantities are written: short enough for a sentence, with their units."""

import math
import unicodedata

LONGEST_NAME = 80
LONGEST_WHOLE = 500


class Name(str):
    """A name of the user's, to be shown: on one line, and shortened. `whole`: the same with up to LONGEST_WHOLE
    characters."""
    whole: str

    def __new__(cls, text: str):
        clean = one_line(text)
        made = super().__new__(cls, shortened(clean, LONGEST_NAME))
        made.whole = shortened(clean, LONGEST_WHOLE)
        return made


def one_line(text: str) -> str:
    """With a space for each control character and line's end."""
    return "".join(each if each.isprintable() else " " for each in text)


def escaped(text: str) -> str:
    """As it is safe to print on a terminal: what is neither visible nor a line's end is escaped."""
    return "".join(each if each.isprintable() or each == "\n" else each.encode("unicode_escape").decode()
                   for each in text)


def shortened(text: str, most: int) -> str:
    return text if len(text) <= most else text[:most - 3] + "..."


def narrowed(text: str, most: int) -> str:
    """Shortened to so many letters' width in a picture; those of some scripts are twice as wide."""
    width = 0
    for at, each in enumerate(text):
        width += 2 if unicodedata.east_asian_width(each) in "WF" else 1.75 if each in "WMmw@%" else 1
        if width > most:
            return text[:max(at - 3, 0)] + "..."
    return text


def bytes_text(count: float) -> str:
    for unit, size in (("TiB", 1 << 40), ("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)):
        if abs(count) >= size:
            return f"{three_digits(count / size)} {unit}"
    return f"{count:.0f} B"


def time_text(ns: float, exact: bool = False) -> str:
    """1234567 -> '1.23 ms'. `exact`: '1.235 ms', of results that are computed with."""
    if not math.isfinite(ns):
        return "unknown"
    for unit, size in (("s", 1e9), ("ms", 1e6), ("us", 1e3)):
        if abs(ns) >= size:
            return f"{f'{ns / size:.4g}' if exact else three_digits(ns / size)} {unit}"
    return f"{ns:.4g} ns" if exact else f"{ns:.0f} ns"


def exact_time_text(ns: float) -> str:
    return time_text(ns, exact=True)


def rate_text(bytes_per_second: float) -> str:
    return f"{three_digits(bytes_per_second / 1e9)} GB/s"


def share_text(share: float) -> str:
    percent = 100 * share
    if 0 < percent < 0.95:
        return "less than 1%"
    return f"{percent:.0f}%"


def count_text(count: float, noun: str) -> str:
    plural = noun[:-1] + "ies" if noun.endswith("y") else noun + "s"
    return f"{grouped(count)} {noun if count == 1 else plural}"


def grouped(count: float) -> str:
    return f"{count:,.0f}".replace(",", " ")


def three_digits(value: float) -> str:
    size = abs(value)
    return f"{value:.0f}" if size >= 100 else f"{value:.1f}" if size >= 10 else f"{value:.2f}"


def listed(words) -> str:
    words = list(words)
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " and " + words[-1]
