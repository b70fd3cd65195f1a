"""What a rule finds."""

from dataclasses import dataclass, field
from typing import List

WORTH_SAYING = 0.05  # of the time; below that a finding is a note and not a problem


@dataclass
class Finding:
    """`at_stake`: which share of the wall time would be saved, at most, if the remedy worked in full. `measured`: the
    share was measured by another run, not estimated from this one."""
    rule: str
    sentence: str
    at_stake: float
    remedy: str
    evidence: List[str] = field(default_factory=list)
    measured: bool = False

    def is_problem(self) -> bool:
        return self.at_stake >= WORTH_SAYING

    def weight(self) -> float:
        """What findings are sorted by: an estimate of the same size comes after a measurement."""
        return self.at_stake if self.measured else 0.8 * self.at_stake


@dataclass
class Diagnosis:
    """`headline` is the sentence for people with one minute. `unknown` says what could not be observed. `possible`:
    findings of which no share of the time is known."""
    headline: str
    findings: List[Finding] = field(default_factory=list)
    unknown: List[str] = field(default_factory=list)
    notes: List[str] = field(default_factory=list)
    possible: List[Finding] = field(default_factory=list)
