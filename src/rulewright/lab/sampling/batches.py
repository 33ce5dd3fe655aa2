"""Batches of fights, played step by step. A batch depends only on the seed and its number."""

import gc
import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from msgspec import Struct

from rulewright.lab.results import End, Fate, ending, lost_by, sides_of
from rulewright.lab.sampling.step_cache import Trodden
from rulewright.lab.sampling.subgames import Drawing, Known, Levelled
from rulewright.play import Play, Tactic, is_local
from rulewright.scenes.batch_play import Walk
from rulewright.scenes.scene import Focus, Scene

CROWD, MET_BY_CROWDS = 16, 50_000
"""From this many members on, states are large and the cache is smaller."""
BATCH, LARGE_BATCH, MANY = 500, 4_000, 200_000
"""Fights in a batch; more if there are many fights, so that more is drawn from the cache."""

LEARNED_FROM = 3
"""The number of fights, as a multiple of a batch, that fill the cache before a long run."""

ROUNDS_A_WALK = 100
"""The number of rounds between two checks of the step limit."""

Counted = tuple[dict[End, int], int, bool]
"""The result of a batch: the count of each end, the number of fights that did not end, and whether the cache was full."""


@contextmanager
def unsearched() -> Iterator[None]:
    """Disable cyclic garbage collection: fights make no cycles, and the collector would scan the whole cache."""
    searched = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if searched:
            gc.enable()


class Stepping:
    """Plays batches of fights step by step. It is pickled as its arguments.

    For many fights, it first plays a batch that is not counted, the same in every process, to fill the cache.
    """

    def __init__(
        self,
        scene: Scene[Any],
        state: Any,
        decide: Tactic,
        question: str,
        seed: int,
        n: int,
        limit: int | None,
        steps: int,
        learns: bool | None = None,
    ) -> None:
        self._made_of = (scene, state, decide, question, seed, n, limit, steps)
        self.scene = scene
        self.state = state
        self.seed = seed
        self.n = n
        self.limit = limit
        self.steps = steps
        self.size = BATCH if n < MANY else LARGE_BATCH
        self.learns = n >= MANY if learns is None else learns
        self._learned = False
        self.heard: Callable[[int], object] | None = None
        """Called after each fight with the number played in the batch; not pickled."""
        sides = sides_of(scene, state)
        self.fate_of: Callable[[Any], Fate | None] = ending(scene, question, sides)
        self.lost: Callable[[Any], tuple[int, ...]] = lost_by(scene, question, sides)
        parts = Levelled(decide, scene, question)
        crowd = sum([len(names) for names in sides.values()]) >= CROWD
        self.driver = Drawing(decide, parts=parts, remember=MET_BY_CROWDS) if crowd else Drawing(decide, parts=parts)
        alike = is_local(decide) and question != "all" and scene.simplifies(state)
        self.step: Callable[[Any], Any] = self._step
        if is_local(decide) and type(scene).focus is Scene.focus:
            self.step = Trodden(scene, self.driver)
        elif alike:
            self.step = Steps(scene, self.driver, parts)
        self.walk: Walk[Any] | None = scene.walker(self.driver) if alike else None

    def __reduce__(self) -> Any:
        return Stepping, (*self._made_of, self.learns)

    def __call__(self, number: int) -> Counted:
        """Play a batch."""
        self.begin(number)
        counts: dict[End, int] = {}
        cut = self.play(self.state, self.scene.round(self.state), min(self.size, self.n - number * self.size), counts)
        return counts, cut, self.driver.full

    def begin(self, number: int) -> None:
        """Start a batch; everything after depends only on its number."""
        if self.learns and not self._learned:
            self._learned = True
            self.driver.begin(seed_of(self.seed, "learning"), learning=True)
            self.play(self.state, self.scene.round(self.state), LEARNED_FROM * self.size, {})
            self.driver.learn()
        self.driver.begin(seed_of(self.seed, ~number))

    def play(self, state: Any, at: int, many: int, counts: dict[End, int]) -> int:
        """Play fights from this state and round on, and count the ends; returns how many did not end."""
        cut = 0
        with unsearched():
            for played in range(many):
                if self.heard is not None:
                    self.heard(played)
                end = self._fight(state, at)
                if end is None:
                    cut += 1
                else:
                    counts[end] = counts.get(end, 0) + 1
        return cut

    def _fight(self, state: Any, at: int) -> End | None:
        scene, limit, walk = self.scene, self.limit, self.walk
        step, fate_of, round_of = self.step, self.fate_of, scene.round
        ahead = at - round_of(state)
        for _ in range(self.steps):
            fate = fate_of(state)
            if fate is not None:
                return End.of(fate, at)
            at = round_of(state) + ahead
            if limit is not None and at > limit:
                return End(None, self.lost(state), limit)
            if walk is not None:
                until = at + ROUNDS_A_WALK if limit is None else min(limit, at + ROUNDS_A_WALK)
                walked = walk(state, until - ahead)
                if walked is not state:
                    state, at = walked, round_of(walked) + ahead
                    continue
            state = step(state)
        return None

    def _step(self, state: Any) -> Any:
        return self.driver.run(self.scene.step(state))


class Steps(Struct, frozen=True):
    """Steps of a fight, drawn from the odds of the scene's focus if they are cached.

    As with sub-procedures, a step is played until it has come often enough in a batch, so that draws depend only on the batch.
    """

    scene: Scene[Any]
    driver: Drawing
    parts: Levelled

    def __call__(self, state: Any) -> Any:
        """The state after the next step, or after the next few."""
        driver = self.driver
        focus = self.scene.focus(state)
        if isinstance(focus, Focus):
            table = driver.known(focus.small, self._solve, focus.play)
            if table is not None:
                after = focus.back(driver.draw(table))
                return after if focus.rest is None else driver.run(focus.rest(after))
        elif focus is not None:
            after = driver.run(focus)
            if after is not state:
                return after
        return driver.run(self.scene.step(state))

    def _solve(self, small: Any, within: int, play: Callable[[Any], Play[Any]]) -> Known | None:
        return self.parts.alone(partial(play, small), within)


def seed_of(seed: int, batch: int | str) -> int:
    """The seed of a batch, the same in every process."""
    return int.from_bytes(hashlib.blake2b(f"{seed}/{batch}".encode(), digest_size=8).digest(), "big")
