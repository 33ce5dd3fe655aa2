"""Fights with AI players. Each fight depends only on the seed and its number."""

from collections.abc import Mapping
from random import SystemRandom
from typing import Any

from msgspec import Struct

from rulewright.errors import UserError
from rulewright.lab.results import End, asked, ending, lost_by, sides_of, tallied
from rulewright.lab.sampling.batches import seed_of
from rulewright.lab.sampling.processes import in_order
from rulewright.lab.search.levels import Level
from rulewright.lab.search.planner import Mind, Thought
from rulewright.lab.solver.state_graph import Progress, Report
from rulewright.lab.statistics import Sampled
from rulewright.play import Choice, Given, Paused, Roll, Seeded, Tactic, Together
from rulewright.scenes.question_snapshot import Moment
from rulewright.scenes.scene import Scene

FIGHTS = 100
"""The default number of fights; every decision of an AI player takes many playouts."""
MOST_STEPS = 5_000


class Match(Struct, eq=False):
    """Plays the fight of a number: members with a level use AI, all others their tactics."""

    scene: Scene[Any]
    state: Any
    decide: Tactic
    tactics: Mapping[str, Tactic]
    levels: Mapping[str, Level]
    seed: int
    rounds: int | None = None
    question: str = "losses"
    taken_for: Tactic | None = None
    """The tactic that AI players assume for everybody, if it differs from `decide`."""
    _minds: dict[Level, Mind] = {}
    _decisions: int = 0

    def __reduce__(self) -> Any:
        made_of = self.scene, self.state, self.decide, self.tactics, self.levels, self.seed, self.rounds, self.question, self.taken_for
        return type(self), made_of  # AI players are created in the process that plays

    def __call__(self, number: int) -> End | None:
        """Play a fight; None if it does not end."""
        sides = sides_of(self.scene, self.state)
        fate_of, lost = ending(self.scene, self.question, sides), lost_by(self.scene, self.question, sides)
        dice = Seeded(seed_of(self.seed, number))
        for level in self.levels.values():
            mind = self._minds.setdefault(level, Mind(self.scene, self.tactics, self.taken_for or self.decide, level, rounds=self.rounds))
            mind.begin(seed_of(self.seed, f"mind {number}"))
        state, at = self.state, self.scene.round(self.state)
        for _ in range(MOST_STEPS):
            fate = fate_of(state)
            if fate is not None:
                return End.of(fate, at)
            at = self.scene.round(state)
            if self.rounds is not None and at > self.rounds:
                return End(None, lost(state), self.rounds)
            state = self._step(state, dice)
        return None

    def _step(self, state: Any, dice: Seeded) -> Any:
        paused = Paused(self.scene.step(state), lambda event: None)
        given: list[Any] = []
        while not paused.done:
            pending: Any = paused.pending
            together = isinstance(pending, Together)
            requests = pending.requests if together else (pending,)
            values: dict[int, Any] = {}
            decided: list[tuple[Moment, Given]] = []
            for at, request in enumerate(requests):
                if isinstance(request, Roll):
                    values[at] = request.reading.read(dice.faces(request))
                else:
                    moment = Moment(self.scene, state, tuple(given), requests, together, dict(values), at)
                    decided.append((moment, self._decided(request, moment)))
                    values[at] = request.take(decided[-1][1])
            for about in decided:
                self._noticed(*about)
            answer = tuple([values[at] for at in range(len(requests))])
            given.append(answer if together else answer[0])
            paused.answer(given[-1])
        return paused.outcome

    def _decided(self, choice: Choice[Any], moment: Moment) -> Given:
        level = self.levels.get(choice.who)
        if level is None:
            return self.decide(choice)
        return self.thought(self._minds[level].think(moment), moment)

    def _noticed(self, moment: Moment, given: Given) -> None:
        """Let AI players observe a decision of another side."""
        self._decisions += 1
        for side, names in self.scene.sides(moment.state).items():
            for level in {self.levels[who] for who in names if who in self.levels}:
                self._minds[level].notice(self._decisions, moment, given, side)

    def thought(self, thought: Thought, moment: Moment) -> Given:
        """A hook for subclasses that observe the search; returns the answer."""
        return thought.answer


def play(
    scene: Scene[Any],
    state: Any,
    decide: Tactic,
    tactics: Mapping[str, Tactic],
    levels: Mapping[str, Level],
    n: int | None = None,
    *,
    question: str = "losses",
    rounds: int | None = None,
    seed: int | None = None,
    confidence: float = 0.95,
    workers: int = 1,
    taken_for: Tactic | None = None,
    progress: Report | None = None,
) -> Sampled:
    """Play fights in which members with a level use AI, and count as `lab.sample` does.

    The time of a level is counted in steps here, so that a seed gives the same result on any machine and any number of workers.
    """
    asked(question)
    n = FIGHTS if n is None else n
    if n < 1:
        raise UserError(f"give at least 1 fight, not {n}")
    members = {side: len(names) for side, names in sides_of(scene, state).items()}
    seed = SystemRandom().getrandbits(63) if seed is None else seed
    counted = {who: level.counted for who, level in levels.items()}
    match = Match(scene, state, decide, tactics, counted, seed, rounds, question, taken_for)
    counts: dict[End, int] = {}
    cut = done = 0
    interrupted = False
    ends = in_order(match, n, workers)
    try:
        for end in ends:
            done += 1
            if end is None:
                cut += 1
            else:
                counts[end] = counts.get(end, 0) + 1
            if progress is not None and progress(Progress("fights", done, n, 0.0)) is False:
                interrupted = True
                break
    except KeyboardInterrupt:
        interrupted = True
    finally:
        ends.close()
    told = tallied(scene, state, question)
    return Sampled(question, members, done, counts, cut, seed, "thought", confidence=confidence, interrupted=interrupted, counted=told)
