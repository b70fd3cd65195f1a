"""The typer application: which commands there are, and how their mistakes end."""

import importlib

import typer

from jackdaw import __main__ as script
from jackdaw import program
from jackdaw.mistake import Mistake

# Each is a module with a function add_to(application), which adds the command of that name. A module is imported only
# when its command runs or help is printed for all.
COMMANDS = {"predict": "jackdaw.predict", "report": "jackdaw.report"}

# Newer versions of typer have a click of their own, older ones the package.
ClickException = next(each for each in typer.BadParameter.__mro__ if each.__name__ == "ClickException")


def _application(names) -> typer.Typer:
    made = typer.Typer(help="Commands of jackdaw that draw, fit and predict.", add_completion=False,
                       no_args_is_help=True, pretty_exceptions_enable=False, rich_markup_mode=None,
                       context_settings={"help_option_names": ["-h", "--help"]})

    @made.callback()
    def nothing():  # with a callback, typer keeps the name of an only command
        pass

    for name in names:
        importlib.import_module(COMMANDS[name]).add_to(made)
    return made


def run(arguments) -> int:
    """Runs the command line `arguments`; returns the exit status. A Mistake and click's errors become one line."""
    names = [arguments[0]] if arguments and arguments[0] in COMMANDS else list(COMMANDS)
    try:
        command = typer.main.get_command(_application(names))
        result = command.main(args=arguments, prog_name="jackdaw", standalone_mode=False)
        return result if isinstance(result, int) else script.GOOD
    except Mistake as mistake:
        return script.complain(mistake)
    except program.Failed as failure:
        return script.complain(failure, script.FAILED)
    except typer.Abort:
        return 130
    except ClickException as mistake:
        return script.complain(f"{mistake.format_message()} (jackdaw {' '.join(arguments[:1])} --help tells more)")
    except typer.Exit as end:
        return end.exit_code
