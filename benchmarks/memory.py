"""Memory of many simulated battles, twelve machines a side, in one process: `python -m benchmarks memory [BATTLES]`.

Every 500 battles it prints the peak memory above that of the idle process. No file is written. Caches are bounded (`remembered.py`);
this shows that they stay within their bounds over any number of battles.
"""

import time

from benchmarks.lab import BATTLE, MEMORY, _megabytes
from rulewright.lab import sample
from rulewright.lab.solver.state_graph import Progress
from rulewright.library import stage

BATTLES = 10_000
EVERY = 500


class MemoryReport:
    """Prints the memory every `EVERY` battles."""

    def __init__(self) -> None:
        self.idle, self.began, self.next = _megabytes(), time.monotonic(), EVERY

    def __call__(self, now: Progress) -> None:
        if now.what == "fights" and now.done >= self.next:
            self.say(now.done)
            self.next = (now.done // EVERY + 1) * EVERY

    def say(self, battles: int) -> None:
        """Print one line."""
        used, passed = _megabytes() - self.idle, time.monotonic() - self.began
        print(f"{battles:>6,} battles: {used:.0f} MB over the idle process ({passed:,.0f} s)", flush=True)


def main(arguments: list[str]) -> int:
    """The command; fails if it used more memory than allowed."""
    count = int(arguments[0]) if arguments else BATTLES
    staged = stage(BATTLE)
    report = MemoryReport()
    done = sample(staged.scene, staged.state, staged.decide, count, question="win", seed=1, rounds=staged.scenario.rounds, progress=report)
    report.say(done.n)
    used = _megabytes() - report.idle
    print(f"{done.n:,} battles: {used:.0f} of {MEMORY} MB")
    return int(used > MEMORY)
