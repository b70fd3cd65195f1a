"""Ordinary least squares of time on steals, as in the prediction paper's Eq. 3, with what its error is worth.

    from jackdaw import regression
    line = regression.fit(ns, {"remote_steals": steals})      # ns = a + b steals
    line.intercept, line.slopes["remote_steals"].value        # ns, ns a steal
    line.doubts                                               # why not to believe it; empty: nothing was found
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Dict, List, Optional

import numpy
from scipy import stats
import statsmodels.api as statsmodels

CONFIDENCE = 0.95
FEW = 10           # runs for each coefficient besides the intercept
COLLINEAR = 10.0   # variance inflation from which coefficients are not to be told apart
UNITS = {"remote_steals": "ns a steal", "local_steals": "ns a steal", "remote_bytes": "ns a byte"}
NAMES = {"remote_steals": "remote steals", "local_steals": "local steals", "remote_bytes": "remote bytes"}


@dataclass
class Estimate:
    """A coefficient with its confidence interval."""
    value: float
    low: float
    high: float

    def json(self):
        return {"value": self.value, "low": self.low, "high": self.high}


@dataclass
class Line:
    """ns = intercept + sum of slope x regressor. RMSE has several denominators in use, so each has a name here."""
    runs: int
    mean_ns: float
    intercept: Estimate
    slopes: Dict[str, Estimate]
    covariance: List[List[float]]      # of the intercept and the slopes, in this order
    ranges: Dict[str, List[float]]     # least, mean and most of each regressor
    rmse: float                        # sqrt(SSE / n)
    standard_error: float              # sqrt(SSE / (n - coefficients)), without bias; NaN without degrees of freedom
    root_over_n: float                 # sqrt(SSE) / n: gives the paper's 5.1683 with the paper's sums and r
    freedom: int                       # n - coefficients
    r_squared: float
    pearson: Optional[Estimate]        # r of the only regressor, with its interval by Fisher's z; else None
    held_out: Optional[float]          # root of the mean squared error of runs that the fit has not seen
    held_out_mean: Optional[float]     # the same of the mean of the other runs as the prediction
    folds: int
    left_out: Dict[str, str] = field(default_factory=dict)    # regressors that are not in the fit, and why
    inflation: Dict[str, float] = field(default_factory=dict)  # variance inflation factors
    doubts: List[str] = field(default_factory=list)

    def at(self, values, ns_scale=1.0, slope_scales=None):
        """(predicted, low, high) in ns of one new run with these regressors: the prediction interval of 95%.
        `ns_scale` multiplies the intercept and the runs' scatter, `slope_scales` the slopes, by name."""
        names = list(self.slopes)
        scales = slope_scales or {}
        weights = numpy.array([ns_scale] + [scales.get(name, 1.0) * values[name] for name in names])
        means = numpy.array([self.intercept.value] + [self.slopes[name].value for name in names])
        predicted = float(weights @ means)
        if self.freedom < 1:
            return predicted, -math.inf, math.inf
        variance = float(weights @ numpy.array(self.covariance) @ weights) + (ns_scale * self.standard_error) ** 2
        half = float(stats.t.ppf(0.5 + CONFIDENCE / 2, self.freedom)) * math.sqrt(max(0.0, variance))
        return predicted, predicted - half, predicted + half


    def json(self):
        return dict(vars(self), intercept=self.intercept.json(),
                    slopes={name: each.json() for name, each in self.slopes.items()},
                    pearson=None if self.pearson is None else self.pearson.json())

    @staticmethod
    def of_json(said) -> "Line":
        """From what json() gave. Raises KeyError or TypeError where something is missing or of another kind."""
        return Line(**dict(said, intercept=Estimate(**said["intercept"]),
                           slopes={name: Estimate(**each) for name, each in said["slopes"].items()},
                           pearson=None if said["pearson"] is None else Estimate(**said["pearson"])))


def pearson(x, y) -> Estimate:
    """Pearson's r, and its interval by Fisher's z. The interval is [-1, 1] for fewer than four runs."""
    x, y = numpy.asarray(x, float), numpy.asarray(y, float)
    dx, dy = x - x.mean(), y - y.mean()
    both = math.sqrt(float(dx @ dx)) * math.sqrt(float(dy @ dy))
    r = max(-1.0, min(1.0, float(dx @ dy) / both)) if both > 0 else 0.0
    if len(x) < 4:
        return Estimate(r, -1.0, 1.0)
    if abs(r) == 1:
        return Estimate(r, r, r)
    half = float(stats.norm.ppf(0.5 + CONFIDENCE / 2)) / math.sqrt(len(x) - 3)
    return Estimate(r, math.tanh(math.atanh(r) - half), math.tanh(math.atanh(r) + half))


def is_constant(values) -> bool:
    """Whether all are the same but for rounding."""
    values = numpy.asarray(values, float)
    return float(numpy.ptp(values)) <= 1e-12 * max(1e-300, float(numpy.max(numpy.abs(values))))


