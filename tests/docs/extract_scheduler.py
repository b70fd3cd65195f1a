"""extract_scheduler.py PAGE LIST FOLDER: takes the scheduler of docs/adding-a-scheduler.md out of its page.

Writes FOLDER/socket_first.cpp, and FOLDER/sched/list.def, which is LIST with the page's line at its end. A file whose
text does not change keeps its time.
"""
import pathlib
import re
import sys


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def main():
    page, schedulers, folder = (pathlib.Path(each) for each in sys.argv[1:])
    text = page.read_text()
    code = re.findall(r"^```cpp\n(.*?)^```$", text, re.S | re.M)
    line = re.findall(r"^```\n(SCHEDULERS\(\w+\)\n)^```$", text, re.S | re.M)
    if len(code) != 1 or len(line) != 1:
        sys.exit(f"{page}: {len(code)} blocks of C++ and {len(line)} lines for the list, expected one of each")
    write(folder / "socket_first.cpp", code[0])
    known = schedulers.read_text()
    # Whoever tries the page in this tree has added the line already.
    write(folder / "sched/list.def", known if line[0] in known else known + line[0])


main()
