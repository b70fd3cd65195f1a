"""The API reference builds without a warning, every public name has a text, and every link in it leads somewhere.

reference_test.py SOURCE BUILD: needs doxygen; without it the test is skipped (exit status 77).
"""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

SOURCE, BUILD = (Path(path).resolve() for path in sys.argv[1:3])
del sys.argv[1:3]
READ_BY_DOXYGEN = ("CMakeLists.txt", "docs", "examples", "include", "scripts/docs.sh")


def build(source, folder):
    """Runs scripts/docs.sh of a source tree."""
    return subprocess.run([source / "scripts/docs.sh", folder], capture_output=True, text=True, check=False,
                          env=os.environ | {"DOXYGEN_OPTIONS": "GENERATE_XML = YES"})


class Page(HTMLParser):
    """The links of a page, and the anchors that links can lead to."""

    def __init__(self, path):
        super().__init__()
        self.links, self.anchors = [], set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        named = dict(attrs)
        self.anchors.update(named[key] for key in ("id", "name") if named.get(key))
        self.links += [named[key] for key in ("href", "src") if named.get(key)]


def broken_links(folder):
    """What is wrong with the links of all pages in a folder."""
    pages = {path: Page(path) for path in folder.rglob("*.html")}
    for path, page in pages.items():
        for link in page.links:
            target, _, anchor = unquote(link).partition("#")
            if ":" in target:  # of another site, or a script
                continue
            leads_to = (path.parent / target.partition("?")[0]).resolve() if target else path
            if not leads_to.exists():
                yield f"{path.name}: {link}: no such file"
            elif anchor and leads_to in pages and anchor not in pages[leads_to].anchors:
                yield f"{path.name}: {link}: no such anchor"


def is_blank(element):
    return element is None or not "".join(element.itertext()).strip()


class Reference(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = BUILD / "reference"
        cls.built = build(SOURCE, cls.folder)

    def test_builds_without_warnings(self):
        self.assertEqual(self.built.returncode, 0, self.built.stdout + self.built.stderr)
        self.assertEqual(self.built.stderr, "")

    def test_every_link_leads_somewhere(self):
        self.assertGreater(len(list((self.folder / "html").rglob("*.html"))), 60)
        self.assertEqual(list(broken_links(self.folder / "html")), [])

    def test_every_header_and_every_enumerator_has_a_text(self):
        """Doxygen gives no warning for these."""
        headers, silent = set(), []
        for path in (self.folder / "xml").glob("*.xml"):
            for place in ElementTree.parse(path).iter("location"):
                headers.add(Path(place.get("file")))
            silent += [value.findtext("name") for value in ElementTree.parse(path).iter("enumvalue")
                       if is_blank(value.find("briefdescription")) and is_blank(value.find("detaileddescription"))]
        self.assertEqual(silent, [])
        public = [path.relative_to(SOURCE / "include") for path in (SOURCE / "include/jackdaw").rglob("*.hpp")
                  if "detail" not in path.parts]
        self.assertGreater(len(public), 30)
        self.assertEqual([path for path in public if path not in headers], [])

    def test_every_header_is_in_a_group(self):
        for path in (SOURCE / "include/jackdaw").rglob("*.hpp"):
            if "detail" not in path.parts and "\nnamespace jackdaw {\n" in path.read_text():
                seen = subprocess.run(("awk", "-f", SOURCE / "docs/reference/public.awk", path), capture_output=True,
                                      text=True, check=True).stdout
                self.assertIn("@addtogroup", seen, path)

    def test_every_example_is_in_it(self):
        listed = (SOURCE / "docs/reference/main.dox").read_text()
        examples = [*(SOURCE / "examples").glob("[0-9]*"), *(SOURCE / "docs").glob("*.cpp")]
        self.assertEqual([path.name for path in examples if f"@example {path.name}\n" not in listed], [])


class Mistakes(unittest.TestCase):
    """What the reference must not accept, in copies of the sources."""

    def built_with(self, header, before, after):
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder)
            for name in READ_BY_DOXYGEN:
                (copy / name).parent.mkdir(parents=True, exist_ok=True)
                (shutil.copytree if (SOURCE / name).is_dir() else shutil.copy)(SOURCE / name, copy / name)
            text = (copy / header).read_text()
            self.assertIn(before, text)
            (copy / header).write_text(text.replace(before, after, 1))
            return build(copy, copy / "out")

    def test_an_undocumented_function_is_refused(self):
        built = self.built_with("include/jackdaw/work.hpp", "namespace jackdaw {\n",
                                "namespace jackdaw {\n\nvoid surprise();\n")
        self.assertNotEqual(built.returncode, 0)
        self.assertIn("surprise() (function) of namespace jackdaw is not documented", built.stderr)

    def test_an_undocumented_member_is_refused(self):
        built = self.built_with("include/jackdaw/options.hpp", "struct options {\n",
                                "struct options {\n  int surprise;\n\n")
        self.assertNotEqual(built.returncode, 0)
        self.assertIn("surprise (variable)", built.stderr)

    def test_a_parameter_that_is_not_there_is_refused(self):
        built = self.built_with("include/jackdaw/work.hpp", "@param amount", "@param surprise")
        self.assertNotEqual(built.returncode, 0)
        self.assertIn("'surprise'", built.stderr)

    def test_links_that_lead_nowhere_are_found(self):
        with tempfile.TemporaryDirectory() as folder:
            page = Path(folder) / "page.html"
            page.write_text('<a id="here"></a><a href="#here"></a><a href="page.html#gone"></a><a href="gone.html"></a>'
                            '<a href="https://example.org/gone"></a>')
            self.assertEqual(list(broken_links(page.parent)), ["page.html: page.html#gone: no such anchor",
                                                               "page.html: gone.html: no such file"])


if __name__ == "__main__":
    if shutil.which("doxygen") is None:
        print("doxygen is not installed: scripts/setup.sh docs")
        sys.exit(77)
    unittest.main()
