"""`jackdaw report`: one page of HTML about an execution (docs/report.md)."""

import sys

from jackdaw import whole_file
from jackdaw.mistake import Mistake
from jackdaw.words import escaped

MOST_OTHERS = 200


def add_to(application):
    import typer

    @application.command()
    def report(file: str = typer.Argument(..., metavar="FILE", help="results of a program that ran with JACKDAW_STATS, "
                                          "of `jackdaw bench` or of `jackdaw simulate`"),
               execution: int = typer.Option(None, "--execution", metavar="N", help="which one; default: the latest, "
                                             "of a process with several runtimes the one with most busy time"),
               output: str = typer.Option("report.html", "-o", "--output", metavar="PAGE",
                                          help="where the page goes")):
        """Makes a page about an execution: what costs most and what would mend it, with pictures and tables."""
        said = write(file, output, execution)
        # Where the page itself goes to standard output or to a pipe, the sentence must not be within it.
        print(escaped(f"{output}: {said}"), file=sys.stderr if whole_file.is_stream(output) else sys.stdout)


def write(path, page, number=None) -> str:
    """Writes the page; returns its first sentence. Raises Mistake for files that cannot be read or written."""
    from jackdaw import progress
    with progress.saying(f"making a page of {path}"):
        return _write(path, page, number)


def _write(path, page, number) -> str:
    from jackdaw import choice, diagnosis, execution, progress, results
    from jackdaw.report import page as html_page
    whole_file.check(page, True, "--output", [path])
    with results.read(path) as kept:
        known = execution.ids(kept)
        if not known:
            older = "" if kept.has("execution") else f" (its version is {kept.version}; executions came with version 4)"
            raise Mistake(f"{path}: no execution in it{older}, expected one of a program that ran with JACKDAW_STATS, "
                          "of bench or of simulate")
        one = execution.read(kept, choice.latest(kept) if number is None else number)
        alike = [each for each in execution.alike(kept, one.id)[-MOST_OTHERS:] if each != one.id]
        others = []
        for each in alike:
            progress.say(f"making a page of {path}: execution {len(others) + 1} of {len(alike)} to compare with")
            others.append(execution.read(kept, each, brief=True))
        progress.say(f"making a page of {path}: drawing")
        text = html_page.make(one, others, kept)
    whole_file.write(page, text, "--output")
    return diagnosis.diagnose(one, others).headline
