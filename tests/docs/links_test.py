"""Every link of a page leads to a file of the project, and to a heading where it names one."""

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


class Links(unittest.TestCase):
    def test_lead_somewhere(self):
        pages = [page for page in ROOT.rglob("*.md") if "build" not in page.relative_to(ROOT).parts]
        self.assertGreater(len(pages), 30)
        self.assertEqual([wrong for page in pages for wrong in broken(page, page.read_text())], [])

    def test_that_lead_nowhere_are_found(self):
        page = ROOT / "docs" / "README.md"
        text = "# One two: `three`\n[a](missing.md) [b](#one-two-three) [c](#four) [d](api.md#nothing) [e](https://x.org/y)\n"
        self.assertEqual(len(list(broken(page, text))), 3)


if __name__ == "__main__":
    unittest.main()
