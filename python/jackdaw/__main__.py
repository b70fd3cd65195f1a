"""The commands that the program `jackdaw` leaves to Python: python3 -m jackdaw predict ..., and the scripts
jackdaw-predict and jackdaw-report.

Exit status as everywhere in jackdaw: 0 success; 1 a failure; 2 bad input, which one line on stderr names.
"""

import os
import sys

GOOD, FAILED, BAD_INPUT = 0, 1, 2
# The packages by the names that they are imported by, and in Debian.
PACKAGES = {"pandas": "python3-pandas", "plotly": "python3-plotly", "statsmodels": "python3-statsmodels",
            "typer": "python3-typer"}
# What these need themselves: a broken installation lacks one of them.
INDIRECT = ("click", "dateutil", "numpy", "patsy", "pytz", "scipy", "tenacity", "packaging", "typing_extensions")


def complain(message, status=BAD_INPUT):
    from jackdaw.words import escaped
    print("jackdaw: " + escaped(" ".join(str(message).split())), file=sys.stderr)
    return status


def main(arguments=None):
    """Runs one command and returns its exit status. `arguments`: without the program's name; None: sys.argv's."""
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    if sys.version_info < (3, 9):
        return complain(f"Python {sys.version_info[0]}.{sys.version_info[1]}, expected 3.9 or later")
    try:
        from jackdaw import application
        status = application.run(arguments)
        sys.stdout.flush()
        return status
    except ModuleNotFoundError as missing:
        package = (missing.name or "").partition(".")[0]
        if package not in PACKAGES and package not in INDIRECT:
            raise
        needs = ["typer"] if arguments[:1] == ["report"] else list(PACKAGES)
        return complain(f"the Python package {package} is missing in {sys.executable}; install it by `pip install "
                        f"{' '.join(needs)}`, or on Debian by `apt install {' '.join(map(PACKAGES.get, needs))}`, or "
                        "name another Python in JACKDAW_PYTHON")
    except OSError as failure:
        # A closed pipe or a full disk. Python would fail again when it flushes stdout at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED if isinstance(failure, BrokenPipeError) else complain(failure, FAILED)
    except KeyboardInterrupt:
        return 130


def predict():
    """The script jackdaw-predict."""
    return main(["predict", *sys.argv[1:]])


def report():
    """The script jackdaw-report."""
    return main(["report", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
