"""The search of AI players: playouts from every sensible answer, and the best one is chosen.

It uses only what every scene offers: steps, options, views and tactics. It works for every game.
"""

import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from math import exp
from typing import Any

from msgspec import Struct, field, to_builtins
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.lab.sampling.batches import seed_of
from rulewright.lab.search.deadline import Watch
from rulewright.lab.search.determinization import Worlds, numbers
from rulewright.lab.search.levels import Level
from rulewright.lab.search.opponent_model import Habits, said, sees
from rulewright.lab.search.playouts import Playing, Policy, carried
from rulewright.lab.search.sequential_halving import FEWEST, OutOfTime, Tried, halve, holds
from rulewright.play import Choice, Given, Range, Tactic
from rulewright.play.intervals import wilson
from rulewright.scenes.question_snapshot import Moment, Past
from rulewright.scenes.scene import Scene

ACT = "act"
"""The topic of main actions, of which every option is tried; of other questions only those on which the tactics disagree."""
EACH = 6
"""The fewest playouts for each option that is tried."""
NUMBERS = 5
"""How many numbers of a range are tried, besides those of the tactics."""
FOR_THE_WAY = 0.4
"""The share of the time for choosing the playout tactic, once a round."""
LOOKING_BACK = 0.2
"""The largest share of the time for observing past decisions of others."""
FOREMOST = 8
"""How many answers are shown with their values."""
NOTHING_TO_CHOOSE = "there is only one thing to do"
NO_TIME = "there was no time to think"
SMALL = "a small question, answered by the tactic"


class Valued(Struct, frozen=True):
    """The value of an answer: the win chance (a draw counts half) with its interval, and the number of playouts."""

    key: Given
    label: str
    worth: float
    interval: tuple[float, float]
    playouts: int


class Thought(Struct, frozen=True):
    """The result of a search: the answer, and the value of each candidate, the best first."""

    who: str
    question: str
    answer: Given
    label: str
    usual: Given
    """The default answer, without a search."""
    options: tuple[Valued, ...] = ()
    playouts: int = 0
    way: str = ""
    """The tactic of the side in playouts; empty for the default one."""
    seem: dict[str, str] = {}
    """Characters of other sides who probably follow another tactic, with this tactic."""
    note: str = ""
    """Why there were no playouts; empty if there were."""

    @property
    def left_the_usual(self) -> bool:
        """Whether the search changed the answer."""
        return self.answer != self.usual

    @property
    def about_others(self) -> tuple[str, ...]:
        """The tactics that other players seem to play by, in words."""
        return tuple([f"{who} seems to play by the tactic {tactic}" for who, tactic in self.seem.items()])

    @property
    def foremost(self) -> tuple[Valued, ...]:
        """The options to show: the best ones, the answer, and the default answer."""
        return tuple([valued for at, valued in enumerate(self.options) if at < FOREMOST or valued.key in (self.answer, self.usual)])

    def public(self) -> dict[str, Any]:
        """The result as plain data, for JSON."""
        result: dict[str, Any] = to_builtins(self)
        return result


