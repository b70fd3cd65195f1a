"""The guest's report of its tests (written by init.sh), up to the point it reached."""

import dataclasses


@dataclasses.dataclass
class Result:
    name: str
    outcome: str  # pass, fail or skip
    status: int   # of the program; 137 where its time was over
    seconds: float
    output: list


class Report:
    def __init__(self, text):
        self.results = []
        self.ready = False  # process 1 inside runs
        self.done = False   # every line of the plan was run
        output = []
        for line in text.replace("\r", "").split("\n")[:-1]:
            if line.startswith("|"):
                output.append(line[1:])
            elif line == "@ready":
                self.ready = True
            elif line == "@done":
                self.done = True
            elif line.startswith("@"):
                outcome, name, status, before, after = line[1:].split(" ")
                self.results.append(Result(name, outcome, int(status), float(after) - float(before), output))
                output = []

    def count(self, outcome):
        return sum(result.outcome == outcome for result in self.results)

    def print(self):
        for result in self.results:
            note = {"pass": "", "skip": why_skipped(result.output), "fail": f"status {result.status}"}[result.outcome]
            if result.status == 137:
                note += ": killed, its time was over or it was out of memory"
            print(f"  {result.outcome.upper() if result.outcome == 'fail' else result.outcome:4} "
                  f"{result.seconds:6.1f} s  {result.name}{'  ' if note else ''}{note}")
            # Of one that passed, the lines with figures that it printed; of one that failed, everything.
            if result.outcome != "skip":
                for line in result.output:
                    print("       | " + line)


def gist(output):
    """What a failed test measured, and its first failures: GoogleTest's "file:line: Failure" and the line after each.
    """
    figures = [line for line in output if line.startswith("figure: ")]
    failures = [f"{line}: {following}" for line, following in zip(output, output[1:]) if line.endswith(": Failure")]
    return figures + failures[:3]


def why_skipped(output):
    """The line after GoogleTest's "file:line: Skipped"."""
    for line, following in zip(output, output[1:]):
        if line.endswith(": Skipped"):
            return following
    return ""