def fit(ns, regressors, groups=None) -> Optional[Line]:
    """Fits `ns` on the columns of `regressors`, a dict of them by name; None where no regressor is left. Columns that
    are constant or not known for every run are left out. Runs of the same group (a seed) are held out together in
    cross-validation. Raises ValueError for fewer than three runs."""
    y = numpy.asarray(ns, float)
    if len(y) < 3:
        raise ValueError(f"{len(y)} runs, expected at least 3")
    used, left_out = {}, {}
    for name, column in regressors.items():
        column = numpy.asarray(column, float)
        if not numpy.isfinite(column).all():
            left_out[name] = "not counted in every run"
        elif is_constant(column):
            left_out[name] = f"{column[0]:g} in every run"
        elif len(used) + 2 >= len(y):
            left_out[name] = "too few runs"
        else:
            used[name] = column
    _drop_dependent(used, left_out)
    if not used:
        return None
    return _fit(y, used, left_out, groups)


def _drop_dependent(used, left_out):
    """Leaves out columns that the ones before give exactly: their slopes are not defined."""
    kept = []
    for name in list(used):
        column = used[name] - used[name].mean()
        column = column / numpy.linalg.norm(column)
        if kept:
            basis = numpy.linalg.qr(numpy.column_stack(kept))[0]
            if numpy.linalg.norm(column - basis @ (basis.T @ column)) < 1e-7:
                left_out[name] = "the other regressors determine it"
                del used[name]
                continue
        kept.append(column)


def _fit(y, used, left_out, groups) -> Line:
    names, n = list(used), len(y)
    # Columns of a size near 1 keep the sums exact: bytes are 10^6 times as large as steals.
    scales = numpy.array([1.0] + [float(numpy.max(numpy.abs(used[name]))) for name in names])
    design = numpy.column_stack([numpy.ones(n)] + [used[name] for name in names]) / scales
    fitted = statsmodels.OLS(y, design).fit()
    freedom = n - design.shape[1]
    squares = float(fitted.resid @ fitted.resid)
    values = fitted.params / scales
    if freedom > 0:
        covariance = fitted.cov_params() / numpy.outer(scales, scales)
        limits = fitted.conf_int(1 - CONFIDENCE) / scales[:, None]
    else:
        covariance = numpy.full((len(scales), len(scales)), math.inf)
        limits = numpy.full((len(scales), 2), (-math.inf, math.inf))
    estimates = [Estimate(float(value), float(low), float(high)) for value, (low, high) in zip(values, limits)]
    held_out, held_out_mean, folds = _cross_validate(y, design, groups)
    line = Line(
        runs=n, mean_ns=float(y.mean()), intercept=estimates[0], slopes=dict(zip(names, estimates[1:])),
        covariance=covariance.tolist(),
        ranges={name: [float(used[name].min()), float(used[name].mean()), float(used[name].max())] for name in names},
        rmse=math.sqrt(squares / n), standard_error=math.sqrt(squares / freedom) if freedom > 0 else math.nan,
        root_over_n=math.sqrt(squares) / n, freedom=freedom,
        r_squared=0.0 if is_constant(y) else max(0.0, min(1.0, float(fitted.rsquared))),
        pearson=pearson(used[names[0]], y) if len(names) == 1 else None,
        held_out=held_out, held_out_mean=held_out_mean, folds=folds, left_out=left_out,
        inflation=dict(zip(names, _inflation(design))) if len(names) > 1 else {})
    line.doubts = _doubts(line, y, used, design, fitted)
    return line


def _inflation(design):
    """Variance inflation factors of all columns but the first, which is 1."""
    factors = []
    for at in range(1, design.shape[1]):
        others = numpy.delete(design, at, axis=1)
        residual = design[:, at] - others @ numpy.linalg.lstsq(others, design[:, at], rcond=None)[0]
        spread = design[:, at] - design[:, at].mean()
        left = float(residual @ residual) / float(spread @ spread)
        factors.append(1 / max(left, 1e-15))
    return factors


def _cross_validate(y, design, groups):
    """(error, error of the mean, folds): roots of mean squares over held-out runs. Leaves out one group at a time,
    or a twentieth of them if there are more than 200; without groups, or with fewer than three, runs are the groups."""
    groups = numpy.arange(len(y)) if groups is None else numpy.asarray(groups)
    names = sorted(set(groups.tolist()))
    if len(names) < 3:
        groups, names = numpy.arange(len(y)), list(range(len(y)))
    folds = len(names) if len(names) <= 200 else 20
    fold_of = {name: at % folds for at, name in enumerate(names)}
    fold = numpy.array([fold_of[each] for each in groups.tolist()])
    errors, plain = [], []
    for held in range(folds):
        out, rest = fold == held, fold != held
        if rest.sum() < design.shape[1] or numpy.linalg.matrix_rank(design[rest]) < design.shape[1]:
            return None, None, folds
        found = numpy.linalg.lstsq(design[rest], y[rest], rcond=None)[0]
        errors.extend(y[out] - design[out] @ found)
        plain.extend(y[out] - y[rest].mean())
    error, of_mean = (float(numpy.sqrt(numpy.mean(numpy.square(each)))) for each in (errors, plain))
    return error, of_mean, folds


