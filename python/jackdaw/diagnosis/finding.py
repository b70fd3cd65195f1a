"""What a rule finds."""

from dataclasses import dataclass, field
from typing import List

WORTH_SAYING = 0.05  # of the time; below that a finding is a note and not a problem


@dataclass
class Finding:
    """`at_stake`: which share of the wall time would be saved, at most, if the remedy worked in full. `measured`: the
    share was measured by another run, not estimated from this one. `whole`: the share is of the program's time, not
    only of that in which roots were under way."""
    rule: str
    sentence: str
    at_stake: float
    remedy: str
    evidence: List[str] = field(default_factory=list)
    measured: bool = False
    whole: bool = False

    def is_problem(self) -> bool:
        return self.at_stake >= WORTH_SAYING

    def weight(self, under_way: float = 1.0) -> float:
        """What findings are sorted by: an estimate of the same size comes after a measurement. `under_way`: the part
        of the program's time with a root."""
        return self.at_stake * (1.0 if self.measured else 0.8) * (1.0 if self.whole else under_way)


@dataclass
class Diagnosis:
    """`headline` is the sentence for people with one minute. `unknown` says what could not be observed. `possible`:
    findings of which no share of the time is known."""
    headline: str
    findings: List[Finding] = field(default_factory=list)
    unknown: List[str] = field(default_factory=list)
    notes: List[str] = field(default_factory=list)
    possible: List[Finding] = field(default_factory=list)
