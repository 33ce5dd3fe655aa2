"""The clock of a search: processor time, or a count of steps that is the same on any machine."""

import time

from rulewright.lab.search.sequential_halving import OutOfTime

PATIENCE = 4
"""How many times its processor time a decision may take by the clock, on a busy machine."""


class Watch:
    """Ends a search at its deadline, or earlier if the next step might exceed it.

    Steps are not interrupted. The longest time between two checks is therefore kept free at the end. It is halved with every question,
    because a machine is only busy for a while. If steps are counted, nothing needs to be kept free.
    """

    def __init__(self) -> None:
        self.until: float | None = None
        """The deadline, in seconds since the beginning of the question; None for no limit."""
        self.longest = 0.0
        self._looked = 0.0
        self._steps = 0
        self._pace: float | None = None
        self._processor = self._wall = 0.0

    def begin(self, steps_a_second: float | None = None) -> None:
        """Start a question. With a pace, time is counted in steps."""
        self.longest /= 2
        self._looked, self._steps = 0.0, 0
        self._pace = None if steps_a_second is None else 1 / steps_a_second
        self._processor, self._wall = time.thread_time(), time.monotonic()

    @property
    def now(self) -> float:
        """Seconds since the beginning of the question."""
        if self._pace is not None:
            return self._steps * self._pace
        return max(time.thread_time() - self._processor, (time.monotonic() - self._wall) / PATIENCE)

    def look(self) -> None:
        """Count a step and check the deadline; raises OutOfTime. Call it between two steps."""
        self._steps += 1
        if self.until is None:
            return
        now = self.now
        if self._pace is None:
            self.longest = max(self.longest, now - self._looked)
            self._looked = now
        if now + self.longest > self.until:
            raise OutOfTime