def _doubts(line, y, used, design, fitted):
    """What speaks against believing the fit: one sentence each."""
    said = []
    names = list(used)
    if is_constant(y):
        return ["All runs took the same time: there is nothing to explain."]
    if line.runs < FEW * len(names):
        said.append(f"{line.runs} runs are few: {FEW * len(names)} or more are wanted for "
                    f"{'a slope' if len(names) == 1 else f'{len(names)} slopes'}.")
    if line.pearson is not None and line.pearson.low <= 0 <= line.pearson.high:
        said.append(f"r is {line.pearson.value:.2f}, from {line.pearson.low:.2f} to {line.pearson.high:.2f} with 95% "
                    "confidence: these runs show no relation.")
    elif line.r_squared < 0.25:
        said.append(f"It explains {100 * line.r_squared:.0f}% of the variance: other things decide the time.")
    if line.held_out is None:
        said.append("Leaving out single runs leaves no slope to fit: the slope rests on these.")
    elif line.held_out >= line.held_out_mean:
        said.append("Runs that it has not seen are predicted no better than by the mean of the others.")
    together = {NAMES.get(name, name): factor for name, factor in line.inflation.items() if factor > COLLINEAR}
    if together:
        said.append(f"{', '.join(together).capitalize()} go together (variance inflation up to "
                    f"{max(together.values()):.3g}): their slopes cannot be told apart.")
    said += _doubts_of_one(line, y, used[names[0]], design, fitted) if len(names) == 1 else []
    for name in names:
        slope = line.slopes[name]
        if slope.high < 0:
            said.append(f"More {NAMES.get(name, name)} go with less time: these runs say nothing of what one costs.")
    if line.intercept.value <= 0:
        said.append(f"The intercept is {line.intercept.value:.4g} ns: no run takes that little.")
    return said


def _doubts_of_one(line, y, x, design, fitted):
    said = []
    (name,) = line.slopes
    what = NAMES.get(name, name)
    distinct = sorted(set(x.tolist()))
    if len(distinct) < 3:
        said.append(f"There are two numbers of {what} only: any two means make a line.")
    else:
        influence = fitted.get_influence()
        with numpy.errstate(all="ignore"):
            far = influence.hat_matrix_diag
        if float(far.max()) > 0.5 and line.runs >= 4:
            said.append(f"One run, with {x[int(far.argmax())]:g} {what}, decides the slope: all others have "
                        "about the same number.")
        elif _is_two_clusters(x, y):
            said.append(f"The runs are two clusters, and within these time does not grow with {what}.")
        if line.runs >= 8 and line.r_squared < 1 - 1e-9:
            curved = statsmodels.OLS(y, numpy.column_stack([design, design[:, 1] ** 2])).fit()
            if numpy.isfinite(curved.pvalues[-1]) and curved.pvalues[-1] < 0.01:
                said.append("A curve fits better than a line.")
    least, _, most = line.ranges[list(line.slopes)[0]]
    if least > most - least:
        said.append(f"All runs are one cluster of {least:.4g} to {most:.4g} {what}: the intercept, the time "
                    "without any, is an extrapolation.")
    return said


def _is_two_clusters(x, y):
    """Whether a gap of more than half of the range divides the runs, and the slope within the parts may be 0."""
    order = numpy.argsort(x)
    gaps = numpy.diff(x[order])
    at = int(gaps.argmax())
    if gaps[at] <= 0.5 * (x.max() - x.min()) or min(at + 1, len(x) - at - 1) < 2:
        return False
    upper = (x > x[order][at]).astype(float)
    design = numpy.column_stack([numpy.ones(len(x)), x, upper])
    if len(x) <= 3 or numpy.linalg.matrix_rank(design) < 3:
        return True
    low, high = statsmodels.OLS(y, design).fit().conf_int()[1]
    return bool(low <= 0 <= high)


def clusters(values):
    """The two parts that a gap divides the values into, as sorted arrays; None where there is no gap of more than half
    their range and a twentieth of their mean, with at least a tenth of the values, and two, on each side."""
    ordered = numpy.sort(numpy.asarray(values, float))
    if len(ordered) < 6 or is_constant(ordered):
        return None
    gaps = numpy.diff(ordered)
    at = int(gaps.argmax()) + 1
    least = max(2, 0.1 * len(ordered))
    if gaps[at - 1] <= max(0.5 * numpy.ptp(ordered), 0.05 * ordered.mean()) or min(at, len(ordered) - at) < least:
        return None
    return ordered[:at], ordered[at:]


def of_sums(n, sum_x, sum_y, ssx, sp):
    """(b, a) from the sums that the paper prints: b = SP / SSX, a = mean y - b mean x."""
    b = sp / ssx
    return b, sum_y / n - b * sum_x / n
