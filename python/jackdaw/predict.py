"""`jackdaw predict`: how long a program takes on a machine, by simulation, and by regressions on steals.

This module imports typer alone. What computes is imported when a command runs, so that help needs no pandas.
"""

from typing import List, Optional

import typer
from typer.core import TyperGroup

from jackdaw import progress
from jackdaw.mistake import Mistake
from jackdaw.words import escaped


class _Commands(TyperGroup):
    """`jackdaw predict PROGRAM ...` is `jackdaw predict program PROGRAM ...`."""

    def parse_args(self, context, arguments):
        if arguments and arguments[0] not in self.commands and arguments[0] not in ("-h", "--help"):
            arguments = ["program", *arguments]
        return super().parse_args(context, arguments)


commands = typer.Typer(cls=_Commands, no_args_is_help=True, rich_markup_mode=None,
                       help="Predict a program's time on a machine, or fit a model of runs.\n\n"
                            "`jackdaw predict PROGRAM --machine M` is short for `jackdaw predict program PROGRAM "
                            "--machine M`.")


def add_to(application):
    application.add_typer(commands, name="predict")


@commands.command()
def fit(
    runs: str = typer.Argument(..., metavar="RUNS.db", help="A database of bench, simulate or JACKDAW_STATS"),
    kernel: Optional[str] = typer.Option(None, help="Only runs of this kernel"),
    program: Optional[str] = typer.Option(None, help="Only runs of this program, with its options; * matches anything"),
    machine: Optional[str] = typer.Option(None, help="Only runs on this machine"),
    workers: Optional[int] = typer.Option(None, help="Only runs with this number of workers"),
    scheduler: Optional[str] = typer.Option(None, help="Only runs under this scheduler"),
    placement: Optional[str] = typer.Option(None, help="Only runs with this placement of memory"),
    order: Optional[str] = typer.Option(None, help="Only runs with workers in this order: scatter or compact"),
    sweep: Optional[str] = typer.Option(None, help="Only runs with this value of a sweep, as in link.bandwidth=50"),
    pinned: Optional[str] = typer.Option(None, metavar="yes|no", help="Only runs whose workers were bound to "
                                                                      "processors, or were not"),
    version: Optional[str] = typer.Option(None, "--jackdaw-version", help="Only runs of this version of jackdaw"),
    trace: Optional[str] = typer.Option(None, help="Only simulations of this trace"),
    kind: Optional[str] = typer.Option(None, help="Only runs of this kind: measured or simulated"),
    number: Optional[int] = typer.Option(None, "--id", help="Only runs of the bench, simulation or execution of this "
                                                            "number"),
    out: Optional[str] = typer.Option(None, "--out", "-o", help="Write the model to this file, for `predict apply`"),
    force: bool = typer.Option(False, "--force", help="Replace an existing file"),
    json: bool = typer.Option(False, "--json", help="Print the model as JSON instead of text"),
):
    """Fit time on steals by ordinary least squares.

    One line on remote steals, as the prediction paper has it (a, b, Pearson r, RMSE), and a second model on remote
    steals, local steals and remote bytes, with cross-validated errors. Says when they should not be believed. Where
    there is no model, none is written, and the exit status is 1.
    """
    with progress.saying(f"fitting the runs in {runs}"):
        from jackdaw import fit_text, model, whole_file
        from jackdaw.program import Failed
        if out is not None:
            whole_file.check(out, force, "--out", [runs])
        made = model.make(runs, {"kernel": kernel, "program": program, "machine": machine, "workers": workers,
                                 "scheduler": scheduler, "placement": placement, "order": order, "sweep": sweep,
                                 "pinned": pinned, "version": version, "trace": trace, "kind": kind, "id": number})
    failed = made.paper is None and made.extended is None
    if out is not None and not failed:
        whole_file.write(out, made.text(), "--out")
    typer.echo(made.text() if json else escaped(fit_text.text(made)), nl=not json)
    if failed:
        why = " ".join(made.doubts) or "nothing differs that explains time."
        raise Failed(f"{runs}: no model of these runs: {why}" + (f" {out} is not written." if out is not None else ""))
    if out is not None and not json:
        typer.echo(escaped(f"kept in {out}; `jackdaw predict apply {out} --machine M` asks it about another machine"))


@commands.command()
def apply(
    model_file: str = typer.Argument(..., metavar="MODEL", help="A model that `jackdaw predict fit --out` wrote"),
    machine: str = typer.Option(..., help="A machine file, or a name from `jackdaw machine list`"),
    workers: Optional[int] = typer.Option(None, min=1, help="Workers there; default: one for each core"),
    trained_on: Optional[str] = typer.Option(None, help="The machine file of the computer that the model's runs are "
                                                        "of, where the runs were measured"),
    runs: Optional[str] = typer.Option(None, help="A database with runs of the program on that machine: their steals "
                                                  "are used, and their times stand beside the predictions"),
    trace: Optional[str] = typer.Option(None, help="The recorded program, for the simulator; default: what the model "
                                                   "names"),
    seeds: int = typer.Option(5, min=1, max=1000, help="Simulations, each with its own random numbers"),
    simulate: bool = typer.Option(True, help="Ask the simulator as well"),
    json: bool = typer.Option(False, "--json", help="Print JSON instead of text"),
):
    """Predict the time on another machine by a model, with the simulator's answer beside it."""
    with progress.saying(f"asking {model_file} about {machine}"):
        from jackdaw import transfer
        found = transfer.apply(model_file, machine, transfer.Question(workers=workers, trained_on=trained_on, runs=runs,
                                                                      trace=trace, seeds=seeds, simulate=simulate))
    typer.echo(transfer.json_text(found) if json else escaped(transfer.text(found)))


@commands.command(context_settings={"ignore_unknown_options": False})
def program(
    name: str = typer.Argument(..., metavar="PROGRAM", help="A kernel from `jackdaw list`, a trace, or a program that "
                                                            "uses jackdaw, which is run once to record it"),
    arguments: Optional[List[str]] = typer.Argument(None, metavar="[-- ARGUMENTS...]", help="Of a program that is "
                                                                                            "recorded"),
    machine: str = typer.Option(..., help="A machine file, or a name from `jackdaw machine list`"),
    workers: Optional[int] = typer.Option(None, min=1, help="Workers there; default: one for each core"),
    scheduler: str = typer.Option("adws,random", help="Comma-separated schedulers; bounds are of the first one's time"),
    seeds: int = typer.Option(5, min=1, max=1000, help="Simulations of each, each with its own random numbers"),
    placement: str = typer.Option("first-touch", help="Where memory lies, as for `jackdaw simulate`"),
    size: Optional[str] = typer.Option(None, help="Problem size of a kernel"),
    shape: Optional[str] = typer.Option(None, help="Variant of a kernel"),
    iterations: Optional[int] = typer.Option(None, min=1, help="Iterations of an iterative kernel"),
    json: bool = typer.Option(False, "--json", help="Print JSON instead of text"),
):
    """What would this program do on that machine? Simulates it, and says what bounds it."""
    from jackdaw import foresight
    options = [word for option, value in (("--size", size), ("--shape", shape), ("--iterations", iterations))
               if value is not None for word in (option, str(value))]
    if arguments and options:
        raise Mistake(f"{options[0]}: an option of kernels, but {name} is given arguments of its own")
    found = foresight.ask(foresight.Question(program=name, arguments=list(arguments or []), options=options,
                                             machine=machine, workers=workers, schedulers=scheduler.split(","),
                                             seeds=seeds, placement=placement))
    typer.echo(foresight.json_text(found) if json else escaped(foresight.text(found)))
