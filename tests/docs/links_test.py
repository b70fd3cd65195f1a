"""Every link of a page leads to a file of the project, and to a heading where it names one; results say how they were
made, and a paper's page is short."""

import re
import sys
import unittest
from pathlib import Path

ROOT = Path(sys.argv.pop(1)).resolve()
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
FENCE = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)


def anchors(text):
    """The anchors of a page's headings, as web sites of repositories make them."""
    titles = re.findall(r"^#+ +(.*?) *$", FENCE.sub("", text), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def broken(page, text):
    """What is wrong with the links of a page."""
    for link in LINK.findall(re.sub(r"`[^`\n]*`", "", FENCE.sub("", text))):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if not target.exists():
            yield f"{page.relative_to(ROOT)}: {link}: no such file"
        elif anchor and anchor not in anchors(target.read_text() if target != page else text):
            yield f"{page.relative_to(ROOT)}: {link}: no such heading"


def unsaid(text):
    """What a page of results does not say on top."""
    said = text[: text.find("\n| ")]
    return [what for what in ("Command", "Commit", "Date", "Kind", "Machine") if f"\n- **{what}**: " not in said]


class Links(unittest.TestCase):
    def test_lead_somewhere(self):
        pages = [page for page in ROOT.rglob("*.md") if "build" not in page.relative_to(ROOT).parts]
        self.assertGreater(len(pages), 30)
        self.assertEqual([wrong for page in pages for wrong in broken(page, page.read_text())], [])

    def test_that_lead_nowhere_are_found(self):
        page = ROOT / "docs" / "README.md"
        text = "# One two: `three`\n[a](missing.md) [b](#one-two-three) [c](#four) [d](api.md#nothing) [e](https://x.org/y)\n"
        self.assertEqual(len(list(broken(page, text))), 3)


class Results(unittest.TestCase):
    def test_say_how_they_were_made(self):
        index = (ROOT / "results" / "README.md").read_text()
        pages = [page for page in (ROOT / "results").glob("*.md") if page.name != "README.md"]
        self.assertGreater(len(pages), 3)
        for page in pages:
            self.assertEqual(unsaid(page.read_text()), [], page.name)
            self.assertIn(f"\n| [{page.name}]({page.name}) |", index)

    def test_that_say_nothing_are_found(self):
        self.assertEqual(unsaid("# T\n\n- **Command**: x\n- **Date**: y\n\n| - **Kind**: z |\n"),
                         ["Commit", "Kind", "Machine"])

    def test_papers_have_short_pages(self):
        pages = list((ROOT / "docs" / "papers").glob("*.md"))
        self.assertGreater(len(pages), 4)
        for page in pages:
            self.assertLessEqual(len(page.read_text().splitlines()), 100, page.name)


if __name__ == "__main__":
    unittest.main()
