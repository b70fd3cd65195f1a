"""The C++ in pages and in the comments of public headers compiles.

snippets_test.py SOURCE COMPILER: takes each block that a page fences as ```cpp, and each indented block of a ///
comment in include/jackdaw. A block with a main() is a program and has to compile as it stands. Other blocks are the
body of a function with an index i, or stand between functions if they are one, and see the names of snippets.hpp. A
block is exempt if the line before it is <!-- snippet: skip because REASON -->. Errors name the page and the line.
"""

import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SOURCE, COMPILER = Path(sys.argv[1]).resolve(), sys.argv[2]
del sys.argv[1:3]
NAMES = SOURCE / "tests/docs/snippets.hpp"
FENCED = re.compile(r"(?P<before>^[^\n]*\n)?^```cpp\n(?P<code>.*?)^```$", re.MULTILINE | re.DOTALL)
COMMENTED = re.compile(r"(?P<before>)(?P<code>(?:^ *///     .*\n)+)", re.MULTILINE)
SKIP = re.compile(r"<!-- snippet: skip because \S.* -->")
FUNCTION = re.compile(r"^[\w:<>&*]+ \w+\([^;]*\) \{$", re.MULTILINE)
FLAGS = ("-std=c++20", "-fsyntax-only", "-Wall", "-Werror", "-Wno-unused", f"-I{SOURCE / 'include'}")


class Snippet:
    """A block of code: where it stands, and its lines."""

    def __init__(self, path, line, code):
        self.path, self.line, self.code = path, line, code

    def is_program(self):
        return "int main(" in self.code

    def at_its_place(self, code):
        return f'#line {self.line} "{self.path}"\n{code}'

    def among_others(self, number, known):
        """The code in a namespace of its own; `known` are the namespaces of snippets.hpp."""
        code = re.sub(r"^#include.*", "", self.code, flags=re.MULTILINE)
        own = "of_" + Path(self.path).stem
        uses = [f"using namespace {name};" for name in ("of_any_page", own) if name in known]
        if not FUNCTION.match(code):
            code = f"void snippet(std::size_t i) {{\n{self.at_its_place(code)}}}\n"
        return f"namespace snippet_{number} {{\n{' '.join(uses)}\n{self.at_its_place(code)}}}\n"


def snippets(path, text):
    """The blocks of a page or a header."""
    for found in (COMMENTED if path.endswith(".hpp") else FENCED).finditer(text):
        if not SKIP.match(found["before"] or ""):
            code = re.sub(r"^ *///     ", "", found["code"], flags=re.MULTILINE)
            yield Snippet(path, text.count("\n", 0, found.start("code")) + 1, code)


def errors(of):
    """What the compiler says of snippets: one call for all parts, one for each program."""
    known = set(re.findall(r"^namespace (\w+)", NAMES.read_text(), re.MULTILINE))
    units = [each.at_its_place(each.code) for each in of if each.is_program()]
    parts = [each for each in of if not each.is_program()]
    units.append(f'#include "{NAMES}"\n' + "".join(each.among_others(n, known) for n, each in enumerate(parts)))
    with tempfile.TemporaryDirectory() as folder:
        unit = Path(folder) / "snippets.cpp"
        for text in units:
            unit.write_text(text, encoding="utf-8")
            yield subprocess.run((COMPILER, *FLAGS, unit), capture_output=True, text=True, check=False).stderr


class Snippets(unittest.TestCase):
    def test_compile(self):
        pages = [page for page in SOURCE.rglob("*.md") if "build" not in page.relative_to(SOURCE).parts]
        headers = [path for path in (SOURCE / "include/jackdaw").rglob("*.hpp") if "detail" not in path.parts]
        found = [each for path in sorted(pages + headers)
                 for each in snippets(str(path.relative_to(SOURCE)), path.read_text(encoding="utf-8"))]
        self.assertGreater(len(found), 10)
        self.assertTrue(any(each.is_program() for each in found))
        self.assertEqual("".join(errors(found)), "")

    def test_mistakes_are_found_where_they_stand(self):
        page = "One\n\n```cpp\nint x = 1;\nno_such_thing(x);\n```\n"
        self.assertIn("docs/page.md:5:", "".join(errors(list(snippets("docs/page.md", page)))))
        program = "```cpp\nint main() {\n  return no_such_thing;\n}\n```\n"
        self.assertIn("page.md:3:", "".join(errors(list(snippets("page.md", program)))))

    def test_a_block_is_exempt_for_a_reason_only(self):
        block = "```cpp\n...\n```\n"
        self.assertEqual(list(snippets("page.md", f"<!-- snippet: skip because it is pseudocode -->\n{block}")), [])
        self.assertEqual(len(list(snippets("page.md", f"<!-- snippet: skip -->\n{block}"))), 1)
        self.assertEqual(len(list(snippets("page.md", block + block))), 2)


if __name__ == "__main__":
    unittest.main()
