"""`jackdaw report`: one page of HTML about an execution (docs/report.md)."""

import os
import tempfile

from jackdaw.mistake import Mistake

MOST_OTHERS = 200


def add_to(application):
    import typer

    @application.command()
    def report(file: str = typer.Argument(..., metavar="FILE", help="results of a program that ran with JACKDAW_STATS, "
                                          "of `jackdaw bench` or of `jackdaw simulate`"),
               execution: int = typer.Option(None, "--execution", metavar="N", help="which one; default: the latest"),
               output: str = typer.Option("report.html", "-o", "--output", metavar="PAGE",
                                          help="where the page goes")):
        """Makes a page about an execution: what costs most and what would mend it, with pictures and tables."""
        said = write(file, output, execution)
        print(f"{output}: {said}")


def write(path, page, number=None) -> str:
    """Writes the page; returns its first sentence. Raises Mistake for files that cannot be read or written."""
    from jackdaw import diagnosis, execution, results
    from jackdaw.report import page as html_page
    check_target(page)
    with results.read(path) as kept:
        known = execution.ids(kept)
        if not known:
            older = "" if kept.has("execution") else f" (its version is {kept.version}; executions came with version 4)"
            raise Mistake(f"{path}: no execution in it{older}, expected one of a program that ran with JACKDAW_STATS, "
                          "of bench or of simulate")
        one = execution.read(kept, known[-1] if number is None else number)
        others = [execution.read(kept, each, brief=True) for each in execution.alike(kept, one.id)[-MOST_OTHERS:]
                  if each != one.id]
        text = html_page.make(one, others, kept)
    replace(page, text)
    return diagnosis.diagnose(one, others).headline


def check_target(page) -> None:
    """Before the work: a page that cannot be written is the user's mistake."""
    folder = os.path.dirname(os.path.abspath(page))
    if os.path.isdir(page):
        raise Mistake(f"{page}: a folder, expected a file to write the page to")
    if not os.path.isdir(folder):
        raise Mistake(f"{page}: its folder does not exist, expected a file in an existing folder")
    if not os.access(folder, os.W_OK) or (os.path.exists(page) and not os.access(page, os.W_OK)):
        raise Mistake(f"{page}: not writable, expected a file that can be written")


def replace(page, text: str) -> None:
    """Writes the file as a whole, or leaves what was there."""
    try:
        if os.path.exists(page) and not os.path.isfile(page):  # /dev/stdout
            with open(page, "w", encoding="utf-8") as file:
                file.write(text)
            return
        target = os.path.realpath(page)
        handle, part = tempfile.mkstemp(dir=os.path.dirname(target), prefix=".report-")
        try:
            with open(handle, "w", encoding="utf-8") as file:
                file.write(text)
            mask = os.umask(0)
            os.umask(mask)
            os.chmod(part, 0o666 & ~mask)
            os.replace(part, target)
        except BaseException:
            os.unlink(part)
            raise
    except OSError as failure:
        raise Mistake(f"{page}: {failure.strerror}, expected a file that can be written") from None
