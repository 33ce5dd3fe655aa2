"""The time limit of a search, checked between steps."""

import time

from rulewright.lab.search.sequential_halving import OutOfTime


class Watch:
    """Ends a search at its deadline, or earlier if the next step might exceed it.

    Steps are not interrupted. The longest time between two checks is therefore kept free at the end. It is halved with every question,
    because a machine is only busy for a while.
    """

    def __init__(self) -> None:
        self.until: float | None = None
        """The deadline; None for no limit."""
        self.longest = 0.0
        self._looked = 0.0

    def begin(self, now: float) -> None:
        """Start a question."""
        self.longest /= 2
        self._looked = now

    def look(self) -> None:
        """Check the deadline; raises OutOfTime. Call it between two steps."""
        if self.until is None:
            return
        now = time.monotonic()
        self.longest = max(self.longest, now - self._looked)
        self._looked = now
        if now + self.longest > self.until:
            raise OutOfTime
