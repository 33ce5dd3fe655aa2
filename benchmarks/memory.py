"""The memory of many battles of twelve machines a side, sampled in one process: `python -m benchmarks memory [BATTLES]`.

Every 500 battles it is told how many megabytes the process has had at the most beyond what it had before the first. Nothing is written
down: what is remembered has bounds (`remembered.py`), and this shows that it keeps to them over any number of battles.
"""

import time

from benchmarks.lab import BATTLE, MEMORY, _megabytes
from rulewright.lab import sample
from rulewright.lab.solver.state_graph import Progress
from rulewright.library import stage

BATTLES = 10_000
EVERY = 500


class Told:
    """Tells the memory whenever so many battles more are done."""

    def __init__(self) -> None:
        self.idle, self.began, self.next = _megabytes(), time.monotonic(), EVERY

    def __call__(self, now: Progress) -> None:
        if now.what == "fights" and now.done >= self.next:
            self.say(now.done)
            self.next = (now.done // EVERY + 1) * EVERY

    def say(self, battles: int) -> None:
        """One line of it."""
        used, passed = _megabytes() - self.idle, time.monotonic() - self.began
        print(f"{battles:>6,} battles: {used:.0f} MB over the idle process ({passed:,.0f} s)", flush=True)


def main(arguments: list[str]) -> int:
    """The command; fails where more memory was taken than is allowed."""
    count = int(arguments[0]) if arguments else BATTLES
    staged = stage(BATTLE)
    told = Told()
    done = sample(staged.scene, staged.state, staged.decide, count, question="win", seed=1, rounds=staged.scenario.rounds, progress=told)
    told.say(done.n)
    used = _megabytes() - told.idle
    print(f"{done.n:,} battles: {used:.0f} of {MEMORY} MB")
    return int(used > MEMORY)
