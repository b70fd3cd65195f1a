"""Checks that compat/tbb has each header of the installed oneTBB that reaches, by paths of oneTBB's own, one of those
that compat/tbb replaces. usage: folder_test.py COMPAT-FOLDER ONETBB-FOLDER"""

import pathlib
import re
import sys

REPLACED = ("parallel_for.h", "parallel_reduce.h", "parallel_invoke.h", "task_group.h", "task_arena.h", "task.h")


def main() -> None:
    ours = pathlib.Path(sys.argv[1])
    theirs = pathlib.Path(sys.argv[2]) / "oneapi" / "tbb"
    included = {
        file.resolve(): [(file.parent / name).resolve()
                         for name in re.findall(r'#\s*include "([^"]+)"', file.read_text(errors="replace"))]
        for file in (*theirs.glob("*.h"), *theirs.glob("detail/*.h"))
    }
    reaching = {(theirs / name).resolve() for name in REPLACED}
    size = 0
    while size != len(reaching):
        size = len(reaching)
        reaching |= {file for file, names in included.items() if reaching.intersection(names)}
    public = {file.name for file in reaching if file.parent == theirs.resolve()}
    if len(public) <= len(REPLACED):
        sys.exit(f"found nothing in {theirs}")
    for folder in ("oneapi/tbb", "tbb"):
        missing = public - {file.name for file in (ours / folder).glob("*.h")}
        if missing:
            sys.exit(f"{ours / folder} lacks {', '.join(sorted(missing))}")
    print(f"{len(public)} headers")


if __name__ == "__main__":
    main()
