"""The time that somebody has to think: looked at between any two steps, so that thinking ends before it is out."""

import time

from rulewright.lab.search.sequential_halving import OutOfTime


class Watch:
    """Ends the thinking when the time is out, or when the next step might outlast it.

    Nothing is interrupted between two looks. So the longest time that ever passed between two of them is kept free at the end; it
    counts half with every question, since a machine that was busy once is not so for good.
    """

    def __init__(self) -> None:
        self.until: float | None = None
        """When it is out; None where nobody is in a hurry, and then the clock is not looked at."""
        self.longest = 0.0
        self._looked = 0.0

    def begin(self, now: float) -> None:
        """A question is asked."""
        self.longest /= 2
        self._looked = now

    def look(self) -> None:
        """Between two steps."""
        if self.until is None:
            return
        now = time.monotonic()
        self.longest = max(self.longest, now - self._looked)
        self._looked = now
        if now + self.longest > self.until:
            raise OutOfTime
