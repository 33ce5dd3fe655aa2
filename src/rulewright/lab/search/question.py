"""A question during a search: its worlds, its seed, its time, and its playouts."""

from collections.abc import Callable
from typing import Any

from rulewright.lab.sampling.batches import seed_of
from rulewright.lab.search.determinization import Worlds, numbers
from rulewright.lab.search.levels import Level
from rulewright.lab.search.playouts import Playing
from rulewright.play import Choice, Given, Range
from rulewright.scenes.question_snapshot import Moment

NUMBERS = 5
"""How many numbers of a range are tried, besides those of the tactics."""


class Question:
    """A question during a search: its worlds, its seed and its time."""

    def __init__(self, redo: Playing, seed: int, moment: Moment, side: str, level: Level, *, all_known: bool, every: bool) -> None:
        self.moment = moment
        self.choice: Choice[Any] = moment.requests[moment.at]
        self.side = side
        self.level = level
        self.every = every
        self.watch = redo.watch
        self.until = self.watch.until
        """The end of the time, in seconds since the beginning; None without a limit."""
        self.worlds = Worlds(moment, None if all_known else side, redo, self._draw)
        noticed = f"{redo.scene.round(moment.state)}/{self.choice.who}/{self.choice.fingerprint()}/{self.worlds.noticed}"
        self.seed = seed_of(seed, noticed)
        redo.begin(self.seed)
        self.begun = redo.scene.elapsed(moment.state)
        self._values: dict[tuple[str, Given, int, float | None], float] = {}
        """A cache of playouts."""

    def until_for(self, share: float) -> float | None:
        """The end of a share of the time."""
        return None if self.until is None else share * self.until

    def used(self, share: float = 1.0) -> float:
        """The used part of a share of the time."""
        return 0.0 if self.until is None else self.watch.now / (share * self.until)

    def _draw(self, number: int) -> Callable[[], float]:
        return numbers(self.seed, "world", number).random

    def played(self, playing: Playing, key: Given, number: int, rounds: float | None = None) -> float:
        """The value of an answer in one playout, to the end or of some rounds; the random numbers do not depend on the answer."""
        about = (playing.policy.name, key, number, rounds)
        value = self._values.get(about)
        if value is None:
            value = self._values[about] = self._play(playing, key, number, rounds)
        return value

    def _play(self, playing: Playing, key: Given, number: int, rounds: float | None) -> float:
        worlds, until = self.worlds, None if rounds is None else self.begun + rounds
        step, start = worlds.rest(worlds.world(number), key), (worlds.index(number), key)
        return playing.fight(step, self.side, seed_of(self.seed, number), until, start)

    def features(self, playing: Playing, key: Given, numbers: range, rounds: float) -> dict[str, float]:
        """The mean features of the positions that follow an answer within some rounds, where a playout does not end before."""
        sums: dict[str, float] = {}
        played = 0
        for number in numbers:
            self._play(playing, key, number, rounds)
            if playing.valued is not None:
                played += 1
                for name, value in (playing.scene.position(playing.valued, self.side) or {}).items():
                    sums[name] = sums.get(name, 0.0) + value
        return {name: value / played for name, value in sums.items()}


def answers_of(choice: Choice[Any]) -> list[Given]:
    """All answers to try: every option, or a few evenly spread numbers of a range."""
    options = choice.options
    if isinstance(options, Range):
        allowed = range(options.low, options.high + 1, options.step)
        return list(dict.fromkeys([*allowed[:: max(1, len(allowed) // NUMBERS)], allowed[-1]]))
    return [option.key for option in options]
