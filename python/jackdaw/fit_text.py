"""What `jackdaw predict fit` prints."""

from __future__ import annotations

import math

from jackdaw import regression
from jackdaw.words import exact_time_text as time_text


def _bounds(each, text) -> str:
    return f"[{text(each.low)}, {text(each.high)}]" if math.isfinite(each.low) else "[no interval: too few runs]"


def _line(label, text):
    return f"  {label:<18} {text}"


def _fitted(line, title):
    out = [title]
    out.append(_line("intercept a", f"{time_text(line.intercept.value)} {_bounds(line.intercept, time_text)}"))
    for name, slope in line.slopes.items():
        unit = regression.UNITS[name]
        label = "slope b" if len(line.slopes) == 1 and line.pearson else regression.NAMES[name]
        out.append(_line(label, f"{slope.value:.5g} {unit} {_bounds(slope, lambda value: f'{value:.5g}')}"))
    if line.pearson is not None:
        out.append(_line("Pearson r", f"{line.pearson.value:.4f} "
                         f"{_bounds(line.pearson, lambda value: f'{value:.3f}')}"))
    else:
        out.append(_line("R squared", f"{line.r_squared:.4f}"))
    out.append(_line("RMSE", f"{time_text(line.rmse)} (root of SSE/n; of SSE/(n-{line.runs - line.freedom}): "
                     f"{time_text(line.standard_error)}; root of SSE, over n: {time_text(line.root_over_n)})"))
    if line.held_out is not None:
        out.append(_line("held-out error", f"{time_text(line.held_out)}, {100 * line.held_out / line.mean_ns:.3g}% of "
                         f"the mean time (predicting the mean: {time_text(line.held_out_mean)}; {line.folds} folds)"))
    for name, why in line.left_out.items():
        out.append(_line("left out", f"{regression.NAMES[name]}: {why}"))
    for doubt in line.doubts:
        out.append(_line("doubt", doubt))
    return out


def verdict(model) -> str:
    """One sentence."""
    doubts = len(model.doubts) + (len(model.paper.doubts) if model.paper is not None else 0)
    if model.paper is None:
        if model.extended is None:
            return "There is no model of these runs."
        used = ", ".join(regression.NAMES[name] for name in model.extended.slopes)
        doubts = len(model.extended.doubts)
        said = f"There is no line on remote steals, only the model on {used}"
        if doubts:
            said += f"; {'a doubt stands' if doubts == 1 else f'{doubts} doubts stand'} above"
        return said + "."
    if doubts:
        return f"The line should not be believed: {'a doubt' if doubts == 1 else f'{doubts} doubts'} above."
    least, _, most = model.paper.ranges["remote_steals"]
    return (f"Nothing speaks against the line from {least:.4g} to {most:.4g} remote steals. It says what goes with "
            "what, not what causes it.")


def text(model) -> str:
    """The report of a fit. Intervals in brackets have 95% confidence."""
    same = model.same
    out = [f"{same['program']}, {same['scheduler']}, {same['workers']} workers on {same['machine']}: {model.runs} "
           f"{same['kind']} runs of {model.source}"]
    out += model.notes
    out += [f"doubt: {doubt}" for doubt in model.doubts]
    if model.paper is not None:
        out += ["", *_fitted(model.paper, "time = a + b x remote steals (the prediction paper's Eq. 3)")]
    if model.extended is not None:
        used = ", ".join(regression.NAMES[name] for name in model.extended.slopes)
        out += ["", *_fitted(model.extended, f"time on {used}")]
    out += ["", verdict(model)]
    out += ["", "[low, high]: 95% confidence. Held-out error: root of the mean squared error of runs that the fit has "
            "not seen.",
            "All runs are of one machine and one number of workers: nothing here says how time changes with these."]
    return "\n".join(out)
