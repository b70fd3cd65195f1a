"""Opens pages in a headless Chromium and tells what happened: the DOM, the console, and what was asked of servers."""

import json
import os
import shutil
import subprocess
import tempfile
import unittest
from html.parser import HTMLParser
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
QUIET = ("--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run", "--disable-sync",
         "--disable-background-networking", "--disable-component-update", "--disable-default-apps",
         "--disable-extensions", "--disable-dev-shm-usage", "--no-proxy-server", "--enable-logging=stderr",
         "--log-level=0",
         "--host-resolver-rules=MAP * ~NOTFOUND")  # nothing leaves: not what the browser asks for itself either
VOID = {"area", "base", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"}


def program():
    """The browser. Skips the test where there is none, unless JACKDAW_REQUIRE_CHROMIUM is set."""
    for name in (os.environ.get("JACKDAW_CHROMIUM"), *NAMES):
        found = name and shutil.which(name)
        if found:
            return found
    if os.environ.get("JACKDAW_REQUIRE_CHROMIUM"):
        raise AssertionError("no Chromium, expected one, as JACKDAW_REQUIRE_CHROMIUM is set: scripts/setup.sh browser")
    raise unittest.SkipTest("no Chromium: scripts/setup.sh browser installs it")


class Opened:
    """A page after its scripts ran. `console`: its messages; `asked`: URLs other than files and data."""

    def __init__(self, page, script="", width=1000, virtual=True):
        """`virtual`: its clock runs on while nothing happens, so that timers are waited for; not for measurements."""
        chromium = program()
        with tempfile.TemporaryDirectory() as folder:
            text = Path(page).read_text(encoding="utf-8")
            if script:
                text = text.replace("</body>", f"<script>{script}</script></body>")
            copy = Path(folder, "page.html")
            copy.write_text(text, encoding="utf-8")
            log = Path(folder, "net.json")
            more = ("--virtual-time-budget=3000",) if virtual else ()
            ended = subprocess.run(
                [chromium, *QUIET, *more, f"--user-data-dir={folder}/profile", f"--window-size={width},900",
                 f"--log-net-log={log}", "--dump-dom", copy.as_uri()],
                capture_output=True, text=True, timeout=90, check=False)
            if ended.returncode != 0:
                raise AssertionError(f"{chromium} ended with {ended.returncode}: {ended.stderr[-2000:]}")
            self.asked = requests(log)
        self.dom = parse(ended.stdout)
        self.console = [line for line in ended.stderr.splitlines() if "CONSOLE" in line]


def requests(log):
    """What the page asked for: the browser's own requests have no origin."""
    kept = json.loads(log.read_text(encoding="utf-8"))
    urls = {event["params"]["url"] for event in kept["events"]
            if event.get("params", {}).get("initiator", "not an origin") != "not an origin"
            and "url" in event["params"]}
    return sorted(url for url in urls if not url.startswith(("file:", "data:")))


class Element:
    def __init__(self, name, attributes, parent):
        self.name, self.attributes, self.parent, self.children = name, dict(attributes), parent, []

    def text(self):
        return "".join(each if isinstance(each, str) else each.text() for each in self.children)

    def all(self, name=None, **attributes):
        """Elements below it, in the order of the document."""
        for each in self.children:
            if isinstance(each, str):
                continue
            if name in (None, each.name) and attributes.items() <= each.attributes.items():
                yield each
            yield from each.all(name, **attributes)

    def first(self, name=None, **attributes):
        return next(self.all(name, **attributes), None)


def parse(text):
    builder = Builder()
    builder.feed(text)
    return builder.root


class Builder(HTMLParser):
    def __init__(self):
        super().__init__()
        self.root = self.at = Element("", {}, None)

    def handle_starttag(self, tag, attrs):
        made = Element(tag, attrs, self.at)
        self.at.children.append(made)
        if tag not in VOID:
            self.at = made

    def handle_startendtag(self, tag, attrs):
        self.at.children.append(Element(tag, attrs, self.at))

    def handle_endtag(self, tag):
        at = self.at
        while at.parent is not None and at.name != tag:
            at = at.parent
        if at.parent is not None:
            self.at = at.parent

    def handle_data(self, data):
        self.at.children.append(data)


def rows(dom, table):
    """The exact values of a table's cells: numbers where a cell has one, None where nothing is known, else text."""
    found = dom.first("table", id=table)
    if found is None:
        return None
    return [tuple(value(cell) for cell in row.all("td")) for row in found.first("tbody").all("tr")]


def value(cell):
    if "data-value" in cell.attributes:
        return float(cell.attributes["data-value"])
    return None if cell.attributes.get("class") == "none" else cell.text()