class Mind(Struct, eq=False):
    """Searches for answers. It remembers the best playout tactic from question to question."""

    scene: Scene[Any]
    tactics: Mapping[str, Tactic]
    decide: Tactic
    level: Level
    seed: int = 0
    rounds: int | None = None
    _state: Any = None
    _watch: Watch = field(default_factory=Watch)
    _ways: dict[tuple[str, str], Playing] = {}
    _best: dict[str, tuple[int, str]] = {}
    """The round in which each side last chose its playout tactic, and this tactic."""
    _habits: dict[str, Habits] = {}
    """What each side has observed of the others."""

    def begin(self, seed: int) -> None:
        """Start another fight in the same scene. Cached odds stay; they change no answer."""
        self.seed = seed
        self._best.clear()
        for habits in self._habits.values():
            habits.forget()

    def notice(self, number: int, moment: Moment, given: Given, side: str) -> None:
        """Let a side learn from an answer of another side, as far as it can know it. Later decisions have higher numbers.

        Call it after all simultaneous questions are answered.
        """
        choice, sides, habits = moment.requests[moment.at], self.scene.sides(moment.state), self.habits(side)
        of = next((of for of, names in sides.items() if choice.who in names), None)
        habits.known.add(number)
        if not self.tactics or not isinstance(choice, Choice) or choice.secret or of is None or of == side or len(_answers(choice)) < 2:
            return
        if not sees(self.scene, moment.state, side, choice.who):
            return
        self._state = moment.state
        habits.seen += 1
        self._watch.until = None
        redo = self.way(side, "")
        redo.begin(seed_of(self.seed, f"noticed {side} {habits.seen}"))
        with suppress(UserError):
            worlds = Worlds(moment, side, redo, lambda world: numbers(self.seed, "noticed", side, habits.seen, world).random)
            habits.notice(number, worlds.asked(worlds.world(0)), of, given, self.decide)

    def _look_back(self, past: Past, side: str, until: float | None) -> None:
        """Learn from past decisions that were not observed yet, the latest first, until the deadline."""
        for about in past.decisions(self.habits(side).known):
            if until is not None and time.monotonic() > until:
                return
            self.notice(*about, side)

    def habits(self, side: str) -> Habits:
        """Returns the habits that a side has observed in the others."""
        result = self._habits.get(side)
        if result is None:
            result = self._habits[side] = Habits(self.tactics)
        return result

    def think(
        self, moment: Moment, *, all_known: bool = False, level: Level | None = None, every: bool = False, past: Past | None = None
    ) -> Thought:
        """Search for the best answer with what the side knows; with `all_known`, with the true state.

        The model of the others also learns from the `past`. For hints, `every` tries every option, and small questions too. If no world is
        consistent with what the side knows, the result is the default answer with a note.
        """
        began = time.monotonic()
        choice = moment.requests[moment.at]
        if not isinstance(choice, Choice):
            raise UserError("a search needs a decision, not a roll")
        level = level or self.level
        usual = self.decide(choice)
        side = next((side for side, names in self.scene.sides(moment.state).items() if choice.who in names), None)
        plain = Thought(choice.who, choice.ask_for, usual, choice.label(usual), usual)
        if len(_answers(choice)) < 2:
            return replace(plain, note=NOTHING_TO_CHOOSE)
        if side is None:
            return replace(plain, note=f"{choice.who} is on no side")
        agreed = all(said(tactic, choice, self.decide) == usual for tactic in self.tactics.values())
        if agreed and not every and not self._deed(choice, moment):
            return replace(plain, note=SMALL)
        if past is not None:
            self._look_back(past, side, None if level.seconds is None else began + LOOKING_BACK * level.seconds)
        try:
            return self._thought(_Question(self, moment, choice, side, all_known, level, every, began), plain)
        except OutOfTime:
            return replace(plain, note=NO_TIME)
        except UserError as error:
            return replace(plain, note=str(error))

    def way(self, side: str, name: str) -> Playing:
        """Playouts in which a side follows a tactic; the default one for an empty name."""
        playing = self._ways.get((side, name))
        if playing is None:
            tactic = self.tactics[name] if name else None
            policy = Policy(self.decide, name, side, self.scene.sides(self._state), tactic, self.habits(side) if self.tactics else None)
            playing = self._ways[side, name] = Playing(self.scene, policy, self.rounds, self._watch)
        return playing

    def _deed(self, choice: Choice[Any], moment: Moment) -> bool:
        """Whether the question is a main action or its target, so that every option is tried."""
        people = {name for names in self.scene.sides(moment.state).values() for name in names}
        return choice.topic == ACT or (not isinstance(choice.options, Range) and people.issuperset(choice.keys()))

    def _thought(self, question: "_Question", plain: Thought) -> Thought:
        choice, level = question.choice, question.level
        self._state = question.moment.state
        question.worlds.world(0)
        name = self._way_on(question)
        playing = self.way(question.side, name)
        playing.begin(question.seed)
        self._watch.until = question.until
        reference = said(playing.policy, choice, self.decide)
        candidates = self._candidates(question, reference)

        def value(at: int, number: int) -> float:
            return question.played(playing, candidates[at], number)

        tried, left = halve(len(candidates), level.playouts, value, question.every)
        if level.temperature:
            chosen = _tempted(tried, level.temperature, numbers(question.seed, "temper").random)
        else:
            chosen = _best(tried, left, level.playouts, value)
        options = [_valued(choice, key, result) for key, result in zip(candidates, tried, strict=True) if result.values]
        options.sort(key=lambda option: -option.worth)
        return replace(
            plain,
            answer=candidates[chosen],
            label=choice.label(candidates[chosen]),
            options=tuple(options),
            playouts=sum(len(candidate.values) for candidate in tried),
            way=name,
            seem=self.habits(question.side).seem(),
            note="" if options else NO_TIME,
        )

    def _way_on(self, question: "_Question") -> str:
        """Choose the playout tactic of the side, once a round. The last one stays unless another is significantly better."""
        round_ = self.scene.round(question.moment.state)
        before = self._best.get(question.side)
        if before is not None and before[0] == round_:
            return before[1]
        first = before[1] if before is not None else ""
        names = list(dict.fromkeys([first, "", *self.tactics]))
        ways = [self.way(question.side, name) for name in names]
        answers = [said(way.policy, question.choice, self.decide) for way in ways]
        self._watch.until = question.until_for(FOR_THE_WAY)
        for way in ways:
            way.begin(question.seed)

        def value(at: int, number: int) -> float:
            return question.played(ways[at], answers[at], number)

        tried, left = halve(len(names), question.level.playouts, value)
        chosen = _best(tried, left, question.level.playouts, value)
        self._best[question.side] = (round_, names[chosen])
        return names[chosen]

    def _candidates(self, question: "_Question", reference: Given) -> list[Given]:
        """The candidates: the default answer, the answers of the tactics, and as many other options as the budget allows."""
        choice = question.choice
        result = dict.fromkeys([reference, self.decide(choice), *[said(tactic, choice, self.decide) for tactic in self.tactics.values()]])
        if self._deed(choice, question.moment) or question.every:
            rest = [key for key in _answers(choice) if key not in result]
            room = max(0, question.level.playouts // EACH - len(result)) if not question.every else len(rest)
            step = -(-len(rest) // room) if room else 0
            result.update(dict.fromkeys(rest[::step] if step else ()))
        return list(result)


class _Question:
    """A question during a search: its worlds, its seed and its deadline."""

    def __init__(
        self, mind: Mind, moment: Moment, choice: Choice[Any], side: str, all_known: bool, level: Level, every: bool, began: float
    ) -> None:
        self.moment = moment
        self.choice = choice
        self.side = side
        self.level = level
        self.every = every
        self.began = began
        self.until = None if level.seconds is None else self.began + level.seconds
        mind._state = moment.state
        redo = mind.way(side, "")
        mind._watch.begin(began)
        mind._watch.until = self.until
        self.worlds = Worlds(moment, None if all_known else side, redo, self._draw)
        noticed = f"{mind.scene.round(moment.state)}/{choice.who}/{choice.fingerprint()}/{self.worlds.noticed}"
        self.seed = seed_of(mind.seed, noticed)
        redo.begin(self.seed)
        self._values: dict[tuple[str, Given, int], float] = {}
        """A cache of playouts."""

    def until_for(self, share: float) -> float | None:
        """The end of a share of the time."""
        return None if self.level.seconds is None else self.began + share * self.level.seconds

    def _draw(self, number: int) -> Callable[[], float]:
        return numbers(self.seed, "world", number).random

    def played(self, playing: Playing, key: Given, number: int) -> float:
        """The value of an answer in one playout; the random numbers do not depend on the answer."""
        about = (playing.policy.name, key, number)
        value = self._values.get(about)
        if value is None:
            world = self.worlds.world(number)
            value = self._values[about] = playing.fight(self.worlds.rest(world, key), self.side, seed_of(self.seed, number))
        return value


def _answers(choice: Choice[Any]) -> list[Given]:
    """All answers to try: every option, or a few evenly spread numbers of a range."""
    options = choice.options
    if isinstance(options, Range):
        allowed = range(options.low, options.high + 1, options.step)
        return list(dict.fromkeys([*allowed[:: max(1, len(allowed) // NUMBERS)], allowed[-1]]))
    return [option.key for option in options]


def _best(tried: list[Tried], left: list[int], budget: int, value: Callable[[int, int], float]) -> int:
    """The chosen candidate: the first, unless another one is ahead and stays ahead in a second test."""
    best = max(left, key=lambda at: (tried[at].mean, -at))
    return best if best != 0 and holds(tried, best, budget, value) else 0


def _tempted(tried: list[Tried], temperature: float, draw: Callable[[], float]) -> int:
    """Draw a candidate by its value and the temperature."""
    known = [at for at, result in enumerate(tried) if result.values]
    most = max([tried[at].mean for at in known], default=0.0)
    weights = [exp((tried[at].mean - most) / temperature) for at in known]
    mark = draw() * sum(weights)
    for at, weight in zip(known, weights, strict=True):
        mark -= weight
        if mark < 0:
            return at
    return 0


def _valued(choice: Choice[Any], key: Given, tried: Tried) -> Valued:
    won = [carried(value) for value in tried.values]
    n, total = len(won), sum(won)
    low, high = wilson(int(total), n)[0], wilson(min(n, int(total + 0.5)), n)[1]
    return Valued(key, choice.label(key), total / n, (low, high), n)


__all__ = ["FEWEST", "Mind", "Thought", "Valued"]
