"""visibility_test.py ROOT: what public headers declare is exported by a shared library, whose default is to hide.

Each header that declares anything has `JACKDAW_EXPORT_BEGIN` behind its includes, and `JACKDAW_EXPORT_END` at the end.
For g++ the first declaration of a class decides, so a source that names a public class first has to say the same.
"""

import re
import sys
from pathlib import Path

PUBLIC_CLASS = re.compile(
    r"^(?:class|struct)(?: alignas\([^)]*\)| \[\[[^]]*\]\])? (\w+)(?: : [^{;]*)? \{", re.MULTILINE)
PUSH, POP = "JACKDAW_EXPORT_BEGIN", "JACKDAW_EXPORT_END"


def complaint(text):
    """What is wrong with a header, or None."""
    lines = [line for line in text.splitlines() if line.strip()]
    declares = [i for i, line in enumerate(lines) if re.match(r'namespace|extern "C"', line)]
    pushes = [i for i, line in enumerate(lines) if line.startswith(PUSH)]
    pops = [i for i, line in enumerate(lines) if line.startswith(POP)]
    if not declares:
        return f"{PUSH} where nothing is declared" if pushes else None
    if len(pushes) != 1 or len(pops) != 1:
        return f"expected one '{PUSH}' and one '{POP}'"
    if any(i > pushes[0] for i, line in enumerate(lines) if line.startswith("#include")):
        return f"an include behind '{PUSH}', expected none"
    if pops[0] != len(lines) - 1:
        return f"expected '{POP}' at the end"
    # Before it there may be declarations of internal classes.
    for line in lines[declares[0] : pushes[0]]:
        if not re.match(r"(namespace [\w:]+ \{|(class|struct) \w+;|\}.*|//.*)$", line):
            return f"'{line}' before '{PUSH}', expected only names of classes there"
    return None


def hidden_names(text, public):
    """Lines that name a public class before its header does, without saying that it is visible."""
    visible = False
    for number, line in enumerate(text.splitlines(), 1):
        if line in (PUSH, POP):
            visible = line == PUSH
        named = re.match(r"(?:class|struct) (\w+);", line)
        if named and named[1] in public and not visible:
            yield f"{number}: '{line}', a public class, expected '{PUSH}' before it"


def main():
    root = Path(sys.argv[1])
    public = set()
    found = []
    for header in sorted((root / "include" / "jackdaw").rglob("*.h*")):
        text = header.read_text()
        public.update(PUBLIC_CLASS.findall(text))
        wrong = complaint(text)
        if wrong:
            found.append(f"{header.relative_to(root)}: {wrong}")
    if "task_group" not in public:
        found.append("include/jackdaw: no class task_group found, expected the public classes there")
    for source in sorted((root / "src").rglob("*.[ch]pp")):
        found += [f"{source.relative_to(root)}:{line}" for line in hidden_names(source.read_text(), public)]
    print(*found, sep="\n", end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
