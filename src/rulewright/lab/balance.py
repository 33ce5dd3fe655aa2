"""Balances encounters: how many opponents give a side a win chance in a range."""

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct

from rulewright.errors import UserError
from rulewright.lab.compare import Variant
from rulewright.lab.results import Chance
from rulewright.lab.sampling.sample import sample
from rulewright.lab.solver.state_graph import Progress, Report
from rulewright.lab.statistics import Sampled

MOST = 30
"""The default largest number of opponents to try."""

FIGHTS = (400, 2_000, 10_000, 40_000)
"""Fights for each number of opponents: the larger numbers only if the smaller ones do not decide whether the chance is in the range."""

Make = Callable[[str, int], Variant]
"""Makes the scene with a number of opponents of a quality."""
Sampling = Callable[..., Sampled]
"""Samples fights, as `sample` does."""


class Tried(Struct, frozen=True):
    """A number of opponents of a quality: the win chance against them, and whether it is in the range (None: too close to call)."""

    quality: str
    number: int
    chance: Chance
    n: int
    fits: bool | None

    def public(self) -> dict[str, Any]:
        """The result as plain data, for JSON."""
        return {"quality": self.quality, "number": self.number, **self.chance.public(), "n": self.n, "fits": self.fits}


class Balance(Struct, frozen=True):
    """All numbers of opponents that were tried, by quality and number."""

    side: str
    between: tuple[float, float]
    tried: tuple[Tried, ...]
    interrupted: bool = False

    @property
    def found(self) -> tuple[Tried, ...]:
        """The numbers with a win chance in the range, nearest to the middle first; uncertain ones come last."""
        middle = sum(self.between) / 2
        inside = [
            candidate
            for candidate in self.tried
            if candidate.fits is not False and self.between[0] <= candidate.chance.chance <= self.between[1]
        ]
        return tuple(sorted(inside, key=lambda item: (item.fits is None, abs(item.chance.chance - middle))))

    def public(self) -> dict[str, Any]:
        """The result as plain data, for JSON."""
        result: dict[str, Any] = {
            "side": self.side,
            "between": list(self.between),
            "found": [candidate.public() for candidate in self.found],
            "tried": [candidate.public() for candidate in self.tried],
        }
        if self.interrupted:
            result["stopped"] = "interrupted"
        return result


def balance(
    make: Make,
    qualities: Sequence[str] = ("",),
    *,
    side: str,
    between: tuple[float, float],
    most: int = MOST,
    fights: Sequence[int] = FIGHTS,
    seed: int = 1,
    workers: int = 1,
    progress: Report | None = None,
    play: Sampling = sample,
) -> Balance:
    """Find how many opponents of each quality give this side a win chance in the range.

    More opponents are assumed to be no easier, so the numbers in the range are consecutive: a binary search finds both ends, and every
    number between them is tried. Ctrl-C returns the results so far. `play` replaces `sample`, for fights with AI opponents.

    >>> from rulewright.lab.examples.coins import Coins, Lives
    >>> def against(quality, number):
    ...     return Variant(Coins(), Lives(4, number))
    >>> balanced = balance(against, side="left", between=(0.2, 0.6), most=9)
    >>> [tried.number for tried in balanced.found]
    [4, 5]
    """
    low, high = between
    if not 0 <= low < high <= 1:
        raise UserError(f"give a range from a smaller to a larger chance between 0 and 1, not {low:g} to {high:g}")
    if most < 1 or not fights or not qualities:
        raise UserError("give at least one opponent, one quality and one fight")
    search = _Search(make, side, between, tuple(fights), seed, workers, progress, play)
    interrupted = False
    try:
        for quality in qualities:
            search.numbers(quality, most)
    except KeyboardInterrupt:
        interrupted = True
    return Balance(
        side,
        between,
        tuple([search.tried[key] for key in sorted(search.tried, key=lambda key: (qualities.index(key[0]), key[1]))]),
        interrupted,
    )


class _Search(Struct):
    make: Make
    side: str
    between: tuple[float, float]
    fights: tuple[int, ...]
    seed: int
    workers: int
    progress: Report | None
    play: Sampling
    tried: dict[tuple[str, int], Tried] = {}
    played: int = 0

    def numbers(self, quality: str, most: int) -> None:
        """Try the relevant numbers of one quality."""
        low, high = self.between
        first = self._least(quality, 1, most, high)  # the fewest with a chance in the range
        if first is None:
            return
        last = self._least(quality, first, most, low) or most  # the fewest with a chance below it
        for number in range(first, last + 1):
            self._try(quality, number)

    def _least(self, quality: str, start: int, most: int, chance: float) -> int | None:
        """The smallest number with at most this chance; None if there is none."""
        below, above = start - 1, start
        while self._try(quality, above).chance.chance > chance:
            if above == most:
                return None
            below, above = above, min(most, above * 2)
        while above - below > 1:
            middle = (below + above) // 2
            if self._try(quality, middle).chance.chance > chance:
                below = middle
            else:
                above = middle
        return above

    def _try(self, quality: str, number: int) -> Tried:
        known = self.tried.get((quality, number))
        if known is not None:
            return known
        variant = self.make(quality, number)
        low, high = self.between
        for n in self.fights:
            sampled = self.play(
                variant.scene,
                variant.state,
                variant.decide,
                n,
                question="win",
                rounds=variant.rounds,
                seed=self.seed,
                workers=self.workers,
                progress=self._report(quality, number),
            )
            if sampled.interrupted:
                raise KeyboardInterrupt
            if self.side not in sampled.sides:
                raise UserError(f"there is no side {self.side!r}; there are {', '.join(sampled.sides)}")
            self.played += n
            chance = sampled.sides[self.side]
            fits = True if low <= chance.interval[0] and chance.interval[1] <= high else None
            if chance.interval[1] < low or chance.interval[0] > high:
                fits = False
            if fits is not None:
                break
        tried = self.tried[quality, number] = Tried(quality, number, chance, n, fits)
        return tried

    def _report(self, quality: str, number: int) -> Report | None:
        if self.progress is None:
            return None
        progress, played = self.progress, self.played
        what = f"{number} × {quality}" if quality else f"{number} opponents"

        def report(told: Progress) -> object:
            return progress(Progress(what, played + told.done, None, told.seconds, precision=told.precision))

        return report
